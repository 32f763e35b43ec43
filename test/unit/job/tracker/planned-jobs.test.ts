import { describe, expect, it } from 'vitest';
import {
  createJobPollingStates,
  type JobPollingStates,
  createEndpointPollingStates,
} from '../../../../src-main/job/context/polling-state.ts';
import { newAttempt } from '../../../../src-main/job/reducer/new-job.ts';
import type { JobState } from '../../../../src-main/job/reducer/job-event.ts';
import type { WhyNotFollowed } from '../../../../src-main/job/store/orphans.ts';
import { PlannedJobs } from '../../../../src-main/job/tracker/planned-jobs.ts';
import type { PlannedJob } from '../../../../src-main/job/schedule/plan.ts';
import { Outbox } from '../../../../src-main/job/store/outbox.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { aJob } from '../../../kit/a-job.ts';

interface World {
  live: Map<string, JobState>;
  plan(onView?: { watched?: string[]; isWindowVisible?: boolean }): PlannedJob[];
  pollingStates: JobPollingStates;
  /** Jobs that were marked as orphaned. */
  marked: string[];
  /** What a stream was asked about. */
  views: { key: string; isOpened: boolean; isWindowVisible: boolean; startsAtMs: number | null }[];
}

/**
 * Live jobs at 10,000, four requests at once at most. Their ends are forecast for 20,000 and their starts for 5,000.
 */
function aWorld(
  jobs: readonly Job[],
  why: (job: Pick<Job, 'connectionId'>) => WhyNotFollowed | null = () => null,
): World {
  const now = (): number => 10_000;
  const live = new Map<string, JobState>(jobs.map((job) => [job.key, { job, attempt: newAttempt(1, 0) }]));
  const outbox = new Outbox();
  for (const job of jobs) outbox.note(job);
  const pollingStates = createJobPollingStates(now, () => 0.5);
  const world: Omit<World, 'plan'> = { live, pollingStates, marked: [], views: [] };
  const context = {
    ledger: { live: () => live, outbox: () => outbox.queues() },
    pollingStates,
    endpointStates: createEndpointPollingStates(),
    whyNotFollowed: why,
    now,
  };
  const plannedJobs = new PlannedJobs(context, {
    forecasts: { endsAtMs: () => 20_000, startsAtMs: () => 5_000 },
    streams: {
      schedule: {
        isAwaited: ({ key }) => key === 'awaited',
        dueAtMs({ key }, _, { startsAtMs, ...view }) {
          world.views.push({ key, ...view, startsAtMs: startsAtMs() });
          return 7_000;
        },
      },
    },
    orphans: { mark: ({ key }) => void world.marked.push(key), resume: async () => [] },
    batches: {
      isPaused: (batchId) => batchId === 'paused',
      maxLive: (batchId) => (batchId === 'limited' ? 2 : null),
      limitsLiveRows: true,
    },
    maxInFlight: 4,
  });
  return {
    ...world,
    plan: ({ watched = [], isWindowVisible = true } = {}) =>
      plannedJobs.read({ opened: new Set(watched), rows: new Set(), isWindowVisible }),
  };
}

const keys = (planned: readonly PlannedJob[]): string[] => planned.map(({ key }) => key);
const waiting = (key: string, changes: Partial<Job> = {}): Job =>
  aJob({ key, jobId: null, phase: 'waiting', status: null, acceptedAtMs: null, ...changes });

