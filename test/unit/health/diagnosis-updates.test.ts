import { describe, expect, it } from 'vitest';
import type { DiagnosisInput } from '../../../src-main/health/diagnosis/diagnose.ts';
import { DiagnosisUpdates } from '../../../src-main/health/diagnosis-updates.ts';
import { createMutedEndpoints } from '../../../src-main/health/muted-endpoints.ts';
import type { Diagnosis, EndpointDiagnosis } from '../../../src-preload/diagnosis.ts';
import type { Health, HealthPoint } from '../../../src-preload/health.ts';
import type { RunTimes } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { aJob } from '../../kit/a-job.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import { aHealthPoint } from '../../kit/health-point.ts';

const hourMs = 3_600_000;

const finding = (headline: string): Diagnosis => ({
  kind: 'no-workers',
  severity: 'warning',
  headline,
  explanation: '',
  condition: null,
  evidence: [],
  tryNext: [],
  sinceMs: null,
});

function aWorld() {
  const clock = createVirtualClock();
  const documents = new Map<string, string>();
  const world = {
    clock,
    documents,
    inputs: [] as DiagnosisInput[],
    told: [] as EndpointDiagnosis[],
    troubles: [] as unknown[],
    latest: [] as Health[],
    points: [] as HealthPoint[],
    live: [] as Job[],
    newest: [] as Job[],
    runTimes: [] as RunTimes[],
    /** What the finding says. */
    headline: (input: DiagnosisInput): string | null =>
      input.points.at(-1)?.inQueue === 0 ? null : `${input.points.at(-1)?.inQueue ?? 0} waiting`,
    isBroken: false,
  };
  const diagnoses = new DiagnosisUpdates({
    clock,
    diagnose(input) {
      world.inputs.push(structuredClone(input));
      const headline = world.headline(input);
      return headline === null ? [] : [finding(headline)];
    },
    mutes: createMutedEndpoints({
      now: clock.now,
      documents: {
        documents: async (kind) =>
          [...documents]
            .filter(([id]) => id.startsWith(`${kind} `))
            .map(([id, json]) => ({ id: id.slice(kind.length + 1), json })),
        readDocument: async (kind, id) => documents.get(`${kind} ${id}`) ?? null,
        putDocument: async (kind, id, json) => void documents.set(`${kind} ${id}`, json),
        removeDocument: async (kind, id) => void documents.delete(`${kind} ${id}`),
      },
    }),
    series: async (connectionId, endpointId, sinceMs) => {
      if (world.isBroken) throw new Error('The disk cannot be read');
      const points = world.points.filter(({ atMs }) => atMs >= sinceMs);
      return points.length === 0 ? null : { connectionId, endpointId, points };
    },
    latest: async () => world.latest,
    runTimes: async () => world.runTimes,
    liveJobs: () => world.live,
    recentEnds: async (_connectionId, _endpointId, sinceMs) =>
      world.newest
        .filter(({ finishedSeenAtMs }) => (finishedSeenAtMs ?? 0) >= sinceMs)
        .toSorted((a, b) => (b.finishedSeenAtMs ?? 0) - (a.finishedSeenAtMs ?? 0)),
    onChange: (diagnosis) => world.told.push(diagnosis),
    onTrouble: (error) => world.troubles.push(error),
  });
  const healthNow = (inQueue: number, endpointId = 'text'): Health => ({
    connectionId: 'c',
    endpointId,
    atMs: clock.now(),
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue, retried: 0 },
    workers: { idle: 0, running: 0, throttled: 1 },
    extra: {},
  });
  const pointAt = (atMs: number, inQueue: number): HealthPoint => aHealthPoint(atMs, { inQueue, throttled: 1 });
  return { world, diagnoses, clock, healthNow, pointAt };
}

const aLiveJob = (changes: Partial<Job> = {}): Job =>
  aJob({
    connectionId: 'c',
    endpointId: 'text',
    phase: 'active',
    status: 'IN_QUEUE',
    jobId: 'j',
    acceptedAtMs: 1_700_000_000_000 - 5_000,
    finishedSeenAtMs: null,
    ...changes,
  });

