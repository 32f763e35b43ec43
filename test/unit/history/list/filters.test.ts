import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeDocument } from '../../../../src-main/history/file/documents.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { commit, findJobsByServiceId, isJobIdKnown, requireJob } from '../../../../src-main/history/jobs/jobs.ts';
import { readLineage } from '../../../../src-main/history/jobs/lineage.ts';
import { countJobs, keysOfFilter, listJobs } from '../../../../src-main/history/list/list.ts';
import { emptyFilter, isWithin, statusWordOf } from '../../../../src-preload/history.ts';
import type { JobFilter, JobSort } from '../../../../src-preload/history.ts';
import type { Attempt, Job } from '../../../../src-preload/job.ts';
import { matchesFilter } from '../../../../src-renderer/data/job-matches-filter.ts';
import { aJob } from '../../../kit/a-job.ts';
import { noteLineOf } from '../../../../src-preload/judgement.ts';
import { writeNote } from '../../../../src-main/history/jobs/judgements.ts';
import { plansOf } from '../../../kit/query-plans.ts';
import { aNewJob, aDatabase, spreadIds } from '../a-database.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const hourMs = 3_600_000;
const today = 3 * hourMs;

/** A job with what a filter asks of it beside its fields. */
interface Kept {
  job: Job;
  output: string | null;
  input: string;
  note: string;
  /** Run times of the attempts before. */
  formerMs: number[];
}

const state = fc.constantFrom<Pick<Job, 'phase' | 'status' | 'reason'>>(
  { phase: 'active', status: 'IN_QUEUE', reason: null },
  { phase: 'active', status: 'IN_PROGRESS', reason: null },
  { phase: 'finished', status: 'COMPLETED', reason: null },
  { phase: 'finished', status: 'FAILED', reason: { kind: 'failed', said: 'boom' } },
  { phase: 'finished', status: 'TIMED_OUT', reason: null },
  { phase: 'gone', status: 'IN_PROGRESS', reason: null },
);
const figure = fc.option(fc.constantFrom(0, 900, 1_000, 1_001, 30_000, 60_000));
/** At times the very moment that a filter names. */
const timeMs = fc.oneof(fc.integer({ min: 0, max: 6 * hourMs }), fc.constantFrom(hourMs, today, 5 * hourMs));

const kept: fc.Arbitrary<Kept> = fc
  .record({
    key: fc.integer({ min: 0, max: 99 }).map((number) => `k${String(number).padStart(3, '0')}`),
    jobId: fc.option(fc.constantFrom('aa-1', 'aa-2', 'ab-1', 'b')),
    connectionId: fc.constantFrom('c1', 'c2'),
    endpointId: fc.constantFrom('e1', 'e2'),
    title: fc.constantFrom('Apple', 'apple', 'birch', 'Über', ''),
    tags: fc.subarray(['eval', 'prod']),
    createdAtMs: timeMs,
    finishedSeenAtMs: fc.option(timeMs),
    executionTimeMs: figure,
    delayTimeMs: figure,
    ttlEndsAtMs: figure,
    own: fc.constantFrom<Pick<Job, 'mark' | 'label'>>({}, {}, { mark: 4 }, { mark: 1, label: 'sharp' }),
    isStarred: fc.boolean(),
    state,
    formerMs: fc.array(fc.constantFrom(1_000, 60_000), { maxLength: 1 }),
    input: fc.constantFrom('{"a":1,"b":2}', '{ "b": 2, "a": 1.0 }', '{}'),
    note: fc.constantFrom('', '', '# Bright\nmore', 'dark'),
    output: fc.constantFrom(null, '{"text":"no picture"}', `{"image":"${png}"}`),
  })
  .map(({ state: of, own, formerMs, output, input, note, ...rest }) => ({
    job: aJob({
      ...rest,
      ...of,
      ...own,
      attempt: formerMs.length + 1,
      finishedSeenAtMs: of.phase === 'active' ? rest.finishedSeenAtMs : (rest.finishedSeenAtMs ?? 1),
    }),
    output,
    input,
    note,
    formerMs,
  }));

