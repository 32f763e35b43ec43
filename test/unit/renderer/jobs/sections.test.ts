import { describe, expect, test } from 'vitest';
import { noRows } from '../../../../src-preload/batch.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { JobList, type JobListView } from '../../../../src-renderer/data/job-list.ts';
import {
  createUnseenReader,
  oldestWait,
  sectionSummary,
  wholeBatchOf,
} from '../../../../src-renderer/jobs/section-summary.ts';
import { bucketOf, createSectionMaker, hasUnloadedRows, makeSections } from '../../../../src-renderer/jobs/sections.ts';
import { jobOf, queued, running } from './job-of.ts';

const now = new Date(2025, 10, 20, 14, 30).getTime();
const hour = 3_600_000;
const day = 24 * hour;

describe('rows that are not loaded', () => {
  const list = { hasMore: true, isTotalCut: false, total: 201 };

  test.each([
    ['more than are loaded', list, 200, null, true],
    ['the last page was full', { ...list, total: 200 }, 200, null, false],
    ['nothing follows', { ...list, hasMore: false }, 200, null, false],
    ['it was not counted to the end', { ...list, total: 200, isTotalCut: true }, 200, null, true],
    ['all rows of the batch are there, though some were counted twice', { ...list, total: 640 }, 600, 600, false],
    ['the batch has more', { ...list, total: 640 }, 400, 600, true],
  ] as const)('%s', (_, of, loaded, batchRows, expected) => {
    expect(hasUnloadedRows(of, loaded, batchRows)).toBe(expected);
  });
});

describe('groups', () => {
  test.each([
    [now - 59 * 60_000, 'Last hour'],
    [now - 61 * 60_000, 'Today'],
    [new Date(2025, 10, 20, 0, 0).getTime(), 'Today'],
    [new Date(2025, 10, 19, 23, 59).getTime(), 'Yesterday'],
    [new Date(2025, 10, 18, 12).getTime(), 'Last week'],
    [new Date(2025, 10, 13, 0, 0).getTime(), 'Last week'],
    [new Date(2025, 10, 12, 23).getTime(), 'November'],
    [new Date(2025, 2, 2).getTime(), 'March'],
    [new Date(2024, 2, 2).getTime(), 'March 2024'],
  ])('%i is in %s', (at, title) => {
    expect(bucketOf(at, now).title).toBe(title);
  });

  test('just after midnight the last hour reaches back over it', () => {
    const early = new Date(2025, 10, 20, 0, 10).getTime();
    expect(bucketOf(early - 20 * 60_000, early).title).toBe('Last hour');
    expect(bucketOf(early - 70 * 60_000, early).title).toBe('Yesterday');
  });

  test('every row is in exactly one group, newest group first, active ones on top', () => {
    const list = new JobList();
    const ages = [0.5 * hour, 0.7 * hour, 5 * hour, 26 * hour, 3 * day, 3.1 * day, 20 * day, 400 * day];
    list.addPage(ages.map((age) => jobOf(now - age)));
    list.addPage([jobOf(now - 30 * day, running)]);
    const sections = makeSections(list, now, false);
    expect(sections.map((section) => [section.title, section.count])).toEqual([
      ['Active', 1],
      ['Last hour', 2],
      ['Today', 1],
      ['Yesterday', 1],
      ['Last week', 2],
      ['October', 1],
      ['October 2024', 1],
    ]);
    const keys = sections.flatMap((section) => section.keys.slice(section.from, section.from + section.count));
    expect(keys).toEqual([...list.live(), ...list.rest()]);
    expect(sections.some((section) => section.isPartial)).toBe(false);
  });

  test('only the last group is partial while older pages are not loaded', () => {
    const list = new JobList();
    list.addPage([jobOf(now - 0.5 * hour), jobOf(now - 5 * hour)]);
    expect(makeSections(list, now, true).map((section) => section.isPartial)).toEqual([false, true]);
  });
});

