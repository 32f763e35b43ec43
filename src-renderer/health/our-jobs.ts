import { queuedSinceMs, type Job } from '../../src-preload/job.ts';
import { knownAtMs } from '../data/certainty.ts';

/** What the pane needs of one of our unfinished jobs at the service. */
export interface OurJob {
  key: string;
  jobId: string | null;
  title: string;
  connectionId: string;
  isWaiting: boolean;
  /** Since when it has been queued: since its retry, if it was retried. */
  sinceMs: number;
  /** When the service last reported on it. Null if its status is not read. */
  knownMs: number | null;
}

/** By key. */
export type OurJobs = Readonly<Record<string, OurJob>>;

/**
 * The jobs after a change: live jobs of the endpoint stay or are added, all others are removed. Returns the same object
 * if nothing changed.
 */
export function withJobs(own: OurJobs, changed: readonly Job[], connectionId: string, endpointId: string): OurJobs {
  const next: Record<string, OurJob> = { ...own };
  let isChanged = false;
  for (const job of changed) {
    if (job.connectionId !== connectionId || job.endpointId !== endpointId) continue;
    if (job.phase !== 'active') {
      if (next[job.key] === undefined) continue;
      delete next[job.key];
      isChanged = true;
      continue;
    }
    const isWaiting = job.status === 'IN_QUEUE' || job.status === null;
    const before = next[job.key];
    const sinceMs = queuedSinceMs(job);
    const knownMs = knownAtMs(job);
    if (before?.isWaiting === isWaiting && before.sinceMs === sinceMs && before.knownMs === knownMs) continue;
    next[job.key] = { key: job.key, jobId: job.jobId, title: job.title, connectionId, isWaiting, sinceMs, knownMs };
    isChanged = true;
  }
  return isChanged ? next : own;
}

/** The job that has waited longest, or null. */
export function oldestWaiting(own: OurJobs): OurJob | null {
  return (
    Object.values(own)
      .filter((job) => job.isWaiting)
      .sort((one, other) => one.sinceMs - other.sinceMs)[0] ?? null
  );
}