describe('an active job', () => {
  it('is planned with its known facts', () => {
    const job = aJob({
      acceptedAtMs: 2_000,
      startedSeenAtMs: 3_000,
      statusReadAtMs: 4_000,
      ttlEndsAtMs: 50_000,
      isCancelling: true,
      operation: 'runsync',
    });
    const world = aWorld([job]);
    Object.assign(world.pollingStates.of(job), { notBeforeMs: 11_000, cancelAtMs: 12_000, isCancelBusy: true });
    expect(world.plan({ watched: ['key-1'], isWindowVisible: false })).toEqual([
      {
        key: 'key-1',
        addressKey: 'connection-1\nhttp://127.0.0.1:1\necho',
        operation: 'runsync',
        isBatchRow: false,
        stage: 'active',
        acceptedAtMs: 2_000,
        startedSeenAtMs: 3_000,
        isStatusUnlisted: false,
        statusReadAtMs: 4_000,
        endsAtMs: 20_000,
        ttlEndsAtMs: 50_000,
        retentionEndsAtMs: null,
        isOpened: true,
        isRowOnScreen: false,
        isStatusReadWanted: false,
        notBeforeMs: 11_000,
        isStreamAwaited: false,
        streamAtMs: 7_000,
        cancelAtMs: 12_000,
        isBusy: false,
        streamReads: 0,
        isCancelBusy: true,
      },
    ]);
    expect(world.views).toEqual([{ key: 'key-1', isOpened: true, isWindowVisible: false, startsAtMs: 5_000 }]);
  });

  it('says whether its status is one that the specification lists', () => {
    for (const [status, isStatusUnlisted] of [
      ['NOT_FOUND', true],
      ['IN_PROGRESS', false],
      [null, false],
    ] as const)
      expect(aWorld([aJob({ status })]).plan()).toMatchObject([{ isStatusUnlisted }]);
  });

  it('is at the stage that it shows; one that is over is not planned', () => {
    const jobs = [
      aJob({ key: 'sending', phase: 'submitting', status: null }),
      aJob({ key: 'active' }),
      aJob({ key: 'settling', status: 'COMPLETED', retentionEndsAtMs: 60_000 }),
      waiting('waiting', { batchId: 'b', batchRow: 1 }),
      aJob({ key: 'unknown', phase: 'outcome-unknown' }),
      aJob({ key: 'finished', phase: 'finished' }),
    ];
    expect(
      aWorld(jobs)
        .plan()
        .map(({ key, stage, endsAtMs, isBatchRow }) => [key, stage, endsAtMs, isBatchRow]),
    ).toEqual([
      ['waiting', 'waiting', null, true],
      ['sending', 'sending', null, false],
      ['active', 'active', 20_000, false],
      ['settling', 'settling', null, false],
    ]);
  });

  it('that was never accepted counts from its creation, and is cancelled only on request', () => {
    const world = aWorld([aJob({ key: 'awaited', acceptedAtMs: null, createdAtMs: 500 })]);
    world.pollingStates.of(aJob({ key: 'awaited' })).cancelAtMs = 1_000;
    expect(world.plan()).toMatchObject([
      { acceptedAtMs: 500, isStreamAwaited: true, cancelAtMs: null, isOpened: false },
    ]);
  });

  it.each<[string, Partial<Job>, boolean, boolean]>([
    ['nothing requires it', {}, false, false],
    ['the user requested it', {}, true, true],
    ['the service did not know it', { notKnown: { sinceMs: 0, times: 1, lastAtMs: 0, nextTryMs: 0 } }, false, true],
    ['it was read just now', { statusReadAtMs: 10_000 }, false, false],
  ])('has an immediate status read if %s', (_, changes, isAsked, isStatusReadWanted) => {
    const job = aJob(changes);
    const world = aWorld([job]);
    world.pollingStates.of(job).isStatusReadWanted = isAsked;
    expect(world.plan()).toMatchObject([{ isStatusReadWanted }]);
  });
});

describe('a job that cannot be read', () => {
  const gone = (job: Pick<Job, 'connectionId'>): WhyNotFollowed | null =>
    job.connectionId === 'gone' ? 'no-connection' : job.connectionId === 'moved' ? 'other-host' : null;

  it('is skipped, and marked if its connection was removed', () => {
    const world = aWorld(
      [
        aJob({ key: 'a', connectionId: 'gone' }),
        aJob({ key: 'b', connectionId: 'moved' }),
        aJob({ key: 'c' }),
        waiting('d', { connectionId: 'gone' }),
      ],
      gone,
    );
    expect(keys(world.plan())).toEqual(['c']);
    expect(world.marked).toEqual(['d', 'a']);
  });

  it('is not marked while it is being sent, nor sent if its connection changed', () => {
    const world = aWorld(
      [
        aJob({ key: 'a', connectionId: 'gone', phase: 'submitting', status: null }),
        waiting('b', { connectionId: 'moved' }),
      ],
      gone,
    );
    // One that was not sent yet goes where its connection points now.
    expect(keys(world.plan())).toEqual(['b']);
    expect(world.marked).toEqual([]);
  });
});

describe('the outbox', () => {
  it('shows of each queue as many as may be in progress, beside those that are', () => {
    const jobs = Array.from({ length: 8 }, (_, index) => waiting(`k${index}`));
    const world = aWorld([...jobs, waiting('row', { batchId: 'b', batchRow: 1 })]);
    expect(keys(world.plan())).toEqual(['k0', 'k1', 'k2', 'k3', 'row']);
    for (const job of jobs.slice(0, 2)) world.pollingStates.of(job).isBusy = true;
    expect(keys(world.plan())).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'row']);
  });

  it('shows no row of a batch that is paused', () => {
    const rows = ['paused', 'goes on'].map((batchId) => waiting(batchId, { batchId, batchRow: 1 }));
    expect(keys(aWorld([...rows, waiting('alone')]).plan())).toEqual(['goes on', 'alone']);
  });

  it('shows no more rows than its batch allows on the service, including those there and on their way', () => {
    const row = (key: string): Job => waiting(key, { batchId: 'limited', batchRow: 1 });
    const rows = ['r1', 'r2', 'r3', 'r4'].map(row);
    const world = aWorld([...rows, waiting('alone')]);
    expect(keys(world.plan())).toEqual(['r1', 'r2', 'alone']);
    const [first] = rows;
    if (first !== undefined) world.pollingStates.of(first).isBusy = true;
    expect(keys(world.plan())).toEqual(['r1', 'r2', 'alone']);
    const onService = ['s1', 's2'].map((key) => aJob({ key, batchId: 'limited', batchRow: 9 }));
    expect(keys(aWorld([...onService.slice(0, 1), ...rows]).plan())).toEqual(['r1', 's1']);
    expect(keys(aWorld([...onService, ...rows]).plan())).toEqual(['s1', 's2']);
  });

  it('skips those that are gone in the meantime', () => {
    const world = aWorld([waiting('a'), waiting('b')]);
    world.live.delete('a');
    expect(keys(world.plan())).toEqual(['b']);
  });
});
