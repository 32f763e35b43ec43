import { describe, expect, it } from 'vitest';
import { retentionMs } from '../../../../src-preload/service-retention.ts';
import { headlineAt, type Diagnosis, type DiagnosisKind } from '../../../../src-preload/diagnosis.ts';
import type { HealthPoint } from '../../../../src-preload/health.ts';
import { diagnose } from '../../../../src-main/health/diagnosis/diagnose.ts';
import type { DiagnosisInput } from '../../../../src-main/health/diagnosis/diagnose.ts';
import { endAt, inputOf, liveJob, pointAt, pointsFrom, startMs } from './points.ts';

const kindsOf = (given: Partial<DiagnosisInput>): DiagnosisKind[] => diagnose(inputOf(given)).map(({ kind }) => kind);

/** The one finding there is. */
function only(given: Partial<DiagnosisInput>): Diagnosis {
  const [finding, ...more] = diagnose(inputOf(given));
  if (finding === undefined || more.length > 0)
    throw new Error(`${more.length + (finding === undefined ? 0 : 1)} findings`);
  return finding;
}

/** Two workers, both busy for four minutes, and twelve jobs that wait; three jobs end in each minute. */
const busy = pointsFrom(0, 240, 5, (atS) => ({
  inQueue: 12,
  inProgress: 2,
  running: 2,
  completed: 100 + Math.floor(atS / 20),
}));
const noWorker = pointsFrom(0, 240, 5, () => ({ inQueue: 3, initializing: 0, throttled: 0, unhealthy: 0 }));

describe('the text of a finding', () => {
  it('gives the figures, separates known from inferred, quotes the condition and says since when', () => {
    const liveJobs = Array.from({ length: 12 }, (_, index) => liveJob(-12 + index));
    expect(only({ points: busy, liveJobs })).toEqual({
      kind: 'all-busy',
      severity: 'warning',
      headline: '12 jobs waiting, the oldest for 4:12, and no idle worker for 4:00',
      explanation:
        'Every running worker holds a job, and the worker count has not risen for 4:00. Most likely the ' +
        'endpoint has reached its maximum number of workers. Workers that are still starting do not show ' +
        'up here.',
      condition: { condition: 'Job stays in queue', likelyCause: 'No worker available, or max workers reached.' },
      evidence: [
        '2 of 2 workers busy for 4:00',
        'Queue is steady',
        'About 3.0 jobs end a minute',
        'No rise in failures',
      ],
      tryNext: [
        'Raise the endpoint’s max workers in the service’s console.',
        'Submit fewer jobs at once, or purge the waiting jobs that are no longer needed.',
        'Extend the lifetime of jobs whose ttl would end before their turn.',
      ],
      sinceMs: startMs,
      waited: {
        before: '12 jobs waiting, the oldest for ',
        sinceMs: startMs - 12_000,
        after: ', and no idle worker for 4:00',
      },
    });
  });

  it('has a wait that a window counts on, second for second, and no other time of it', () => {
    const finding = only({ points: busy, liveJobs: Array.from({ length: 12 }, (_, index) => liveJob(-12 + index)) });
    const readMs = startMs + 240_000;
    expect(headlineAt(finding, readMs)).toBe(finding.headline);
    expect(headlineAt(finding, readMs + 999)).toBe(finding.headline);
    expect(headlineAt(finding, readMs + 3_000)).toBe(
      '12 jobs waiting, the oldest for 4:15, and no idle worker for 4:00',
    );
    // Others wait whose time is not known.
    expect(only({ points: busy }).waited).toBeUndefined();
  });

  it('does not repeat the pane’s estimate of when the queue is clear', () => {
    const shrinking = pointsFrom(0, 240, 5, (atS) => ({
      inQueue: 500 - atS,
      inProgress: 2,
      running: 2,
      completed: 100 + atS,
    }));
    const found = only({ points: shrinking });
    expect(found).toMatchObject({
      kind: 'all-busy',
      evidence: expect.arrayContaining([expect.stringMatching(/shrinks/)]),
    });
    expect(found.tryNext[0]).toBe('Wait: the queue is getting shorter.');
    expect([found.explanation, ...found.tryNext].join(' ')).not.toMatch(/clears? in/);
  });

  it('does not call one of your jobs the oldest of a queue that others share', () => {
    expect(only({ points: busy, liveJobs: [liveJob(120)] }).headline).toBe(
      '12 jobs waiting, one of yours for 2:00, and no idle worker for 4:00',
    );
  });

  it('assumes that our oldest jobs started if the queue contains fewer jobs than we have not seen start', () => {
    const points = pointsFrom(0, 240, 5, () => ({ inQueue: 1, inProgress: 2, running: 2 }));
    expect(only({ points, liveJobs: [liveJob(-60), liveJob(-30), liveJob(180)] }).headline).toMatch(
      /^1 job waiting for 1:00,/,
    );
  });

  it('shows the age of the reading it is based on', () => {
    expect(only({ points: noWorker, nowMs: startMs + 285_000 }).evidence).toContain('Health as of 45 s ago');
    expect(only({ points: noWorker }).evidence.join()).not.toContain('as of');
  });

  it('quotes the table of common conditions literally', () => {
    const timeout = only({ recentEnds: [endAt(-5, { status: 'TIMED_OUT', isTimedOut: true })] });
    expect(timeout.condition).toEqual({ condition: 'Timeout', likelyCause: 'Job ran longer than executionTimeout.' });
    const failing = only({ points: pointsFrom(0, 60, 5, (atS) => ({ idle: 2, failed: atS / 5 })) });
    expect(failing.condition).toEqual({
      condition: 'Job ends FAILED',
      likelyCause: 'Worker error or input validation problem.',
    });
    const missing = only({
      unsavedResults: [
        { key: 'a', operation: 'run', part: 'result', knownAtMs: startMs - 1_740_000, leavesAtMs: startMs + 60_000 },
      ],
    });
    expect(missing.condition).toEqual({
      condition: 'Result missing',
      likelyCause: 'Result retention elapsed (30 minutes for run, 1 minute for runsync).',
    });
  });

  it('suggests something for each kind', () => {
    for (const finding of [only({ points: busy }), only({ points: noWorker })]) {
      expect(finding.tryNext.length).toBeGreaterThan(1);
      expect(finding.evidence.length).toBeGreaterThan(1);
    }
  });
});

