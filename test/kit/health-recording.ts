import type { DiagnosisInput } from '../../src-main/health/diagnosis/diagnose.ts';
import { OurJobs } from '../../src-main/health/our-jobs.ts';
import { percentile } from '../../src-main/history/jobs/run-times.ts';
import type { Dialect } from '../../src-main/sandbox/specification.ts';
import type { HealthPoint } from '../../src-preload/health.ts';
import type { Job, SubmitOperation } from '../../src-preload/job.ts';
import { aJob } from './a-job.ts';

/** The course of a recording's job: it ends well, its handler throws, its worker crashes, or it never ends. */
export type JobCourse = 'return' | 'fail' | 'crash' | 'hang';

/** Jobs that are submitted at one moment, or one after another. */
export interface Submissions {
  count: number;
  /** Seconds between two of them. 0 or not given: all at the same time. */
  everyS?: number;
  /** How long they run, in seconds. A list is used in order, repeatedly: the first job takes the first item. */
  runS?: number | readonly number[];
  /** Like `runS`, repeatedly. */
  how?: JobCourse | readonly JobCourse[];
  ttlS?: number;
  timeoutS?: number;
  operation?: SubmitOperation;
  /** Another client's jobs, which the app does not know. */
  isForeign?: boolean;
  /** The app does not fetch its result. */
  isUnread?: boolean;
  isLowPriority?: boolean;
}

export interface RecordingWorkers {
  minWorkers: number;
  maxWorkers: number;
  coldStartS: number;
  idleTimeoutS: number;
  throttledWorkers: number;
}

/** Something that happens at a second of a recording. */
export type RecordingStep = { atS: number } & (
  | { submit: Submissions }
  | { workers: Partial<RecordingWorkers> }
  /** Workers crash this long after they began to start. Null: they become ready again. */
  | { startsDieAfterS: number | null }
  | { retryFailed: true }
  | { purge: true }
  | { restartService: true }
  /** The app is closed: no readings for this long. */
  | { closedForS: number }
);

/** A scenario to be played against the sandbox. */
export interface RecordingScenario {
  name: string;
  /** One sentence. */
  about: string;
  workers: Partial<RecordingWorkers>;
  /** See the sandbox's endpoint. */
  crashRetries?: number;
  /** Between two readings, in seconds of the service's time. */
  everyS: number;
  lastsS: number;
  steps: readonly RecordingStep[];
}

/**
 * [at, inQueue, inProgress, running, idle, completed, failed, retried] and, in `observed`, [initializing, ready,
 * throttled, unhealthy].
 */
export type RecordedReading = readonly number[];

/**
 * [acceptedAt, startedAt, endedAt, status, executionTimeout, ttlEndsAt, operation, isUnread]: one of the app's own
 * jobs.
 */
export type RecordedJob = readonly [
  number,
  number | null,
  number | null,
  string | null,
  number,
  number,
  SubmitOperation,
  boolean,
];

/** The readings, with the app's own jobs. All times are milliseconds since the recording began. */
export interface HealthRecording {
  name: string;
  about: string;
  dialect: Dialect;
  readings: RecordedReading[];
  jobs: RecordedJob[];
}

/** The start time that is given to recordings. */
export const recordingStartMs = 1_700_000_000_000;

/** A reading in the app's own form. */
export function pointOf(reading: RecordedReading): HealthPoint {
  const [
    at = 0,
    inQueue = 0,
    inProgress = 0,
    running = 0,
    idle = 0,
    completed = 0,
    failed = 0,
    retried = 0,
    ...workers
  ] = reading;
  const [initializing = null, ready = null, throttled = null, unhealthy = null] = workers;
  return {
    atMs: recordingStartMs + at,
    spanMs: 0,
    inQueue,
    maxInQueue: inQueue,
    inProgress,
    running,
    idle,
    initializing,
    ready,
    throttled,
    unhealthy,
    completed,
    failed,
    retried,
  };
}

/** What the app would judge the endpoint by at the reading numbered `index`, with the jobs it would know then. */
export function inputAt(recording: HealthRecording, index: number): DiagnosisInput {
  const points = recording.readings.slice(0, index + 1).map(pointOf);
  const nowMs = points.at(-1)?.atMs ?? recordingStartMs;
  const known = recording.jobs
    .map((recorded, number) => jobAt(recorded, number, nowMs, recording.dialect))
    .filter((job) => job !== null);
  const ourJobs = new OurJobs();
  for (const job of known) ourJobs.take(job);
  const execution = known
    .filter(({ phase, status }) => phase === 'finished' && status === 'COMPLETED')
    .map(({ executionTimeMs }) => executionTimeMs)
    .filter((ms) => ms !== null);
  const rank = (share: number): number => percentile(execution, share) ?? 0;
  return {
    points,
    nowMs,
    ...ourJobs.at(nowMs),
    execution: execution.length < 3 ? null : { p50Ms: rank(0.5), p95Ms: rank(0.95) },
  };
}

/**
 * The job as the app would know it then: its status was read just now, or, for a job that is not read, it is unchanged
 * since it was accepted. Null: it is not submitted yet.
 */
function jobAt(
  [accepted, started, ended, status, executionTimeout, ttlEnds, operation, isUnread]: RecordedJob,
  number: number,
  nowMs: number,
  dialect: Dialect,
): Job | null {
  const acceptedAtMs = recordingStartMs + accepted;
  if (acceptedAtMs > nowMs) return null;
  const endedAtMs = ended === null ? Infinity : recordingStartMs + ended;
  const startedAtMs = started === null ? Infinity : recordingStartMs + started;
  const of: Partial<Job> = {
    key: `job-${number}`,
    jobId: `id-${number}`,
    operation,
    acceptedAtMs,
    policy: { executionTimeout },
    ttlEndsAtMs: recordingStartMs + ttlEnds,
  };
  if (isUnread) return aJob({ ...of, phase: 'active', status: 'IN_QUEUE', statusReadAtMs: null });
  const startedSeenAtMs = startedAtMs <= nowMs ? startedAtMs : null;
  if (endedAtMs > nowMs)
    return aJob({
      ...of,
      phase: 'active',
      status: startedSeenAtMs === null ? 'IN_QUEUE' : 'IN_PROGRESS',
      startedSeenAtMs,
      statusReadAtMs: nowMs,
    });
  if (status === null) return aJob({ ...of, phase: 'gone', goneReason: 'expired', finishedSeenAtMs: endedAtMs });
  const isTimedOut = status === 'TIMED_OUT' && dialect === 'observed';
  return aJob({
    ...of,
    phase: 'finished',
    isResultSaved: true,
    finishedSeenAtMs: endedAtMs,
    startedSeenAtMs,
    status: isTimedOut ? 'FAILED' : status,
    reason: isTimedOut ? { kind: 'timed-out', limitMs: 600_000, said: null } : null,
    executionTimeMs: startedSeenAtMs === null ? null : endedAtMs - startedSeenAtMs,
  });
}
