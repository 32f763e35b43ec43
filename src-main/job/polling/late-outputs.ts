import { endpointKey } from '../../../src-preload/endpoint-key.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { mayOutputCome, type Job } from '../../../src-preload/job.ts';
import type { JobContext } from '../context/job-context.ts';
import type { ReadStatusAgain } from './check-now.ts';
import { PlannedReads, type EndedJobReads, type PlannedRead } from './ended-job-reads.ts';

/** How long after its end was seen such a job is read again. */
const readsAfterMs = [5_000, 30_000, 120_000, 600_000, 1_500_000] as const;
/** A read without an answer is repeated after this time. */
const repeatAfterMs = 30_000;
/**
 * The handlers of many endpoints return nothing. After this many reads without an output, an endpoint's jobs are no
 * longer read again, until one of them has an output.
 */
const mostWithoutOutput = 6;
/** How many jobs of an endpoint are read again at the same time, before and after one was found to have an output. */
const mostAtOnce = { unproven: 20, proven: 200 } as const;
/** How many of the newest completed jobs of earlier runs are checked at a start. */
const mostResumed = 500;

interface LateRead extends PlannedRead {
  /** How many reads were answered. */
  reads: number;
}

interface OfEndpoint {
  readsWithoutOutput: number;
  /** One of its jobs had an output later. */
  isProven: boolean;
}

/**
 * Jobs that completed without output. A service may report the end before it has the output (ruling 30), so their
 * status is read a few times more while the service may have it. `readStatusAgain` reads the status once. An output in
 * the reply is saved.
 */
export function createLateOutputs(
  { history, clock, pausing, onTrouble }: JobContext,
  readStatusAgain: ReadStatusAgain,
): EndedJobReads {
  const planned = new PlannedReads<LateRead>(clock, readDue);
  const endpoints = new Map<string, OfEndpoint>();

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
    endpoint.isProven ||= planned.get(job.key) !== undefined;
  }

  function isWorthIt(job: Job): boolean {
    const { readsWithoutOutput, isProven } = endpointOf(job);
    return isProven || readsWithoutOutput < mostWithoutOutput;
  }

  function waitingAt(job: Job): number {
    let count = 0;
    for (const { job: other } of planned.all())
      if (other.connectionId === job.connectionId && other.endpointId === job.endpointId) count += 1;
    return count;
  }

  function add(job: Job): void {
    if (planned.get(job.key) !== undefined || !isWorthIt(job)) return;
    if (waitingAt(job) >= mostAtOnce[endpointOf(job).isProven ? 'proven' : 'unproven']) return;
    const passed = readsAfterMs.findIndex((afterMs) => endedAtMs(job) + afterMs > clock.now());
    if (passed !== -1) planNext({ job, reads: passed, fromMs: 0, atMs: 0 });
  }

  /** Until the next read, or not at all if the service has deleted the job by then. */
  function planNext(read: LateRead): void {
    read.atMs = endedAtMs(read.job) + (readsAfterMs[read.reads] ?? Infinity);
    if (mayOutputCome(read.job, read.atMs)) planned.plan(read);
    else planned.drop(read.job.key);
  }

  function readDue(read: LateRead): void {
    const nowMs = clock.now();
    read.atMs = nowMs + repeatAfterMs;
    if (!mayOutputCome(read.job, nowMs) || !isWorthIt(read.job)) planned.drop(read.job.key);
    else if (!pausing.isPaused) readOne(read).catch(onTrouble);
  }

  async function readOne(read: LateRead): Promise<void> {
    read.fromMs = clock.now();
    const reply = await readStatusAgain(read.job);
    // Its output came and was committed, it was deleted, or the app is closing.
    if (planned.get(read.job.key) !== read) return;
    if (reply.ok) {
      read.reads += 1;
      endpointOf(read.job).readsWithoutOutput += 1;
      planNext(read);
    } else if (reply.failure.kind === 'not-found') planned.drop(read.job.key);
    planned.arm();
  }

  return {
    async start() {
      const { jobs } = await history.list({ ...emptyFilter, statuses: ['completed'] }, null, mostResumed);
      for (const job of jobs) if (mayOutputCome(job, clock.now())) add(job);
      planned.arm();
    },
    note(changes) {
      let isChanged = false;
      for (const { after } of changes) {
        const isAwaited = mayOutputCome(after, clock.now());
        if (after.phase === 'finished' && after.outputBytes > 0) noteOutput(after);
        if (isAwaited) add(after);
        else if (!planned.drop(after.key)) continue;
        isChanged = true;
      }
      if (isChanged) planned.arm();
    },
    removed: (keys) => planned.removed(keys),
    hinted: (jobId) => planned.hinted(jobId),
    close: () => planned.close(),
  };
}

function endedAtMs({ finishedSeenAtMs, createdAtMs }: Job): number {
  return finishedSeenAtMs ?? createdAtMs;
}
