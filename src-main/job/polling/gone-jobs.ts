import { dayMs, hourMs, minuteMs } from '../../../src-preload/durations.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { latestTtlEndMs, mayBeOver } from '../reducer/ending.ts';
import type { JobContext } from '../context/job-context.ts';
import type { ReadStatusAgain } from './check-now.ts';
import { PlannedReads, waitAskedForMs, type EndedJobReads, type PlannedRead } from './ended-job-reads.ts';

/** How often a gone job is read: while its result may be there, for some hours, and for the rest of a day. */
const soonEveryMs = { run: 120_000, runsync: 30_000 } as const;
const laterEveryMs = 11 * minuteMs;
const rarelyEveryMs = 47 * minuteMs;
const soonForMs = 30 * minuteMs;
const laterForMs = 3 * hourMs;
const maxMs = dayMs;
/** Thousands of jobs may be purged at once. Their reads are this far apart. */
const purgedApartMs = 100;
/** How many gone jobs of earlier runs are read again: the newest of them. */
const maxResumed = 500;

/**
 * Jobs that are gone because the service said so, although their ttl has not ended (ruling 34). The service may know
 * them again, so they are read less and less often until the ttl must have ended, for a day at most. `readStatusAgain`
 * reads the status once. A job that the service knows is live again.
 *
 * A job that was purged from here is read a second time, because one answer was enough to call it gone: a worker may
 * have taken it just before the purge.
 */
export function createGoneJobs(context: JobContext, readStatusAgain: ReadStatusAgain): EndedJobReads {
  const { history, clock, onTrouble } = context;
  const reads = new PlannedReads<PlannedRead>(context, readDue);
  let lastOfPurgedMs = -Infinity;

  function add(job: Job): void {
    const nowMs = clock.now();
    let atMs = nowMs + pauseMs(job, nowMs);
    if (job.goneReason === 'purged') {
      atMs = Math.max(atMs, lastOfPurgedMs + purgedApartMs);
      lastOfPurgedMs = atMs;
    }
    reads.plan({ job, fromMs: nowMs, atMs });
  }

  function readDue({ job }: PlannedRead): void {
    if (isWorthReading(job, clock.now())) add(job);
    else reads.drop(job.key);
    readOne(job).catch(onTrouble);
  }

  async function readOne(job: Job): Promise<void> {
    const reply = await readStatusAgain(job);
    const planned = reads.get(job.key);
    if (reply.ok || planned === undefined) return;
    if (job.goneReason === 'purged' && reply.failure.kind === 'not-found') return reads.removed([job.key]);
    planned.atMs = Math.max(planned.atMs, clock.now() + waitAskedForMs(reply.failure));
    reads.arm();
  }

  return {
    async start() {
      const { jobs } = await history.list({ ...emptyFilter, statuses: ['gone'] }, null, maxResumed);
      for (const job of jobs) if (isWorthReading(job, clock.now())) add(job);
      reads.arm();
    },
    note(changes) {
      let isChanged = false;
      for (const { after } of changes) {
        if (isWorthReading(after, clock.now())) add(after);
        else if (!reads.drop(after.key)) continue;
        isChanged = true;
      }
      if (isChanged) reads.arm();
    },
    resume: () => reads.arm(),
    removed: (keys) => reads.removed(keys),
    hinted: (jobId) => reads.hinted(jobId),
    close: () => reads.close(),
  };
}

function isWorthReading(job: Job, nowMs: number): boolean {
  if (job.phase !== 'gone' || nowMs >= latestTtlEndMs(job)) return false;
  switch (job.goneReason) {
    case 'purged':
      return goneForMs(job, nowMs) < soonForMs;
    case 'expired':
    case 'unknown-endpoint':
      return goneForMs(job, nowMs) < maxMs;
    case 'sandbox-restarted':
    case 'too-large':
    case null:
      return false;
  }
}

function pauseMs(job: Job, nowMs: number): number {
  const goneMs = goneForMs(job, nowMs);
  return goneMs < soonForMs && !mayBeOver(job, nowMs)
    ? soonEveryMs[job.operation]
    : goneMs < laterForMs
      ? laterEveryMs
      : rarelyEveryMs;
}

function goneForMs({ finishedSeenAtMs }: Job, nowMs: number): number {
  return nowMs - (finishedSeenAtMs ?? nowMs);
}
