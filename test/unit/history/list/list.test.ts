import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commit, markSeen, setStarred, setTags, readLiveJobs } from '../../../../src-main/history/jobs/jobs.ts';
import { judge } from '../../../../src-main/history/jobs/judgements.ts';
import { removeJob } from '../../../../src-main/history/jobs/remove.ts';
import { insertBatch } from '../../../../src-main/history/jobs/batches.ts';
import { JobCounter } from '../../../../src-main/history/jobs/counts.ts';
import { listJobs, listInputs } from '../../../../src-main/history/list/list.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { SearchIndexer } from '../../../../src-main/history/search/indexer.ts';
import { noBatchLimits } from '../../../../src-preload/batch.ts';
import { countsOf, emptyFilter, type JobFilter } from '../../../../src-preload/history.ts';
import { isLive, type Job } from '../../../../src-preload/job.ts';
import type { JudgementChange, Mark } from '../../../../src-preload/judgement.ts';
import { aJob } from '../../../kit/a-job.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

const today = 50_000;
const words = ['apple', 'birch', 'cedar', 'daisy'] as const;
const tags = ['eval', 'prod', 'ümlaut'] as const;

const state = fc.constantFrom<Pick<Job, 'phase' | 'status' | 'reason'>>(
  { phase: 'waiting', status: null, reason: null },
  { phase: 'submitting', status: null, reason: null },
  { phase: 'active', status: 'IN_QUEUE', reason: null },
  { phase: 'active', status: 'IN_PROGRESS', reason: null },
  { phase: 'active', status: 'RUNNING', reason: null },
  { phase: 'finished', status: 'COMPLETED', reason: null },
  { phase: 'finished', status: 'FAILED', reason: { kind: 'failed', said: 'boom' } },
  { phase: 'finished', status: 'FAILED', reason: { kind: 'timed-out', limitMs: 600_000, said: null } },
  { phase: 'finished', status: 'TIMED_OUT', reason: null },
  { phase: 'finished', status: 'CANCELLED', reason: null },
  { phase: 'gone', status: 'IN_PROGRESS', reason: null },
  { phase: 'refused', status: null, reason: null },
  { phase: 'outcome-unknown', status: null, reason: null },
);
const aTagSet = fc.subarray<string>([...tags]);
const judged = fc.record(
  { mark: fc.constantFrom<Mark>(1, 4, 5), label: fc.constantFrom('Sharp', 'blurry') },
  { requiredKeys: [] },
);
const arbitraryJob = fc
  .record({
    key: fc.integer({ min: 0, max: 60 }).map((number) => `k${String(number).padStart(4, '0')}`),
    connectionId: fc.constantFrom('c1', 'c2'),
    endpointId: fc.constantFrom('e1', 'e2'),
    title: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((list) => list.join(' ')),
    tags: aTagSet,
    createdAtMs: fc.integer({ min: 0, max: 100_000 }),
    finishedSeenAtMs: fc.option(fc.integer({ min: 0, max: 100_000 })),
    isStarred: fc.boolean(),
    isSeen: fc.boolean(),
    judged,
    batchId: fc.option(fc.constantFrom('b1', 'b2')),
    state,
  })
  .map(({ state, judged, ...rest }): Job => aJob({ ...rest, ...state, ...judged, jobId: `zz${rest.key}` }));

type Change =
  | { kind: 'state'; at: number; to: Pick<Job, 'phase' | 'status' | 'reason'> }
  | { kind: 'star'; at: number; to: boolean }
  | { kind: 'seen'; at: number }
  | { kind: 'delete'; at: number }
  | { kind: 'judge'; at: number; to: JudgementChange }
  | { kind: 'finish'; at: number; to: number | null }
  | { kind: 'tags'; at: number; to: string[] };