describe('readings', () => {
  it('older than two minutes say nothing about now', () => {
    expect(kindsOf({ points: noWorker, nowMs: startMs + 240_000 + 120_000 })).toEqual(['no-workers']);
    expect(kindsOf({ points: noWorker, nowMs: startMs + 240_000 + 120_001 })).toEqual([]);
  });

  it('before a gap are not joined with later ones', () => {
    const points = [...noWorker, ...pointsFrom(600, 610, 5, () => ({ inQueue: 3, initializing: 0 }))];
    expect(kindsOf({ points })).toEqual([]);
    expect(
      only({ points: [...points, ...pointsFrom(615, 640, 5, () => ({ inQueue: 3, initializing: 0 }))] }).sinceMs,
    ).toBe(startMs + 600_000);
  });

  it('that differ once in between are ignored, unless the queue was empty then', () => {
    const idle = busy.map((point, index) => (index === 20 ? { ...point, idle: 1, running: 1 } : point));
    expect(only({ points: idle }).sinceMs).toBe(startMs);
    const empty = busy.map((point, index) => (index === 20 ? { ...point, inQueue: 0 } : point));
    expect(only({ points: empty }).sinceMs).toBe(startMs + 105_000);
  });

  it('that are impossible are skipped, any order is accepted, and a minute is read at its end', () => {
    const odd = [...busy, pointAt(100, { inQueue: NaN }), pointAt(101, { running: -1 }), pointAt(99_999, { idle: 5 })];
    expect(diagnose(inputOf({ points: odd.toReversed(), nowMs: startMs + 240_000 }))).toEqual(
      diagnose(inputOf({ points: busy })),
    );
    const minutes = pointsFrom(0, 180, 60, () => ({ spanMs: 60_000, inQueue: 3, initializing: 0 }));
    expect(only({ points: minutes, nowMs: startMs + 240_000 }).headline).toBe('3 jobs waiting, and no worker for 3:00');
  });

  it('give the pace before and after a restart of the service, not the fall of its counters', () => {
    const anew = busy.map((point) =>
      point.atMs < startMs + 150_000 ? point : { ...point, completed: point.completed - 107 },
    );
    expect(only({ points: anew })).toMatchObject({ kind: 'all-busy', severity: 'warning' });
  });

  it('after a restart of the counters give no finding', () => {
    const points = [
      ...pointsFrom(0, 60, 5, () => ({ idle: 1, completed: 900, failed: 40 })),
      ...pointsFrom(65, 125, 5, () => ({ idle: 1, completed: 0, failed: 3 })),
    ];
    expect(kindsOf({ points })).toEqual([]);
  });
});