describe('the diagnoses', () => {
  it('report what they find after each reading, even if it is the same: it holds as of then', async () => {
    const { world, diagnoses, clock, healthNow } = aWorld();
    for (const inQueue of [0, 3, 3, 4, 0]) {
      diagnoses.noted(healthNow(inQueue));
      await clock.advance(5_000);
    }
    expect(
      world.told.map(({ atMs, findings }) => [atMs - 1_700_000_000_000, findings.map(({ headline }) => headline)]),
    ).toEqual([
      [0, []],
      [5_000, ['3 waiting']],
      [10_000, ['3 waiting']],
      [15_000, ['4 waiting']],
      [20_000, []],
    ]);
    expect(world.inputs.at(-1)?.points.map(({ inQueue }) => inQueue)).toEqual([0, 3, 3, 4, 0]);
    expect(world.inputs.at(-1)?.points[0]).toMatchObject({ spanMs: 0, throttled: 1, unhealthy: null });
  });

  it('judge an endpoint once a second, however many of its jobs change, and by their last state', async () => {
    const { world, diagnoses, clock, healthNow } = aWorld();
    diagnoses.noted(healthNow(1));
    await clock.advance(0);
    const judged = world.inputs.length;
    for (let job = 0; job < 50; job += 1) diagnoses.jobsChanged([aLiveJob({ key: `k${job}` })]);
    expect(clock.pending()).toBe(1);
    await clock.advance(1_000);
    expect(world.inputs).toHaveLength(judged + 1);
    expect(world.inputs.at(-1)?.liveJobs).toHaveLength(50);
    // One for all of them, until unread results become a finding.
    expect(clock.pending()).toBe(1);
    expect((clock.nextAtMs() ?? 0) - clock.now()).toBeGreaterThan(60_000);
  });

  it('include the last hour and the jobs of a former run, each once', async () => {
    const { world, diagnoses, clock, healthNow, pointAt } = aWorld();
    const nowMs = clock.now();
    world.points = [
      pointAt(nowMs - hourMs - 1, 9),
      pointAt(nowMs - hourMs + 10_000, 8),
      pointAt(nowMs - 5_000, 7),
      pointAt(nowMs, 6),
    ];
    const moved = aLiveJob({ key: 'moved', status: 'IN_PROGRESS', startedSeenAtMs: nowMs });
    world.live = [aLiveJob({ key: 'left' }), moved];
    world.newest = [
      aJob({
        key: 'ended',
        connectionId: 'c',
        endpointId: 'text',
        jobId: 'e',
        phase: 'finished',
        status: 'FAILED',
        reason: { kind: 'timed-out', limitMs: 600_000, said: null },
        finishedSeenAtMs: nowMs - 1_000,
        executionTimeMs: 5_000,
        policy: { executionTimeout: 5_000 },
      }),
      aJob({
        key: 'long-ended',
        connectionId: 'c',
        endpointId: 'text',
        jobId: 'l',
        phase: 'finished',
        status: 'COMPLETED',
        finishedSeenAtMs: nowMs - hourMs - 1,
      }),
    ];
    world.runTimes = [{ endpointId: 'text', count: 5, executionP50Ms: 10, executionP95Ms: 20, delayP95Ms: 0 }];
    diagnoses.jobsChanged([moved]);
    diagnoses.noted(healthNow(6));
    await clock.advance(0);
    const [input] = world.inputs;
    expect(input?.points.map(({ inQueue }) => inQueue)).toEqual([8, 7, 6]);
    expect(input?.liveJobs.map(({ key, startedSeenAtMs }) => [key, startedSeenAtMs])).toEqual([
      ['left', null],
      ['moved', nowMs],
    ]);
    expect(input?.recentEnds).toEqual([
      {
        endedAtMs: nowMs - 1_000,
        status: 'FAILED',
        executionTimeMs: 5_000,
        executionTimeoutMs: 5_000,
        isTimedOut: true,
      },
    ]);
    expect(input?.execution).toEqual({ p50Ms: 10, p95Ms: 20 });
    expect(input?.nowMs).toBe(nowMs);
  });

  it('count a result as unsaved while its job was not seen to end, and a stream while its rest cannot be read', async () => {
    const { world, diagnoses, clock, healthNow } = aWorld();
    diagnoses.noted(healthNow(0));
    await clock.advance(1_000);
    const acceptedAtMs = clock.now() - 5_000;
    const pendingStream = {
      sinceMs: clock.now(),
      failures: 3,
      nextTryMs: clock.now() + 1_000,
      untilMs: clock.now() + 60_000,
      reason: '503',
    };
    const ended = {
      key: 'k',
      status: 'COMPLETED',
      finishedSeenAtMs: clock.now(),
      retentionEndsAtMs: clock.now() + 60_000,
      operation: 'runsync',
    } as const;
    const lastInput = async (job: Job): Promise<DiagnosisInput | undefined> => {
      diagnoses.jobsChanged([job]);
      await clock.advance(1_000);
      return world.inputs.at(-1);
    };
    expect(await lastInput(aLiveJob({ key: 'k', acceptedAtMs }))).toMatchObject({
      liveJobs: [{ key: 'k' }],
      unsavedResults: [
        { key: 'k', operation: 'run', part: 'result', knownAtMs: acceptedAtMs, leavesAtMs: acceptedAtMs + 1_800_000 },
      ],
      recentEnds: [],
    });
    const statusReadAtMs = clock.now();
    expect((await lastInput(aLiveJob({ key: 'k', acceptedAtMs, statusReadAtMs })))?.unsavedResults).toMatchObject([
      { knownAtMs: statusReadAtMs, leavesAtMs: statusReadAtMs + 1_800_000 },
    ]);
    expect(
      (await lastInput(aLiveJob({ key: 'k', acceptedAtMs, ttlEndsAtMs: clock.now() - 1 })))?.unsavedResults,
    ).toEqual([]);
    // Its final record is on disk, and its stream is just being read.
    expect(await lastInput(aLiveJob(ended))).toMatchObject({
      liveJobs: [],
      unsavedResults: [],
      recentEnds: [{ status: 'COMPLETED' }],
    });
    expect((await lastInput(aLiveJob({ ...ended, pendingStream })))?.unsavedResults).toEqual([
      {
        key: 'k',
        operation: 'runsync',
        part: 'stream',
        knownAtMs: pendingStream.sinceMs,
        leavesAtMs: pendingStream.untilMs,
      },
    ]);
    expect(await lastInput(aLiveJob({ ...ended, phase: 'finished', isResultSaved: true }))).toMatchObject({
      liveJobs: [],
      unsavedResults: [],
      recentEnds: [{ status: 'COMPLETED' }],
    });
    await clock.advance(hourMs);
    expect(await lastInput(aLiveJob({ key: 'other' }))).toMatchObject({ recentEnds: [] });
  });

  it('judge automatically when an unread result becomes a finding, even without a reading', async () => {
    const { world, diagnoses, clock, healthNow } = aWorld();
    diagnoses.noted(healthNow(0));
    diagnoses.jobsChanged([aLiveJob({ key: 'k', acceptedAtMs: clock.now() })]);
    await clock.advance(1_000);
    const before = world.inputs.length;
    await clock.advance(19 * 60_000);
    expect(world.inputs).toHaveLength(before);
    await clock.advance(60_000);
    expect(world.inputs).toHaveLength(before + 1);
    await clock.advance(8 * 60_000);
    expect(world.inputs).toHaveLength(before + 2);
    diagnoses.jobsChanged([aLiveJob({ key: 'k', phase: 'finished', status: 'COMPLETED', isResultSaved: true })]);
    await clock.advance(1_000);
    expect(clock.pending()).toBe(0);
  });

  it('use the last saved reading after a start, as of its time if that is long ago', async () => {
    const { world, diagnoses, clock, healthNow, pointAt } = aWorld();
    const longAgoMs = clock.now() - 3 * 24 * hourMs;
    world.latest = [{ ...healthNow(4), atMs: longAgoMs }];
    world.points = [pointAt(longAgoMs - 60_000, 2), pointAt(longAgoMs, 4)];
    world.live = [aLiveJob({ key: 'of today' })];
    const answer = await diagnoses.of('c');
    expect(answer).toMatchObject([
      { endpointId: 'text', atMs: longAgoMs, findings: [{ headline: '4 waiting' }], mutedUntilMs: null },
    ]);
    expect(world.inputs[0]).toMatchObject({ nowMs: longAgoMs, liveJobs: [], points: [{ inQueue: 2 }, { inQueue: 4 }] });
    diagnoses.noted(healthNow(0));
    await clock.advance(1_000);
    expect(world.inputs.at(-1)).toMatchObject({
      nowMs: clock.now(),
      liveJobs: [{ key: 'of today' }],
      points: [{ inQueue: 0 }],
    });
  });

  it('are muted until the given time, over a restart, and report that', async () => {
    const first = aWorld();
    first.diagnoses.noted(first.healthNow(2));
    first.world.latest = [first.healthNow(2)];
    const untilMs = first.clock.now() + hourMs;
    expect(await first.diagnoses.mute('c', 'text', untilMs)).toMatchObject({
      endpointId: 'text',
      mutedUntilMs: untilMs,
      findings: [{ headline: '2 waiting' }],
    });
    expect(first.world.told.at(-1)?.mutedUntilMs).toBe(untilMs);
    // An endpoint that was never read can be muted as well.
    expect(await first.diagnoses.mute('c', 'unread', untilMs)).toEqual({
      connectionId: 'c',
      endpointId: 'unread',
      atMs: 0,
      findings: [],
      mutedUntilMs: untilMs,
    });
    expect(first.world.told.at(-1)).toMatchObject({ endpointId: 'unread', mutedUntilMs: untilMs });

    const second = aWorld();
    for (const [id, json] of first.world.documents) second.world.documents.set(id, json);
    second.world.latest = [second.healthNow(2)];
    second.world.points = [second.pointAt(second.clock.now(), 2)];
    expect(await second.diagnoses.of('c')).toMatchObject([{ mutedUntilMs: untilMs }]);
    await second.clock.advance(hourMs);
    expect(await second.diagnoses.of('c')).toMatchObject([{ mutedUntilMs: null }]);
    expect(await second.diagnoses.mute('c', 'text', null)).toMatchObject({ mutedUntilMs: null });
    expect([...second.world.documents.keys()]).toEqual(['health-mute c\nunread']);
    // Even if the endpoint was not judged before.
    const third = aWorld();
    third.world.latest = [third.healthNow(0)];
    third.world.points = [third.pointAt(third.clock.now(), 0)];
    await third.diagnoses.mute('c', 'text', untilMs);
    expect(third.world.told).toMatchObject([{ endpointId: 'text', findings: [], mutedUntilMs: untilMs }]);
  });

  it('report a failed read, and judge again with the next reading', async () => {
    const { world, diagnoses, clock, healthNow } = aWorld();
    world.isBroken = true;
    diagnoses.noted(healthNow(1));
    await clock.advance(0);
    expect(world.troubles).toHaveLength(1);
    world.isBroken = false;
    diagnoses.noted(healthNow(2));
    await clock.advance(1_000);
    expect(world.told.map(({ findings }) => findings[0]?.headline)).toEqual(['2 waiting']);
  });

  it('drop a removed connection, with its timers', async () => {
    const { world, diagnoses, clock, healthNow } = aWorld();
    diagnoses.noted(healthNow(1));
    await clock.advance(0);
    diagnoses.noted(healthNow(2));
    expect(clock.pending()).toBe(1);
    await diagnoses.mute('c', 'text', clock.now() + hourMs);
    const told = world.told.length;
    diagnoses.forget('c');
    expect(clock.pending()).toBe(0);
    await clock.advance(5_000);
    expect(world.told).toHaveLength(told);
    expect(world.documents.size).toBe(0);
  });

  it('set no timer once closed, whatever arrives late', async () => {
    const { world, diagnoses, clock, healthNow } = aWorld();
    diagnoses.jobsChanged([aLiveJob({ key: 'k', acceptedAtMs: clock.now() })]);
    diagnoses.close();
    diagnoses.noted(healthNow(1));
    world.latest = [healthNow(1)];
    expect(await diagnoses.of('c')).toMatchObject([{ endpointId: 'text' }]);
    await clock.advance(0);
    expect(clock.pending()).toBe(0);
  });
});