const range = fc.option(
  fc.record({
    over: fc.option(fc.constantFrom(0, 900, 1_000, 30_000)),
    under: fc.option(fc.constantFrom(1_000, 1_001, 60_000)),
  }),
);
/** In credits; the endpoints cost one a second, and two later. */
const costRange = fc.option(
  fc.record({ over: fc.option(fc.constantFrom(0.5, 1, 30)), under: fc.option(fc.constantFrom(2, 61)) }),
);
const moment = fc.option(timeMs);

/** Every field of a filter: a new one has to be tried here. */
const fields: { readonly [F in keyof JobFilter]: fc.Arbitrary<JobFilter[F]> } = {
  view: fc.constantFrom<JobFilter['view']>('all', 'active', 'finished-today', 'failed', 'starred'),
  connectionId: fc.option(fc.constantFrom('c1', 'c2')),
  endpointId: fc.option(fc.constantFrom('e1', 'e2')),
  tags: fc.subarray(['eval', 'prod']),
  notTags: fc.subarray(['eval', 'prod']),
  marks: fc.subarray<JobFilter['marks'][number]>([0, 1, 4]),
  labels: fc.subarray(['SHARP', 'other']),
  sinceMs: moment,
  beforeMs: moment,
  took: range,
  waited: range,
  cost: costRange,
  idStart: fc.option(fc.constantFrom('a', 'aa-', 'ab-1', 'c')),
  has: fc.subarray(['images', 'error', 'stream'] as const),
  sameInput: fc.option(fc.integer({ min: 0, max: 30 }).map(String)),
  // Tried in list.test.ts.
  statuses: fc.constant([]),
  batchId: fc.constant(null),
  text: fc.constant(''),
  // Tried in failures.test.ts.
  cause: fc.constant(null),
};
const filter: fc.Arbitrary<JobFilter> = fc
  .record(fields)
  // Most ask for one or two things, as people do; all at once leave nothing.
  .chain((all) =>
    fc.subarray(Object.keys(all)).map((names) => ({
      ...emptyFilter,
      ...Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))),
    })),
  );

const rates = [
  { creditsPerHour: 3_600, sinceMs: 0 },
  { creditsPerHour: null, sinceMs: 4 * hourMs },
  { creditsPerHour: 7_200, sinceMs: 5 * hourMs },
];

/** What a job cost, reckoned by hand; null where nothing is known. */
function costOf({ job, formerMs }: Kept): number | null {
  if (job.phase !== 'finished' && job.phase !== 'gone') return null;
  if (job.endpointId !== 'e1') return null;
  const ofAttempt = (ms: number | null, endedAtMs: number | null): number | null => {
    const rate = rates.findLast(({ sinceMs }) => sinceMs <= (endedAtMs ?? 0))?.creditsPerHour ?? null;
    return ms === null || rate === null || endedAtMs === null ? null : (ms / hourMs) * rate;
  };
  const costs = [...formerMs.map((ms) => ofAttempt(ms, 0)), ofAttempt(job.executionTimeMs, job.finishedSeenAtMs)];
  const known = costs.filter((cost) => cost !== null);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}

/** The filter that is meant: one about an input names one of the jobs there are. */
function meant(asked: JobFilter, all: readonly Kept[]): JobFilter {
  const like = asked.sameInput === null ? undefined : all[Number(asked.sameInput) % all.length];
  return { ...asked, sameInput: like?.job.key ?? null };
}

/** Whether two inputs are the same but for how they are written. */
function isSameInput(one: Kept, other: Kept | undefined): boolean {
  return one.job.endpointId === other?.job.endpointId && (one.input === '{}') === (other.input === '{}');
}

/** By the window's own judgement, and what only the engine can judge by hand. */
function passes(one: Kept, asked: JobFilter, all: readonly Kept[]): boolean {
  if (
    asked.sameInput !== null &&
    !isSameInput(
      one,
      all.find(({ job }) => job.key === asked.sameInput),
    )
  )
    return false;
  if (
    matchesFilter(
      one.job,
      { ...asked, cost: null, sameInput: null, has: asked.has.filter((part) => part !== 'images') },
      today,
    ) !== true
  )
    return false;
  if (asked.cost !== null && !isWithin(costOf(one), asked.cost)) return false;
  return !asked.has.includes('images') || one.output?.includes('iVBOR') === true;
}

