import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCostOfFilter, readCostsSince } from '../../../../src-main/history/list/costs.ts';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { readPurged } from '../../../../src-main/history/jobs/ended-jobs.ts';
import { attemptsOf, estimateCost } from '../../../../src-preload/cost.ts';
import type { CostRate } from '../../../../src-preload/cost.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import type { Attempt, Job } from '../../../../src-preload/job.ts';
import { aJob } from '../../../kit/a-job.ts';
import { aDatabase } from '../a-database.ts';

const hour = 3_600_000;
const nowMs = 100_000;
const source = { kind: 'typed' } as const;
const submission = { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null };

const attemptOf = (number: number, executionTimeMs: number | null, finishedSeenAtMs: number): Attempt => ({
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
  finishedSeenAtMs,
});
const state = fc.constantFrom<Pick<Job, 'phase' | 'status'>>(
  { phase: 'waiting', status: null },
  { phase: 'active', status: 'IN_QUEUE' },
  { phase: 'active', status: 'IN_PROGRESS' },
  { phase: 'finished', status: 'COMPLETED' },
  { phase: 'finished', status: 'FAILED' },
  { phase: 'gone', status: 'IN_PROGRESS' },
  { phase: 'refused', status: null },
);
const time = fc.integer({ min: 0, max: nowMs });
const saved = fc.record({
  endpointId: fc.constantFrom('e1', 'e2', 'unpriced'),
  state,
  startedSeenAtMs: time,
  endedAtMs: time,
  executionTimeMs: fc.option(fc.integer({ min: 0, max: 9 * hour })),
  former: fc.array(fc.record({ executionTimeMs: fc.option(fc.integer({ min: 0, max: hour })), endedAtMs: time }), {
    maxLength: 2,
  }),
});
const rates = fc
  .array(
    fc.record({
      sinceMs: fc.integer({ min: 0, max: nowMs }),
      creditsPerHour: fc.option(fc.integer({ min: 1, max: 9 })),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((list): CostRate[] => list.toSorted((a, b) => a.sinceMs - b.sinceMs).map((each) => ({ ...each, source })));

function jobOf(
  wanted: {
    endpointId: string;
    state: Pick<Job, 'phase' | 'status'>;
    startedSeenAtMs: number;
    endedAtMs: number;
    executionTimeMs: number | null;
    former: unknown[];
  },
  index: number,
): Job {
  const hasEnded =
    wanted.state.phase === 'finished' || wanted.state.phase === 'gone' || wanted.state.phase === 'refused';
  const isRunning = wanted.state.status === 'IN_PROGRESS';
  return aJob({
    key: `k${String(index).padStart(5, '0')}`,
    jobId: `j${index}`,
    endpointId: wanted.endpointId,
    ...wanted.state,
    attempt: wanted.former.length + 1,
    createdAtMs: index,
    startedSeenAtMs: isRunning || hasEnded ? wanted.startedSeenAtMs : null,
    finishedSeenAtMs: hasEnded ? wanted.endedAtMs : null,
    executionTimeMs: hasEnded || isRunning ? wanted.executionTimeMs : null,
  });
}

const wasTaken = ({ phase }: Job): boolean => phase === 'active' || phase === 'finished' || phase === 'gone';

describe('costs of jobs', () => {
  it('are the same from the index, from each job, and from each estimate', () => {
    fc.assert(
      fc.property(fc.array(saved, { maxLength: 25 }), rates, rates, (wanted, first, second) => {
        const db = aDatabase();
        const all = wanted.map((each, index) => ({
          job: jobOf(each, index),
          former: each.former.map((former, at) => attemptOf(at + 1, former.executionTimeMs, former.endedAtMs)),
        }));
        for (const { job, former } of all) {
          commit(db, [{ job, submission }]);
          for (const attempt of former) commit(db, [{ job, attempt }]);
        }
        const prices = [
          { connectionId: 'connection-1', endpointId: 'e1', rates: first },
          { connectionId: 'connection-1', endpointId: 'e2', rates: second },
        ];
        const at = { nowMs, startOfTodayMs: 0, maxJobs: 1_000 };
        const indexed = readCostOfFilter(db, emptyFilter, prices, at);
        const looked = readCostOfFilter(db, { ...emptyFilter, sinceMs: 0 }, prices, at);
        expect(looked.pricedJobs).toBe(indexed.pricedJobs);
        expect(looked.unpricedJobs).toBe(indexed.unpricedJobs);
        expect(looked.executionMs).toBeCloseTo(indexed.executionMs, 3);
        expect(looked.credits).toBeCloseTo(indexed.credits, 6);

        const expected = all.reduce((sum, { job, former }) => {
          const cost = estimateCost(
            attemptsOf(job, former, nowMs),
            prices.find(({ endpointId }) => endpointId === job.endpointId)?.rates ?? [],
            nowMs,
          );
          return cost.kind === 'estimate' && wasTaken(job) ? sum + cost.credits : sum;
        }, 0);
        expect(indexed.credits).toBeCloseTo(expected, 6);
      }),
      { numRuns: 40 },
    );
  });

  it('of ended attempts stay in the sum when the next one is orphaned', () => {
    const db = aDatabase();
    const job = aJob({
      key: 'k',
      jobId: 'j',
      phase: 'orphaned',
      status: 'IN_PROGRESS',
      attempt: 2,
      startedSeenAtMs: 5,
      finishedSeenAtMs: null,
      executionTimeMs: null,
    });
    commit(db, [{ job, submission, attempt: attemptOf(1, hour, 4) }]);
    const prices = [
      { connectionId: 'connection-1', endpointId: job.endpointId, rates: [{ creditsPerHour: 2, sinceMs: 0, source }] },
    ];
    for (const filter of [emptyFilter, { ...emptyFilter, sinceMs: 0 }]) {
      expect(readCostOfFilter(db, filter, prices, { nowMs, startOfTodayMs: 0, maxJobs: 10 })).toMatchObject({
        credits: 2,
        executionMs: hour,
        pricedJobs: 0,
        unpricedJobs: 0,
      });
    }
  });

  it('say when only the newest were read', () => {
    const db = aDatabase();
    for (let index = 0; index < 10; index += 1)
      commit(db, [
        {
          job: aJob({
            key: `k${index}`,
            jobId: `j${index}`,
            createdAtMs: index,
            phase: 'finished',
            status: 'COMPLETED',
            finishedSeenAtMs: 5,
            executionTimeMs: hour,
          }),
          submission,
        },
      ]);
    const prices = [
      { connectionId: 'connection-1', endpointId: 'echo', rates: [{ creditsPerHour: 2, sinceMs: 0, source }] },
    ];
    expect(
      readCostOfFilter(db, { ...emptyFilter, sinceMs: 0 }, prices, { nowMs, startOfTodayMs: 0, maxJobs: 4 }),
    ).toMatchObject({ credits: 8, pricedJobs: 4, newestOnly: 4 });
    expect(
      readCostOfFilter(db, { ...emptyFilter, sinceMs: 0 }, prices, { nowMs, startOfTodayMs: 0, maxJobs: 10 }),
    ).toMatchObject({ credits: 20, newestOnly: null });
  });

  it('are known however often the price was changed', () => {
    const db = aDatabase();
    commit(db, [
      {
        job: aJob({
          phase: 'finished',
          status: 'COMPLETED',
          endpointId: 'e1',
          finishedSeenAtMs: 1_500,
          executionTimeMs: hour,
        }),
        submission,
      },
    ]);
    const often = Array.from({ length: 2_000 }, (_, at) => ({ creditsPerHour: at, sinceMs: at, source }));
    const prices = [{ connectionId: 'connection-1', endpointId: 'e1', rates: often }];
    expect(
      readCostOfFilter(db, { ...emptyFilter, sinceMs: 0 }, prices, { nowMs, startOfTodayMs: 0, maxJobs: 10 }),
    ).toMatchObject({ credits: 1_500, pricedJobs: 1 });
  });

  it('of an endpoint are summed since each time, with the usual cost of one job', () => {
    const db = aDatabase();
    const ends = [10, 20, 30];
    for (const [index, finishedSeenAtMs] of ends.entries())
      commit(db, [
        {
          job: aJob({
            key: `k${index}`,
            jobId: `j${index}`,
            phase: 'finished',
            status: 'COMPLETED',
            finishedSeenAtMs,
            executionTimeMs: hour * (index + 1),
          }),
          submission,
        },
      ]);
    const of = {
      connectionId: 'connection-1',
      endpointId: 'echo',
      rates: [{ creditsPerHour: 1, sinceMs: 0, source }],
      nowMs,
    };
    expect(readCostsSince(db, { ...of, sincesMs: [25, 15, 0] })).toMatchObject({
      sums: [
        { credits: 3, pricedJobs: 1 },
        { credits: 5, pricedJobs: 2 },
        { credits: 6, pricedJobs: 3 },
      ],
      jobP50: 2,
      jobCount: 3,
    });
  });
});

describe('purged jobs', () => {
  it('are counted among the requested ones, and the first of them named', () => {
    const db = aDatabase();
    for (const key of ['c', 'a', 'b'])
      commit(db, [
        { job: aJob({ key, jobId: key, title: `Gone ${key}`, phase: 'gone', goneReason: 'purged' }), submission },
      ]);
    for (const [key, goneReason] of [
      ['e', 'expired'],
      ['f', null],
    ] as const)
      commit(db, [
        { job: aJob({ key, jobId: key, phase: goneReason === null ? 'active' : 'gone', goneReason }), submission },
      ]);
    expect(readPurged(db, ['c', 'e', 'f', 'b', 'nobody'], 1)).toEqual({
      count: 2,
      first: [{ key: 'b', title: 'Gone b' }],
    });
    expect(readPurged(db, [], 1)).toEqual({ count: 0, first: [] });
  });
});