describe('summaries', () => {
  test('a job that is over except for its stream is counted as such, and neither as running nor as finished', () => {
    const list = new JobList();
    list.addPage([
      jobOf(now - 41_000, running),
      jobOf(now - 252_000, {
        phase: 'active',
        pendingStream: { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 0, reason: '' },
      }),
    ]);
    const [active] = makeSections(list, now, false);
    expect(active === undefined ? '' : sectionSummary(active, list, null).text).toBe(
      '1 running, 1 with a stream to fetch',
    );
  });

  test('active: counts and the oldest wait', () => {
    const list = new JobList();
    list.addPage([jobOf(now - 41_000, running), jobOf(now - 252_000, queued), jobOf(now - 238_000, queued)]);
    const [active] = makeSections(list, now, false);
    expect(active).toBeDefined();
    if (active === undefined) return;
    const summary = sectionSummary(active, list, null);
    expect(summary.text).toBe('1 running, 2 queued');
    expect(summary.oldestQueued).toMatchObject({ createdAtMs: now - 252_000 });
    expect(summary.oldestQueued === null ? '' : oldestWait(summary.oldestQueued, now)).toBe('oldest wait 4:12');
  });

  test('active, in a batch that is only partly loaded: what the batch counts, as its strip', () => {
    const list = new JobList();
    list.setOldestFirst(true);
    list.addPage([jobOf(now - 41_000, running), jobOf(now - 40_000, { ...queued, phase: 'waiting' })]);
    const [active] = makeSections(list, now, true);
    const batch = { total: 600, counts: { ...noRows, completed: 50, waiting: 386, sending: 1, active: 163 } };
    const headOf = (shown: typeof batch) => (active === undefined ? null : sectionSummary(active, list, null, shown));
    expect(headOf(batch)).toMatchObject({ count: 550, text: '163 at the service, 387 to send' });
    // All of its rows are here, and are newer than its counts.
    expect(headOf({ ...batch, total: 2 })).toMatchObject({ count: 2, text: '1 running, 1 to send' });
  });

  test.each([
    [{ batchId: 'b1' }, 'b1'],
    [{}, null],
    [{ batchId: 'b1', text: 'fog' }, null],
    [{ batchId: 'b1', statuses: ['failed'] }, null],
    [{ batchId: 'b1', view: 'failed' as const }, null],
  ])('a list with the filter %j shows the whole of the batch %j', (filter, batchId) => {
    expect(wholeBatchOf({ ...emptyFilter, ...filter })).toBe(batchId);
  });

  test('active: the time of the last known state, so that an outdated head says as of when', () => {
    const list = new JobList();
    list.addPage([
      jobOf(now - 41_000, { ...running, statusReadAtMs: now - 9_000 }),
      jobOf(now - 252_000, { ...queued, statusReadAtMs: now - 12_000 }),
      jobOf(now - 20_000, { ...queued, phase: 'waiting' }),
    ]);
    const [active] = makeSections(list, now, false);
    expect(active === undefined ? null : sectionSummary(active, list, null).knownMs).toBe(now - 9_000);
  });

  test('ended: the execution limit counts as timed out in either form (ruling 14)', () => {
    const list = new JobList();
    list.addPage([
      jobOf(now - 1_000),
      jobOf(now - 2_000),
      jobOf(now - 3_000, { status: 'FAILED', reason: { kind: 'timed-out', limitMs: 600_000, said: null } }),
      jobOf(now - 4_000, { status: 'TIMED_OUT' }),
      jobOf(now - 5_000, { status: 'FAILED', reason: { kind: 'failed', said: 'CUDA out of memory' } }),
    ]);
    const [section] = makeSections(list, now, false);
    expect(section === undefined ? '' : sectionSummary(section, list, null).text).toBe('2 done, 1 failed, 2 timed out');
  });

  test('a partly loaded group shows nothing it does not know', () => {
    const list = new JobList();
    list.addPage([jobOf(now - 1_000)]);
    const [section] = makeSections(list, now, true);
    expect(section === undefined ? null : sectionSummary(section, list, null).text).toBe('');
  });
});

describe('while pages are added', () => {
  const page = (fromAge: number, toAge: number): Job[] =>
    Array.from({ length: toAge - fromAge }, (_, at) =>
      jobOf(now - (fromAge + at) * hour, { isSeen: (fromAge + at) % 5 !== 0 }),
    );

  test('unchanged groups stay the same objects, and any change of their rows creates new ones', () => {
    const list = new JobList();
    const make = createSectionMaker();
    list.addPage([jobOf(now - 0.5 * hour, running), ...page(1, 60)]);
    const before = make(list, now, true);
    list.addPage(page(60, 90));
    const after = make(list, now, true);
    expect(after.map((section, at) => section === before[at])).toEqual([true, true, true, true, false]);
    list.apply([{ ...jobOf(now - 2 * hour), isSeen: true }], emptyFilter, 0);
    expect(make(list, now, true).some((section) => after.includes(section))).toBe(false);
  });

  test('a page with rows between others creates new groups', () => {
    const list = new JobList();
    const make = createSectionMaker();
    list.addPage([jobOf(now - 26 * hour), jobOf(now - 30 * hour)]);
    const before = make(list, now, false);
    list.addPage([jobOf(now - 28 * hour)]);
    list.hide([jobOf(now - 30 * hour).key]);
    expect(make(list, now, false).some((section) => before.includes(section))).toBe(false);
  });

  test('the unseen count equals that of a full read, and only new rows are read', () => {
    const list = new JobList();
    const make = createSectionMaker();
    let reads = 0;
    const counting: JobListView = {
      ...list.view(),
      get: (key) => {
        reads += 1;
        return list.get(key);
      },
    };
    const readers = new Map<string, ReturnType<typeof createUnseenReader>>();
    const check = (): void => {
      for (const section of make(list, now, true)) {
        const reader = readers.get(section.id) ?? createUnseenReader();
        readers.set(section.id, reader);
        expect(reader(section, counting)).toEqual(createUnseenReader()(section, list));
      }
    };
    list.addPage(page(1, 200));
    check();
    expect(reads).toBe(199);
    reads = 0;
    list.addPage(page(200, 230));
    check();
    expect(reads).toBe(30);
    list.apply([jobOf(now - 5 * hour)], emptyFilter, 0);
    check();
    list.apply([jobOf(now - 1_000, { isSeen: false })], emptyFilter, 0);
    check();
    list.hide([jobOf(now - 10 * hour).key]);
    check();
  });
});