function attemptOf(number: number, executionTimeMs: number | null): Attempt {
  return {
    number,
    startedAtMs: 0,
    status: 'FAILED',
    delayTimeMs: null,
    executionTimeMs,
    workerId: null,
    errorText: null,
    hasOutput: false,
    outputBytes: 0,
    chunkCount: 0,
    finishedSeenAtMs: 0,
  };
}

/** `isSpread`: its jobs are in many blocks of ids, as a hundred thousand jobs are. */
function aHistory(jobs: readonly Kept[], isSpread: boolean): DatabaseSync {
  const { db } = openDatabase(':memory:', 0);
  writeDocument(db, 'cost', 'c1', JSON.stringify({ connectionId: 'c1', endpointId: 'e1', rates }));
  writeDocument(db, 'cost', 'c2', JSON.stringify({ connectionId: 'c2', endpointId: 'e1', rates }));
  for (const { job, output, input, note, formerMs } of jobs) {
    const bodies = output === null ? [] : [{ part: 'output' as const, attempt: job.attempt, text: output }];
    commit(db, [{ ...aNewJob({}, input), job, bodies }]);
    if (note !== '') writeNote(db, job.key, note);
    for (const [at, ms] of formerMs.entries()) commit(db, [{ job, attempt: attemptOf(at + 1, ms) }]);
  }
  if (isSpread) spreadIds(db);
  return db;
}

/** All pages of a list; the set of its totals. */
function pagesOf(db: DatabaseSync, asked: JobFilter, sort: JobSort | null, limit: number) {
  const jobs: Job[] = [];
  const totals = new Set<number>();
  let before: string | null = null;
  do {
    const page: ReturnType<typeof listJobs> = listJobs(db, asked, {
      beforeKey: before,
      limit,
      startOfTodayMs: today,
      sort,
    });
    jobs.push(...page.jobs);
    totals.add(page.total);
    before = page.nextBeforeKey;
  } while (before !== null);
  return { jobs, totals };
}

const column = fc.constantFrom<JobSort['column']>(
  'status',
  'id',
  'endpoint',
  'title',
  'wait',
  'execution',
  'created',
  'ttl',
  'mark',
  'label',
  'note',
  'tags',
  'cost',
);

/** What a column shows of a job, folded as the database compares it. */
function valueOf(one: Kept, of: JobSort['column']): string | number | null {
  const { job, note } = one;
  switch (of) {
    case 'status':
      return statusWordOf(job);
    case 'id':
      return job.jobId;
    case 'endpoint':
      return job.endpointId;
    case 'title':
      return job.title.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
    case 'wait':
      return job.delayTimeMs;
    case 'execution':
      return job.executionTimeMs;
    case 'ttl':
      return job.ttlEndsAtMs;
    case 'mark':
      return job.mark ?? null;
    case 'label':
      return job.label ?? null;
    case 'note':
      return noteLineOf(note)?.toLowerCase() ?? null;
    case 'tags':
      return job.tags[0]?.toLowerCase() ?? null;
    case 'cost':
      return costOf(one);
    case 'created':
      return job.key;
  }
}

const jobs = fc.uniqueArray(kept, { selector: ({ job }) => job.key, minLength: 1, maxLength: 25 });