describe('a waiting queue', () => {
  /** Two busy workers, waiting jobs, and this many ends in five seconds. */
  const waiting = (inQueue: number, ends: number, more: Partial<HealthPoint> = {}) =>
    pointsFrom(0, 240, 5, (atS) => ({ inQueue, inProgress: 2, running: 2, completed: (atS / 5) * ends, ...more }));

  it('has no finding if it clears within half a minute, with or without throttled workers', () => {
    expect(kindsOf({ points: waiting(10, 2) })).toEqual([]);
    expect(kindsOf({ points: waiting(10, 1) })).toEqual(['all-busy']);
    expect(kindsOf({ points: waiting(10, 2, { throttled: 1 }) })).toEqual([]);
    expect(kindsOf({ points: waiting(10, 1, { throttled: 1 }) })).toEqual(['throttled']);
  });

  it('is not attributed to max workers while more are starting', () => {
    expect(kindsOf({ points: waiting(10, 1, { initializing: 1 }) })).toEqual([]);
    expect(kindsOf({ points: waiting(10, 1, { initializing: 0 }) })).toEqual(['all-busy']);
  });

  it('with only throttled workers is critical after five minutes, and never with other workers as well', () => {
    const throttled = (toS: number, running: number) =>
      only({ points: pointsFrom(0, toS, 5, () => ({ inQueue: 4, throttled: 2, running, inProgress: running })) });
    expect(throttled(295, 0)).toMatchObject({ kind: 'throttled', severity: 'warning' });
    expect(throttled(300, 0).severity).toBe('critical');
    expect(throttled(600, 1).severity).toBe('warning');
  });

  it('needs a longer time with the same workers if the service does not report which are starting', () => {
    const flat = (toS: number, initializing: number | null) =>
      kindsOf({ points: pointsFrom(0, toS, 5, () => ({ inQueue: 12, inProgress: 2, running: 2, initializing })) });
    expect([flat(25, 0), flat(30, 0)]).toEqual([[], ['all-busy']]);
    expect([flat(40, null), flat(45, null)]).toEqual([[], ['all-busy']]);
  });

  it('has a worker if jobs complete, even if none was seen', () => {
    const points = pointsFrom(0, 250, 5, (atS) => ({ inQueue: 2, completed: Math.floor(atS / 30) }));
    expect(only({ points })).toMatchObject({ kind: 'cold-start', severity: 'notice', sinceMs: startMs + 240_000 });
  });
});