const change = fc.oneof(
  fc.record({ kind: fc.constant('state' as const), at: fc.nat(), to: state }),
  fc.record({ kind: fc.constant('star' as const), at: fc.nat(), to: fc.boolean() }),
  fc.record({ kind: fc.constant('seen' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant('judge' as const),
    at: fc.nat(),
    to: fc.record(
      { mark: fc.constantFrom<Mark | null>(null, 1, 4), label: fc.constantFrom(null, '', 'sharp', 'blurry') },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    kind: fc.constant('finish' as const),
    at: fc.nat(),
    to: fc.constantFrom(null, today - 1, today, today + 1),
  }),
  fc.record({ kind: fc.constant('tags' as const), at: fc.nat(), to: aTagSet }),
);

/** The other fields are tried in filters.test.ts. */
const filter: fc.Arbitrary<JobFilter> = fc
  .record({
    view: fc.constantFrom<JobFilter['view']>('all', 'active', 'finished-today', 'failed', 'starred'),
    connectionId: fc.option(fc.constantFrom('c1', 'c2')),
    endpointId: fc.option(fc.constantFrom('e1', 'e2')),
    statuses: fc.oneof(
      fc.constant<string[]>([]),
      fc.subarray<string>([
        'in_queue',
        'completed',
        'failed',
        'timed_out',
        'cancelled',
        'gone',
        'waiting',
        'refused',
        'outcome_unknown',
        'running',
      ]),
    ),
    tags: fc.oneof(fc.constant<string[]>([]), fc.subarray<string>([...tags], { maxLength: 2 })),
    notTags: fc.oneof(fc.constant<string[]>([]), fc.subarray<string>([...tags], { maxLength: 2 })),
    marks: fc.oneof(fc.constant<JobFilter['marks']>([]), fc.subarray<JobFilter['marks'][number]>([0, 1, 4, 5])),
    labels: fc.oneof(fc.constant<string[]>([]), fc.subarray<string>(['SHARP', 'blurry', 'other'])),
    sinceMs: fc.option(fc.integer({ min: 0, max: 100_000 })),
    batchId: fc.option(fc.constantFrom('b1', 'b2')),
    text: fc.oneof(
      fc.constant(''),
      fc.constantFrom('apple', 'BIRCH ', 'app', 'cedar apple', '"daisy cedar"', 'nothing', '('),
    ),
  })
  .map((asked) => ({ ...emptyFilter, ...asked }));

/** What the list should show, in the plainest words. */
function expected(jobs: readonly Job[], asked: JobFilter): string[] {
  return jobs
    .filter(
      (job) =>
        inView(job, asked.view) &&
        (asked.connectionId === null || job.connectionId === asked.connectionId) &&
        (asked.endpointId === null || job.endpointId === asked.endpointId) &&
        (asked.statuses.length === 0 || asked.statuses.includes(wordOf(job))) &&
        asked.tags.every((tag) => job.tags.includes(tag)) &&
        !asked.notTags.some((tag) => job.tags.includes(tag)) &&
        (asked.marks.length === 0 || asked.marks.includes(job.mark ?? 0)) &&
        (asked.labels.length === 0 || asked.labels.some((label) => label.toLowerCase() === job.label?.toLowerCase())) &&
        (asked.sinceMs === null || job.createdAtMs >= asked.sinceMs) &&
        (asked.batchId === null || job.batchId === asked.batchId) &&
        hasText(job, asked.text),
    )
    .map((job) => job.key)
    .sort()
    .reverse();
}

function wordOf(job: Job): string {
  if (job.phase === 'waiting' || job.phase === 'submitting') return 'waiting';
  if (job.phase === 'gone' || job.phase === 'refused') return job.phase;
  if (job.phase === 'outcome-unknown') return 'outcome_unknown';
  return job.reason?.kind === 'timed-out' ? 'timed_out' : (job.status ?? '').toLowerCase();
}

function inView(job: Job, view: JobFilter['view']): boolean {
  if (view === 'active') return isLive(job);
  if (view === 'finished-today') return job.phase === 'finished' && (job.finishedSeenAtMs ?? -1) >= today;
  if (view === 'failed') return ['failed', 'timed_out', 'refused'].includes(wordOf(job));
  return view === 'all' || job.isStarred;
}

function hasText(job: Job, text: string): boolean {
  const has = (word: string): boolean => job.title.split(' ').includes(word);
  switch (text) {
    case '':
    case '(':
      return true;
    case 'apple':
    case 'app':
      return has('apple');
    case 'BIRCH ':
      return has('birch');
    case 'cedar apple':
      return has('cedar') && has('apple');
    case '"daisy cedar"':
      return job.title.includes('daisy cedar');
    default:
      return false;
  }
}

function applied(db: DatabaseSync, kept: Map<string, Job>, wanted: Change): void {
  const key = [...kept.keys()][wanted.at % kept.size] ?? '';
  const job = kept.get(key);
  if (job === undefined) return;
  const after = ((): Job | null | undefined => {
    switch (wanted.kind) {
      case 'state':
        return commit(db, [
          { job: { ...job, ...wanted.to, isStarred: !job.isStarred, tags: [], mark: 2, label: 'not said' } },
        ])[0];
      case 'star':
        return setStarred(db, key, wanted.to);
      case 'tags':
        return setTags(db, key, wanted.to);
      case 'seen':
        return markSeen(db, [key])[0] ?? job;
      case 'finish':
        return commit(db, [{ job: { ...job, finishedSeenAtMs: wanted.to } }])[0];
      case 'judge':
        return judge(db, key, wanted.to);
      case 'delete':
        if (kept.size > 1 && removeJob(db, key)) kept.delete(key);
        return null;
    }
  })();
  if (after !== null && after !== undefined) kept.set(key, after);
}

function allPages(db: DatabaseSync, asked: JobFilter, limit: number): { keys: string[]; totals: Set<number> } {
  const keys: string[] = [];
  const totals = new Set<number>();
  let before: string | null = null;
  do {
    const page = listJobs(db, asked, { beforeKey: before, limit, startOfTodayMs: today });
    keys.push(...page.jobs.map((job) => job.key));
    totals.add(page.total);
    before = page.nextBeforeKey;
  } while (before !== null);
  return { keys, totals };
}

describe('the list', () => {
  it('shows the result of a naive filter, in pages of any size, whatever happened to the jobs before', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(arbitraryJob, { selector: (job) => job.key, minLength: 1, maxLength: 25 }),
        fc.array(change, { maxLength: 15 }),
        fc.array(filter, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 7 }),
        (jobs, changes, filters, limit) => {
          const { db } = openDatabase(':memory:', 0);
          const counter = new JobCounter(db, 0);
          counter.read(today);
          for (const id of ['b1', 'b2'])
            insertBatch(
              db,
              {
                id,
                name: id,
                connectionId: 'c1',
                endpointId: 'e1',
                operation: 'run',
                createdAtMs: 0,
                limits: noBatchLimits,
              },
              [],
            );
          const kept = new Map<string, Job>();
          for (const job of jobs) for (const stored of commit(db, [{ job }])) kept.set(stored.key, stored);
          const indexer = new SearchIndexer(db);
          indexer.beforeSearch(0);
          for (const wanted of changes) applied(db, kept, wanted);
          indexer.beforeSearch(0);
          for (const asked of filters) {
            const { keys, totals } = allPages(db, asked, limit);
            const wanted = expected([...kept.values()], asked);
            expect(keys).toEqual(wanted);
            expect([...totals]).toEqual([wanted.length]);
          }
          const all = [...kept.values()];
          const counts = counter.read(today).all;
          // Updated by every write, it equals a new count.
          counter.read(0);
          expect(counter.read(today).all).toEqual(counts);
          expect(counts).toMatchObject({
            all: all.length,
            active: all.filter(isLive).length,
            toSend: all.filter((job) => job.phase === 'waiting').length,
            sending: all.filter((job) => job.phase === 'submitting').length,
            queued: all.filter((job) => job.phase === 'active' && job.status === 'IN_QUEUE').length,
            running: all.filter((job) => job.phase === 'active' && job.status === 'IN_PROGRESS').length,
            unknown: all.filter((job) => job.phase === 'active' && job.status === 'RUNNING').length,
            starred: all.filter((job) => job.isStarred).length,
            failed: all.filter((job) => inView(job, 'failed')).length,
            failedUnseen: all.filter((job) => inView(job, 'failed') && !job.isSeen).length,
            finishedToday: all.filter((job) => inView(job, 'finished-today')).length,
          });
          expect(readLiveJobs(db).map((job) => job.key)).toEqual(
            all
              .filter(isLive)
              .map((job) => job.key)
              .sort(),
          );
          db.close();
        },
      ),
      { numRuns: 150 },
    );
  });

  it('neither repeats nor skips a job when others arrive between two pages', () => {
    const db = aDatabase();
    commit(
      db,
      ['k10', 'k20', 'k30', 'k40'].map((key) => aNewJob({ key })),
    );
    const first = listJobs(db, emptyFilter, { limit: 2, startOfTodayMs: 0 });
    commit(
      db,
      ['k50', 'k25', 'k05'].map((key) => aNewJob({ key })),
    );
    const rest = listJobs(db, emptyFilter, { beforeKey: first.nextBeforeKey, limit: 10, startOfTodayMs: 0 });
    expect(first.jobs.map((job) => job.key)).toEqual(['k40', 'k30']);
    expect(rest.jobs.map((job) => job.key)).toEqual(['k25', 'k20', 'k10', 'k05']);
    expect([first.total, rest.total, rest.allTotal]).toEqual([4, 7, 7]);
  });

  it('of a batch in the order of its rows is empty if no job of the view can have the status', () => {
    const db = aDatabase();
    commit(db, [aNewJob({ key: 'k10', batchId: null })]);
    const asked: JobFilter = { ...emptyFilter, view: 'active', batchId: 'b1', statuses: ['failed', 'timed_out'] };
    const page = listJobs(db, asked, {
      limit: 10,
      startOfTodayMs: 0,
      sort: { column: 'created', isDescending: false },
    });
    expect([page.jobs, page.total]).toEqual([[], 0]);
  });

  it('continues from a key that belongs to no job', () => {
    const db = aDatabase();
    commit(
      db,
      ['k10', 'k20', 'k30'].map((key) => aNewJob({ key })),
    );
    expect(
      listJobs(db, emptyFilter, { beforeKey: 'k25', limit: 10, startOfTodayMs: 0 }).jobs.map((job) => job.key),
    ).toEqual(['k20', 'k10']);
    expect(listJobs(db, emptyFilter, { beforeKey: 'a', limit: 10, startOfTodayMs: 0 }).jobs).toEqual([]);
  });

  it('loses none if a thousand keys come between the same two', () => {
    const db = aDatabase();
    commit(db, [aNewJob({ key: 'a' }), aNewJob({ key: 'z' })]);
    const between = Array.from({ length: 1_000 }, (_, at) => `m${String(at).padStart(4, '0')}`);
    commit(
      db,
      between.toReversed().map((key) => aNewJob({ key })),
    );
    const keys = listJobs(db, emptyFilter, { limit: 2_000, startOfTodayMs: 0 }).jobs.map((job) => job.key);
    expect(new Set(keys).size).toBe(1_002);
    expect(keys[0]).toBe('z');
  });

  it('counts unseen failures by endpoint and by connection', () => {
    const db = aDatabase();
    const failed = { phase: 'finished', status: 'FAILED', reason: { kind: 'failed', said: 'boom' } } as const;
    commit(db, [
      aNewJob({ key: 'k1', endpointId: 'e1', ...failed }),
      aNewJob({ key: 'k2', endpointId: 'e1', ...failed }),
      aNewJob({ key: 'k3', endpointId: 'e2', ...failed, isSeen: true }),
      aNewJob({ key: 'k4', endpointId: 'e2', connectionId: 'other', ...failed }),
    ]);
    const counts = new JobCounter(db, 0).read(0);
    expect(countsOf(counts, 'connection-1').byEndpoint).toMatchObject({ e1: { failedUnseen: 2 } });
    expect(counts.all.byEndpoint).toMatchObject({ e1: { failedUnseen: 2 }, e2: { failedUnseen: 1 } });
    expect(countsOf(counts, 'other')).toMatchObject({ all: 1, failed: 1 });
    expect(countsOf(counts, 'nobody')).toMatchObject({ all: 0, failed: 0 });
  });
});

it('the inputs of an endpoint are listed once each, by their newest run and with the count of their runs', () => {
  const db = aDatabase();
  const job = (at: number, n: number, endpointId = 'echo') =>
    aNewJob({ key: `k${String(at).padStart(4, '0')}`, endpointId, inputBytes: 7 }, `{"n":${n}}`);
  const of = (limit: number) =>
    listInputs(db, { ...emptyFilter, connectionId: 'connection-1', endpointId: 'echo' }, limit, 0).map((each) => [
      each.job.key,
      each.runs,
    ]);
  commit(db, [job(0, 0), job(1, 1, 'another'), job(2, 1), aNewJob({ key: 'k0003', inputBytes: 0 }, '')]);
  expect(of(10)).toEqual([
    ['k0002', 1],
    ['k0000', 1],
  ]);
  // Many runs of one input do not hide the others.
  commit(
    db,
    Array.from({ length: 250 }, (_, at) => job(10 + at, 2)),
  );
  expect(of(10)).toEqual([
    ['k0259', 250],
    ['k0002', 1],
    ['k0000', 1],
  ]);
  expect(of(1)).toEqual([['k0259', 250]]);
});
