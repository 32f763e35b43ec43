import type { DiagnosisInput } from '../../src-main/health/diagnosis.ts';
import { OurJobs } from '../../src-main/health/our-jobs.ts';
import type { Dialect } from '../../src-main/sandbox/specification.ts';
import type { HealthPoint } from '../../src-preload/health.ts';
import type { Job, SubmitOperation } from '../../src-preload/job.ts';
import { aJob } from './a-job.ts';

/**
 * How a job of a recording goes: it ends well, its handler throws, its worker falls over, or it never ends of itself.
 */
export type JobCourse = 'return' | 'fail' | 'crash' | 'hang';

/** Jobs that are submitted at one moment, or one after another. */
export interface Submissions {
  count: number;
  /** Between two of them, in seconds; 0 or left out: all at once. */
  everyS?: number;
  /** How long they run; of several the first job takes the first, and so on, over and over. */
  runS?: number | readonly number[];
  /** As `runS`, over and over. */
  how?: JobCourse | readonly JobCourse[];
  ttlS?: number;
  timeoutS?: number;
  operation?: SubmitOperation;
  /** Somebody else's: the app does not know of them. */
  isForeign?: boolean;
  /** Its result is not fetched by the app. */
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
  /** Workers fall over so long after they began to start; null: they become ready again. */
  | { startsDieAfterS: number | null }
  | { retryFailed: true }
  | { purge: true }
  | { restartService: true }
  /** The app is closed: no readings for so long. */
  | { closedForS: number }
);

/** A scenario, as it is played against the sandbox. */
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
 * [acceptedAt, startedAt, endedAt, status, executionTimeout, ttlEndsAt, operation, isUnread]: a job of the app's own.
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

/** What was read, with the app's own jobs. All times are milliseconds since the recording began. */
export interface HealthRecording {
  name: string;
  about: string;
  dialect: Dialect;
  readings: RecordedReading[];
  jobs: RecordedJob[];
}

/** When recordings are said to have begun. */
export const recordingStartMs = 1_700_000_000_000;

/** A reading as the app keeps it. */
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
    mostInQueue: inQueue,
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

/**
 * What the app would judge the endpoint by when it had the reading numbered `index`: its own reckoning of its own jobs.
 */
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
    .filter((ms) => ms !== null)
    .sort((a, b) => a - b);
  const rank = (share: number): number => execution[Math.max(0, Math.ceil(share * execution.length) - 1)] ?? 0;
  return {
    points,
    nowMs,
    ...ourJobs.at(nowMs),
    execution: execution.length < 3 ? null : { p50Ms: rank(0.5), p95Ms: rank(0.95) },
  };
}

/**
 * The job as the app knows it: looked at just now, or, where it is not read, not since it was accepted, whatever became
 * of it. Null: it is not submitted yet.
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
  if (isUnread) return aJob({ ...of, phase: 'active', status: 'IN_QUEUE', lastCheckedAtMs: null });
  const startedSeenAtMs = startedAtMs <= nowMs ? startedAtMs : null;
  if (endedAtMs > nowMs)
    return aJob({
      ...of,
      phase: 'active',
      status: startedSeenAtMs === null ? 'IN_QUEUE' : 'IN_PROGRESS',
      startedSeenAtMs,
      lastCheckedAtMs: nowMs,
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