describe('crash-looping', () => {
  it('comes before throttled workers, which would look the same', () => {
    const points = pointsFrom(0, 60, 5, (atS) => ({
      inQueue: 4,
      throttled: 1,
      running: atS % 2,
      retried: Math.floor(atS / 10),
    }));
    expect(only({ points }).kind).toBe('crash-looping');
  });

  it('is found if several starts produce no ready worker', () => {
    const points = (toS: number) =>
      pointsFrom(0, toS, 5, (atS) => ({ inQueue: 4, initializing: atS % 20 < 10 ? 1 : 0 }));
    expect(kindsOf({ points: points(35) })).toEqual(['cold-start']);
    expect(only({ points: points(40) })).toMatchObject({
      kind: 'crash-looping',
      headline: '4 jobs waiting, and no worker becomes ready: 3 starts in 40 s',
    });
  });

  it('is found if idle workers start no waiting job', () => {
    const points = (toS: number) => pointsFrom(0, toS, 5, () => ({ inQueue: 4, idle: 2, completed: 7 }));
    expect(kindsOf({ points: points(55) })).toEqual([]);
    expect(only({ points: points(90) })).toMatchObject({
      kind: 'crash-looping',
      severity: 'warning',
      headline: '4 jobs waiting, and no worker took one for 1:30',
    });
    // They take one now and then.
    expect(
      kindsOf({ points: points(90).map((point) => ({ ...point, completed: point.atMs >= startMs + 60_000 ? 8 : 7 })) }),
    ).toEqual([]);
  });

  it('is the same if idle workers are counted among the running ones', () => {
    expect(kindsOf({ points: pointsFrom(0, 90, 5, () => ({ inQueue: 4, idle: 1, running: 1 })) })).toEqual([
      'crash-looping',
    ]);
    expect(kindsOf({ points: pointsFrom(0, 90, 5, () => ({ inQueue: 4, running: 2 })) })).toEqual(['crash-looping']);
  });

  it('is not found if a user retries failed jobs', () => {
    const points = pointsFrom(0, 60, 5, (atS) => ({
      idle: 1,
      running: 2,
      inProgress: 2,
      failed: 9,
      retried: atS < 30 ? 0 : atS < 40 ? 4 : 9,
    }));
    expect(kindsOf({ points })).toEqual([]);
  });

  it('is not found for jobs that exceed their executionTimeout', () => {
    const points = pointsFrom(0, 120, 5, (atS) => ({
      idle: 1,
      running: 1,
      inProgress: 1,
      failed: Math.floor(atS / 20),
    }));
    const recentEnds = [20, 40, 60, 80, 100].map((atS) =>
      endAt(atS, { status: 'FAILED', isTimedOut: true, executionTimeMs: 20_000, executionTimeoutMs: 20_000 }),
    );
    expect(kindsOf({ points })).toEqual(['crash-looping']);
    expect(kindsOf({ points, recentEnds })).toEqual(['near-timeout']);
  });

  it('needs failures over some seconds: those of one moment are one bad batch', () => {
    const failing = (endS: number) =>
      pointsFrom(0, 60, 1, (atS) => ({ idle: 2, failed: atS < 40 ? 0 : atS < endS ? 3 : 6 }));
    expect(kindsOf({ points: failing(43) })).toEqual([]);
    expect(kindsOf({ points: failing(44) })).toEqual(['crash-looping']);
  });

  it('ends with the first job that completes, and three minutes after the last failure', () => {
    const failing = pointsFrom(0, 60, 5, (atS) => ({ idle: 2, failed: atS / 5 }));
    expect(kindsOf({ points: failing })).toEqual(['crash-looping']);
    expect(kindsOf({ points: [...failing, pointAt(65, { idle: 2, failed: 12, completed: 1 })] })).toEqual([]);
    const quiet = pointsFrom(65, 245, 5, () => ({ idle: 2, failed: 12 }));
    expect(kindsOf({ points: [...failing, ...quiet.slice(0, -1)] })).toEqual(['crash-looping']);
    expect(kindsOf({ points: [...failing, ...quiet] })).toEqual([]);
  });
});

