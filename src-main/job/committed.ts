import { isFinished, isLive } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Arrivals } from './submission/arrivals.ts';
import type { Batches } from './submission/batches.ts';
import type { Follows } from './follow.ts';
import type { Forecasts } from './forecast/forecasts.ts';
import type { Hints } from './sighting/hints.ts';
import type { GoneJobs } from './gone-jobs.ts';
import type { KeptCounts } from './kept-counts.ts';
import { isEnd } from './ledger.ts';
import type { LedgerChange } from './ledger.ts';
import type { Sightings } from './sighting/sightings.ts';
import type { Strays } from './sighting/strays.ts';
import type { StreamReader } from './stream/stream-reader.ts';
import type { Subscriptions } from './stream/subscriptions.ts';

export interface CommittedParts {
  keptCounts: Pick<KeptCounts, 'note'>;
  streams: Pick<StreamReader, 'release'>;
  follows: Pick<Follows, 'forget'>;
  forecasts: Pick<Forecasts, 'forget'>;
  batches: Pick<Batches, 'noteChanges'>;
  arrivals: Pick<Arrivals, 'committed'>;
  strays: Pick<Strays, 'known'>;
  hints: Pick<Hints, 'accepted'>;
  sightings: Pick<Sightings, 'settled'>;
  subscriptions: Pick<Subscriptions, 'began' | 'ended'>;
  goneJobs: Pick<GoneJobs, 'note'>;
  isClosed: () => boolean;
  /** Plans anew. */
  wake: () => void;
  onJobsChanged: (jobs: Job[]) => void;
  onJobEnded: (job: Job) => void;
}

/** Who hears of what is on disk, and in which order: the windows first, an end last. */
export function createCommitted(parts: CommittedParts): (changes: LedgerChange[]) => void {
  const {
    keptCounts,
    streams,
    follows,
    forecasts,
    batches,
    arrivals,
    strays,
    hints,
    sightings,
    subscriptions,
    goneJobs,
  } = parts;

  function told(change: LedgerChange): void {
    const { before, after } = change;
    if (after.jobId !== null && before?.jobId !== after.jobId) strays.known(after.jobId);
    if (before?.jobId === null && after.phase === 'active') hints.accepted(after);
    sightings.settled(before, after);
    if (before !== null && before.attempt !== after.attempt) subscriptions.began(after.key, after.attempt);
    if (isFinished(after) && (before === null || !isFinished(before)))
      subscriptions.ended(after.key, after.attempt, after.status);
    if (isEnd(change)) parts.onJobEnded(after);
  }

  return (changes) => {
    if (parts.isClosed()) return;
    keptCounts.note(changes);
    const latest = new Map<string, Job>();
    for (const { after } of changes) {
      latest.set(after.key, after);
      if (isLive(after)) continue;
      streams.release(after);
      follows.forget(after.key);
      forecasts.forget(after.key);
    }
    parts.onJobsChanged([...latest.values()]);
    batches.noteChanges(changes);
    arrivals.committed(changes);
    goneJobs.note(changes);
    for (const change of changes) told(change);
    parts.wake();
  };
}