/** Questions about the same jobs: to save these takes longer than to answer one. */
const manyOf = <T>(question: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(question, { minLength: 5, maxLength: 30, size: 'max' });

describe('filters', () => {
  it('find what the window itself finds among the same jobs', () => {
    fc.assert(
      fc.property(jobs, manyOf(filter), fc.integer({ min: 1, max: 7 }), fc.boolean(), (all, of, limit, isSpread) => {
        const db = aHistory(all, isSpread);
        for (const any of of) {
          const asked = meant(any, all);
          const wanted = all.filter((one) => passes(one, asked, all)).map(({ job }) => job.key);
          const found = pagesOf(db, asked, null, limit);
          expect(found.jobs.map(({ key }) => key)).toEqual(wanted.sort().reverse());
          expect([...found.totals]).toEqual([wanted.length]);
          expect(countJobs(db, asked, today)).toEqual({ total: wanted.length, isTotalCut: false });
          expect(keysOfFilter(db, asked, limit, today)).toEqual({
            keys: wanted.slice(0, limit),
            isCut: wanted.length > limit,
          });
        }
        db.close();
      }),
      { numRuns: 60 },
    );
  });

  it('work in any order, with jobs without a value last', () => {
    fc.assert(
      fc.property(
        jobs,
        manyOf(fc.record({ any: filter, of: column, isDescending: fc.boolean() })),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        (all, orders, limit, isSpread) => {
          const db = aHistory(all, isSpread);
          for (const { any, of, isDescending } of orders) {
            const asked = meant(any, all);
            const found = pagesOf(db, asked, { column: of, isDescending }, limit).jobs;
            const wanted = all.filter((one) => passes(one, asked, all)).map(({ job }) => job);
            expect(found.map(({ key }) => key).sort()).toEqual(wanted.map(({ key }) => key).sort());
            const values = found
              .flatMap(({ key }) => all.filter(({ job }) => job.key === key))
              .map((one) => valueOf(one, of));
            const known = values.filter((value) => value !== null);
            const sorted = [...known].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0) * (isDescending ? -1 : 1));
            expect(values).toEqual([...sorted, ...values.slice(known.length).map(() => null)]);
          }
          db.close();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('work in the order of costs, where most jobs lack the value', () => {
    const db = aHistory(
      [1_000, 3_000, 2_000].map((executionTimeMs, at) => ({
        job: aJob({
          key: `k${at}`,
          connectionId: 'c1',
          endpointId: 'e1',
          phase: 'finished',
          status: 'COMPLETED',
          executionTimeMs,
          finishedSeenAtMs: 1,
          ...(at === 0 ? {} : { label: 'sharp' }),
        }),
        output: null,
        input: '{}',
        note: '',
        formerMs: [],
      })),
      false,
    );
    const asked = { ...emptyFilter, labels: ['sharp'] };
    const keys = (isDescending: boolean) =>
      listJobs(db, asked, { limit: 10, startOfTodayMs: today, sort: { column: 'cost', isDescending } }).jobs.map(
        ({ key }) => key,
      );
    expect([keys(true), keys(false)]).toEqual([
      ['k1', 'k2'],
      ['k2', 'k1'],
    ]);
    db.close();
  });

  it('by cost use indexes alone: no job is read for it', () => {
    const db = aDatabase();
    writeDocument(db, 'cost', 'c1', JSON.stringify({ connectionId: 'connection-1', endpointId: 'echo', rates }));
    const ran = { phase: 'finished', status: 'COMPLETED', finishedSeenAtMs: 5, executionTimeMs: 2_000 } as const;
    commit(db, [aNewJob({ key: 'k1', ...ran }), aNewJob({ key: 'k2', ...ran, executionTimeMs: 10 })]);
    const plans = plansOf(db, () => {
      for (const cost of [
        { over: 1, under: null },
        { over: 1, under: 9 },
        { over: null, under: 9 },
      ])
        expect(countJobs(db, { ...emptyFilter, cost }, 0).total).toBe(cost.over === null ? 2 : 1);
    });
    const ofJobs = plans.filter(({ sql }) => sql.includes('jobs AS j') && !sql.includes('jobs_retried'));
    expect(ofJobs.length).toBeGreaterThan(2);
    for (const { steps } of ofJobs)
      expect(steps.filter((step) => /^S\w+ j /.test(step))).toEqual([expect.stringContaining('COVERING INDEX')]);
  });

  it('say that there are more than they counted', () => {
    const db = aDatabase();
    commit(
      db,
      Array.from({ length: 2_050 }, (_, at) => aNewJob({ key: `k${String(at).padStart(6, '0')}`, executionTimeMs: 5 })),
    );
    const asked = { ...emptyFilter, took: { over: 1, under: null } };
    expect(listJobs(db, asked, { limit: 10, startOfTodayMs: 0 })).toMatchObject({
      total: 2_000,
      isTotalCut: true,
      allTotal: 2_050,
    });
    expect(listJobs(db, emptyFilter, { limit: 10, startOfTodayMs: 0 })).toMatchObject({
      total: 2_050,
      isTotalCut: false,
    });
    expect(countJobs(db, asked, 0)).toEqual({ total: 2_000, isTotalCut: true });
    expect(countJobs(db, emptyFilter, 0)).toEqual({ total: 2_050, isTotalCut: false });
  });

  it('work in an order with more matches than are sorted at once', () => {
    const db = aDatabase();
    commit(
      db,
      Array.from({ length: 5_600 }, (_, at) =>
        aNewJob({
          key: `k${String(at).padStart(6, '0')}`,
          executionTimeMs: at,
          ...(at % 100 === 0 && { mark: 5 as const, label: at % 200 === 0 ? 'wide' : 'Sharp', noteLine: `n ${at}` }),
          ...(at % 50 === 0 && { tags: [at % 100 === 0 ? 'night' : 'Eval', 'all'] }),
        }),
      ),
    );
    const asked = { ...emptyFilter, marks: [0 as const] };
    const found = pagesOf(db, asked, { column: 'execution', isDescending: true }, 3_000).jobs;
    expect(found.length).toBe(5_544);
    expect(found.some(({ mark }) => mark !== undefined)).toBe(false);
    const by = (column: JobSort['column'], isDescending: boolean): Job[] =>
      listJobs(db, emptyFilter, { limit: 57, startOfTodayMs: 0, sort: { column, isDescending } }).jobs;
    expect(by('mark', true).filter(({ mark }) => mark === 5)).toHaveLength(56);
    const labels = Array.from({ length: 56 }, (_, at) => (at < 28 ? 'Sharp' : 'wide'));
    expect(by('label', false).map(({ label }) => label)).toEqual([...labels, undefined]);
    expect(by('note', true).filter(({ noteLine }) => noteLine !== undefined)).toHaveLength(56);
    expect(by('tags', false).map(({ tags: [first] }) => first)).toEqual(
      Array.from({ length: 57 }, () => 'Eval').with(56, 'night'),
    );
  });

  it('keep their order through more jobs than are sorted at once', () => {
    const db = aDatabase();
    const figures = Array.from({ length: 5_500 }, (_, at) => (at * 7_919) % 1_000);
    commit(
      db,
      figures.map((executionTimeMs, at) =>
        aNewJob({
          key: `k${String(at).padStart(6, '0')}`,
          executionTimeMs: executionTimeMs === 0 ? null : executionTimeMs,
        }),
      ),
    );
    spreadIds(db);
    for (const isDescending of [true, false]) {
      const found = pagesOf(db, emptyFilter, { column: 'execution', isDescending }, 3_000).jobs;
      const sorted = figures.filter((ms) => ms > 0).sort((a, b) => (isDescending ? b - a : a - b));
      expect(found.map((job) => job.executionTimeMs).filter((ms) => ms !== null)).toEqual(sorted);
      expect(new Set(found.map(({ key }) => key)).size).toBe(5_500);
    }
  });

  it('keep the order of costs through an endpoint with many jobs and two rates', () => {
    const db = aDatabase();
    const changedAtMs = 4_000;
    const twice = [
      { creditsPerHour: 3_600_000, sinceMs: 0 },
      { creditsPerHour: 7_200_000, sinceMs: changedAtMs },
    ];
    writeDocument(db, 'cost', 'c1', JSON.stringify({ connectionId: 'connection-1', endpointId: 'echo', rates: twice }));
    const all = Array.from({ length: 6_500 }, (_, at) => ({ ms: (at * 7_919) % 1_000, endedAtMs: at }));
    commit(
      db,
      all.map(({ ms, endedAtMs }) =>
        aNewJob({
          key: `k${String(endedAtMs).padStart(6, '0')}`,
          phase: 'finished',
          status: 'COMPLETED',
          executionTimeMs: ms,
          finishedSeenAtMs: endedAtMs,
        }),
      ),
    );
    spreadIds(db);
    const costs = all.map(({ ms, endedAtMs }) => ms * (endedAtMs < changedAtMs ? 1 : 2)).sort((a, b) => a - b);
    for (const isDescending of [true, false]) {
      const found = pagesOf(db, emptyFilter, { column: 'cost', isDescending }, 1_500).jobs;
      expect(
        found.map(
          ({ executionTimeMs, finishedSeenAtMs }) =>
            (executionTimeMs ?? 0) * ((finishedSeenAtMs ?? 0) < changedAtMs ? 1 : 2),
        ),
      ).toEqual(isDescending ? costs.toReversed() : costs);
      expect(new Set(found.map(({ key }) => key)).size).toBe(all.length);
    }
  });

  it('by cost work with more changes of prices than SQLite accepts conditions in a row', () => {
    const db = aDatabase();
    for (let endpoint = 0; endpoint < 120; endpoint += 1) {
      const rates = Array.from({ length: 10 }, (_, change) => ({ creditsPerHour: 3_600, sinceMs: change * 100 }));
      const kept = { connectionId: 'connection-1', endpointId: `e${endpoint}`, rates };
      writeDocument(db, 'cost', `c${endpoint}`, JSON.stringify(kept));
    }
    commit(
      db,
      Array.from({ length: 120 }, (_, at) =>
        aNewJob({
          key: `k${String(at).padStart(3, '0')}`,
          endpointId: `e${at}`,
          phase: 'finished',
          status: 'COMPLETED',
          executionTimeMs: at * 1_000,
          finishedSeenAtMs: at,
        }),
      ),
    );
    expect(countJobs(db, { ...emptyFilter, cost: { over: 99.5, under: null } }, today)).toMatchObject({ total: 20 });
    const sort = { column: 'cost', isDescending: true } as const;
    expect(listJobs(db, emptyFilter, { limit: 2, startOfTodayMs: today, sort }).jobs.map(({ key }) => key)).toEqual([
      'k119',
      'k118',
    ]);
  });

  it('and orders are read from indexes: no query reads all jobs', () => {
    const db = aDatabase();
    writeDocument(db, 'cost', 'c1', JSON.stringify({ connectionId: 'connection-1', endpointId: 'echo', rates }));
    commit(
      db,
      Array.from({ length: 5_100 }, (_, at) =>
        aNewJob(
          {
            key: `k${String(at).padStart(6, '0')}`,
            jobId: `job-${at}`,
            phase: 'finished',
            status: at % 2 === 0 ? 'COMPLETED' : 'FAILED',
            executionTimeMs: at,
            delayTimeMs: at,
            ttlEndsAtMs: at,
            finishedSeenAtMs: at,
          },
          `{"n":${at % 3}}`,
        ),
      ),
    );
    const plans = plansOf(db, () => {
      const long = { over: 5, under: null };
      for (const part of [
        { sameInput: 'k000003' },
        { sameInput: 'job-3' },
        { idStart: 'job-1' },
        { took: long },
        { waited: long },
        { cost: { over: 0.001, under: null } },
        { tags: ['eval'] },
        { labels: ['sharp'] },
        { marks: [5 as const] },
        { has: ['stream' as const] },
        { view: 'finished-today' as const },
      ]) {
        listJobs(db, { ...emptyFilter, ...part }, { limit: 10, startOfTodayMs: 0 });
        countJobs(db, { ...emptyFilter, ...part }, 0);
      }
      const columns = [
        'id',
        'title',
        'wait',
        'execution',
        'ttl',
        'mark',
        'label',
        'note',
        'tags',
        'cost',
        'created',
      ] as const;
      for (const of of columns) {
        const sort = { column: of, isDescending: false };
        const page = listJobs(db, emptyFilter, { limit: 10, startOfTodayMs: 0, sort });
        if (page.nextBeforeKey !== null)
          listJobs(db, emptyFilter, { beforeKey: page.nextBeforeKey, limit: 10, startOfTodayMs: 0, sort });
      }
      readLineage(db, requireJob(db, 'k000004'));
      isJobIdKnown(db, 'job-5');
      findJobsByServiceId(db, 'http://127.0.0.1', 'echo', 'job-5');
    });
    const ofJobs = plans.filter(({ sql }) => /\bjobs\b/.test(sql));
    expect(ofJobs.length).toBeGreaterThan(40);
    // Only a few jobs have a mark, a label, a note, a stream, a second attempt or a time to live.
    const isOfFew = /INDEX (jobs_marked|jobs_labelled|jobs_noted|jobs_with_stream|jobs_retried|jobs_by_ttl)/;
    const scans = ofJobs.flatMap(({ sql, steps }) =>
      steps.filter((step) => /^SCAN (j|jobs)\b/.test(step) && !isOfFew.test(step)).map((step) => `${step}: ${sql}`),
    );
    expect(scans).toEqual([]);
  });
});