describe('a start', () => {
  it('is assumed as long as the service reports it, otherwise for three times as long as an earlier one', () => {
    const waiting = (fromS: number, toS: number, initializing: number | null) =>
      pointsFrom(fromS, toS, 5, () => ({ inQueue: 2, initializing }));
    expect(only({ points: waiting(0, 400, 1) })).toMatchObject({ kind: 'cold-start', severity: 'warning' });
    expect(only({ points: waiting(0, 115, null) }).kind).toBe('cold-start');
    expect(only({ points: waiting(0, 120, null) }).kind).toBe('no-workers');
    const earlier = [...waiting(0, 15, null), pointAt(20, { running: 2, inProgress: 2 }), pointAt(30)];
    expect(only({ points: [...earlier, ...waiting(40, 80, null)] })).toMatchObject({
      kind: 'cold-start',
      severity: 'warning',
    });
    expect(only({ points: [...earlier, ...waiting(40, 80, null)] }).evidence).toContain('Earlier start: 20 s');
    expect(only({ points: [...earlier, ...waiting(40, 100, null)] }).kind).toBe('no-workers');
  });

  it('of ten seconds is a notice, and one of three is nothing', () => {
    expect(kindsOf({ points: pointsFrom(0, 3, 1, () => ({ inQueue: 1 })) })).toEqual([]);
    expect(only({ points: pointsFrom(0, 10, 1, () => ({ inQueue: 1 })) })).toMatchObject({
      kind: 'cold-start',
      severity: 'notice',
      sinceMs: startMs,
    });
  });
});

describe('outlives-ttl', () => {
  const ttlIn = (secondsLeft: number) => ({ ttlEndsAtMs: startMs + 240_000 + secondsLeft * 1_000 });
  const twelve = (secondsLeft: number) => Array.from({ length: 12 }, (_, index) => liveJob(index, ttlIn(secondsLeft)));
  const ttlOf = (given: Partial<DiagnosisInput>) =>
    diagnose(inputOf(given)).find(({ kind }) => kind === 'outlives-ttl');

  it('counts the jobs whose turn comes too late, and is certain only if even the fastest pace does not save them', () => {
    // Three a minute: the twelfth comes in four minutes, at twice the pace in two.
    expect(ttlOf({ points: busy, liveJobs: twelve(300) })).toBeUndefined();
    expect(ttlOf({ points: busy, liveJobs: twelve(205) })).toMatchObject({
      severity: 'warning',
      headline: '2 of your 12 waiting jobs outlive their ttl, the first in 3:25',
    });
    expect(ttlOf({ points: busy, liveJobs: twelve(60) })).toMatchObject({
      severity: 'critical',
      headline: '9 of your 12 waiting jobs outlive their ttl, the first in 1:00',
    });
  });

  it('adds the run time of a job, and spreads other clients’ jobs among ours', () => {
    expect(ttlOf({ points: busy, liveJobs: twelve(300), execution: { p50Ms: 120_000, p95Ms: 150_000 } })).toMatchObject(
      { severity: 'warning' },
    );
    const two = [liveJob(0, ttlIn(130)), liveJob(1, ttlIn(130))];
    expect(ttlOf({ points: busy, liveJobs: two })?.headline).toBe(
      '1 of your 2 waiting jobs outlives its ttl, the first in 2:10',
    );
  });

  it('uses the usual run time if too few jobs ended', () => {
    const points = pointsFrom(0, 240, 5, () => ({ inQueue: 12, inProgress: 2, running: 2 }));
    expect(ttlOf({ points, liveJobs: twelve(600) })).toBeUndefined();
    expect(ttlOf({ points, liveJobs: twelve(600), execution: { p50Ms: 300_000, p95Ms: 400_000 } })).toMatchObject({
      severity: 'critical',
    });
  });

  it('is not reported if the ttl is unknown, or over', () => {
    expect(ttlOf({ points: busy, liveJobs: twelve(-5) })).toBeUndefined();
    expect(ttlOf({ points: busy, liveJobs: [liveJob(0)] })).toBeUndefined();
  });
});

