import { endpointKey } from '../../../src-preload/endpoint-key.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { mayOutputCome, type Job } from '../../../src-preload/job.ts';
import { Alarm } from '../../time/timers.ts';
import type { JobContext } from '../context/job-context.ts';
import type { LedgerChange } from '../store/ledger.ts';
import type { ReadStatusAgain } from './check-now.ts';

/** How long after its end was seen such a job is read again. */
const readsAfterMs = [5_000, 30_000, 120_000, 600_000, 1_500_000] as const;
/** A read without an answer is repeated after this time. */
const repeatAfterMs = 30_000;
/** Anyone who knows the path of a webhook can call it at any rate. */
const leastPauseMs = 10_000;
/**
 * The handlers of many endpoints return nothing. After this many reads without an output, an endpoint's jobs are no
 * longer read again, until one of them has an output.
 */
const mostWithoutOutput = 6;
/** How many jobs of an endpoint are read again at the same time, before and after one was found to have an output. */
const mostAtOnce = { unproven: 20, proven: 200 } as const;
/** How many of the newest completed jobs of earlier runs are checked at a start. */
const mostResumed = 500;

/**
 * Jobs that completed without output. A service may report the end before it has the output (ruling 30), so their
 * status is read a few times more while the service may have it.
 */
export interface LateOutputs {
  /** Resumes those of earlier runs. */
  start(): Promise<void>;
  /** What was committed. */
  note(changes: readonly LedgerChange[]): void;
  /** Jobs that were deleted are no longer read. */
  removed(keys: readonly string[]): void;
  /** A webhook call named this job. If it is one of these, it is read soon (ruling 25: a hint, no more). */
  hinted(jobId: string): void;
  close(): void;
}

interface Waiting {
  job: Job;
  /** How many reads were answered. */
  reads: number;
  askedAtMs: number;
  atMs: number;
}

interface OfEndpoint {
  readsWithoutOutput: number;
  /** One of its jobs had an output later. */
  isProven: boolean;
}

/** `readStatusAgain` reads the status once. An output in the reply is saved. */
export function createLateOutputs(
  { history, clock, pausing, onTrouble }: JobContext,
  readStatusAgain: ReadStatusAgain,
): LateOutputs {
  const waiting = new Map<string, Waiting>();
  const endpoints = new Map<string, OfEndpoint>();
  const alarm = new Alarm(clock, readDue);
  let isClosed = false;

  function endpointOf({ connectionId, endpointId }: Job): OfEndpoint {
    const key = endpointKey(connectionId, endpointId);
    const known = endpoints.get(key) ?? { readsWithoutOutput: 0, isProven: false };
    endpoints.set(key, known);
    return known;
  }

  /** Its endpoint returns outputs. If this one was awaited, they come late. */
  function noteOutput(job: Job): void {
    const endpoint = endpointOf(job);
    endpoint.readsWithoutOutput = 0;
    endpoint.isProven ||= waiting.has(job.key);
  }

  function isWorthIt(job: Job): boolean {
    const { readsWithoutOutput, isProven } = endpointOf(job);
    return isProven || readsWithoutOutput < mostWithoutOutput;
  }

  function waitingAt(job: Job): number {
    let count = 0;
    for (const { job: other } of waiting.values())
      if (other.connectionId === job.connectionId && other.endpointId === job.endpointId) count += 1;
    return count;
  }

  function add(job: Job): void {
    if (waiting.has(job.key) || !isWorthIt(job)) return;
    if (waitingAt(job) >= mostAtOnce[endpointOf(job).isProven ? 'proven' : 'unproven']) return;
    const entry: Waiting = { job, reads: 0, askedAtMs: 0, atMs: 0 };
    const passed = readsAfterMs.findIndex((afterMs) => endedAtMs(job) + afterMs > clock.now());
    if (passed === -1) return;
    entry.reads = passed;
    plan(entry);
  }

  /** Until the next read, or not at all if the service has deleted the job by then. */
  function plan(entry: Waiting): void {
    const afterMs = readsAfterMs[entry.reads];
    entry.atMs = endedAtMs(entry.job) + (afterMs ?? Infinity);
    if (mayOutputCome(entry.job, entry.atMs)) waiting.set(entry.job.key, entry);
    else waiting.delete(entry.job.key);
  }

  function arm(): void {
    if (isClosed || waiting.size === 0) return alarm.cancel();
    alarm.set(Math.min(...[...waiting.values()].map(({ atMs }) => atMs)));
  }

  function readDue(): void {
    const nowMs = clock.now();
    for (const [key, entry] of waiting) {
      if (entry.atMs > nowMs) continue;
      entry.atMs = nowMs + repeatAfterMs;
      if (!mayOutputCome(entry.job, nowMs) || !isWorthIt(entry.job)) waiting.delete(key);
      else if (!pausing.isPaused) readOne(entry).catch(onTrouble);
    }
    arm();
  }

  async function readOne(entry: Waiting): Promise<void> {
    entry.askedAtMs = clock.now();
    const read = await readStatusAgain(entry.job);
    // Its output came and was committed, or it was deleted.
    if (isClosed || waiting.get(entry.job.key) !== entry) return;
    if (read.ok) {
      entry.reads += 1;
      endpointOf(entry.job).readsWithoutOutput += 1;
      plan(entry);
    } else if (read.failure.kind === 'not-found') waiting.delete(entry.job.key);
    arm();
  }

  return {
    async start() {
      const { jobs } = await history.list({ ...emptyFilter, statuses: ['completed'] }, null, mostResumed);
      for (const job of jobs) if (mayOutputCome(job, clock.now())) add(job);
      arm();
    },
    note(changes) {
      let isChanged = false;
      for (const { after } of changes) {
        const isAwaited = mayOutputCome(after, clock.now());
        if (after.phase === 'finished' && after.outputBytes > 0) noteOutput(after);
        if (isAwaited) add(after);
        else if (!waiting.delete(after.key)) continue;
        isChanged = true;
      }
      if (isChanged) arm();
    },
    removed(keys) {
      for (const key of keys) waiting.delete(key);
      arm();
    },
    hinted(jobId) {
      for (const each of waiting.values())
        if (each.job.jobId === jobId)
          each.atMs = Math.min(each.atMs, Math.max(clock.now(), each.askedAtMs + leastPauseMs));
      arm();
    },
    close() {
      isClosed = true;
      alarm.cancel();
    },
  };
}

function endedAtMs({ finishedSeenAtMs, createdAtMs }: Job): number {
  return finishedSeenAtMs ?? createdAtMs;
}