describe('near-timeout', () => {
  it('accepts a timeout in either form (ruling 14), and one that only its run time shows', () => {
    const forms = [
      { status: 'TIMED_OUT' },
      { status: 'FAILED', isTimedOut: true },
      { status: 'FAILED', executionTimeMs: 600_010 },
    ];
    for (const form of forms)
      expect(only({ recentEnds: [endAt(-5, form)] })).toMatchObject({
        kind: 'near-timeout',
        severity: 'warning',
        sinceMs: startMs - 5_000,
      });
    expect(kindsOf({ recentEnds: [endAt(-5, { status: 'FAILED', executionTimeMs: 4_000 })] })).toEqual([]);
  });

  it('is critical if most time out, and over after five good ends', () => {
    const out = [-60, -50, -40].map((atS) => endAt(atS, { isTimedOut: true, status: 'FAILED' }));
    const good = (count: number) => Array.from({ length: count }, (_, index) => endAt(-30 + index));
    expect(only({ recentEnds: [...out, ...good(3)] }).severity).toBe('critical');
    expect(only({ recentEnds: [...out, ...good(4)] }).severity).toBe('warning');
    expect(kindsOf({ recentEnds: [...out, ...good(5)] })).toEqual([]);
  });

  it('warns of jobs with less time than jobs here usually take', () => {
    const allowed = (executionTimeoutMs: number) => ({
      liveJobs: [liveJob(-1, { executionTimeoutMs })],
      execution: { p50Ms: 20_000, p95Ms: 60_000 },
    });
    expect(kindsOf(allowed(60_001))).toEqual([]);
    expect(only(allowed(60_000))).toMatchObject({
      severity: 'notice',
      headline: '1 active job allowed 1:00, and jobs here take 20 s to 1:00',
    });
    expect(only(allowed(20_000)).severity).toBe('warning');
  });

  it('reports a running job with little of its time left', () => {
    const running = (seenS: number) => [liveJob(-600, { startedSeenAtMs: startMs - seenS * 1_000 })];
    expect(kindsOf({ liveJobs: running(479) })).toEqual([]);
    expect(only({ liveJobs: running(480) })).toMatchObject({
      kind: 'near-timeout',
      severity: 'notice',
      headline: '1 running job close to the executionTimeout of 10:00',
    });
  });
});

describe('results-expiring', () => {
  const left = (seconds: number, operation: 'run' | 'runsync', part: 'result' | 'stream' = 'result') => {
    const leavesAtMs = startMs + seconds * 1_000;
    return {
      unsavedResults: [{ key: 'a', operation, part, knownAtMs: leavesAtMs - retentionMs[operation], leavesAtMs }],
    };
  };

  it.each([
    [1_700, 'run', null],
    [601, 'run', null],
    [600, 'run', 'warning'],
    [120, 'run', 'critical'],
    [-1, 'run', 'critical'],
    [60, 'runsync', null],
    [26, 'runsync', null],
    [25, 'runsync', 'warning'],
    [12, 'runsync', 'critical'],
    [-100, 'runsync', 'critical'],
  ] as const)('%d s left of a %s result: %s', (seconds, operation, severity) => {
    expect(diagnose(inputOf(left(seconds, operation))).map((finding) => finding.severity)).toEqual(
      severity === null ? [] : [severity],
    );
  });

  it('is reported even after the time is over, because the result may still be there', () => {
    expect(only(left(-30, 'runsync')).headline).toBe('1 result not read, and the time to read it may be over');
  });

  it('includes the rest of a stream, as long as it can still be there', () => {
    expect(only(left(60, 'run', 'stream'))).toMatchObject({
      headline: '1 stream may expire on the service unread in 1:00',
      severity: 'critical',
    });
    expect(only(left(60, 'run', 'stream')).evidence).toContain('1 stream not read to the end');
    expect(diagnose(inputOf(left(-1, 'run', 'stream')))).toEqual([]);
  });

  it('comes first among findings of the same severity', () => {
    const findings = diagnose(
      inputOf({
        points: pointsFrom(0, 400, 5, () => ({ inQueue: 3, initializing: 0 })),
        ...left(410, 'run'),
        recentEnds: [endAt(390, { isTimedOut: true })],
      }),
    );
    expect(findings.map(({ kind, severity }) => `${kind} ${severity}`)).toEqual([
      'results-expiring critical',
      'no-workers critical',
      'near-timeout warning',
    ]);
  });
});
