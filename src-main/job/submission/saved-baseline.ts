import type { HealthPoint } from '../../../src-preload/health.ts';
import type { Job } from '../../../src-preload/job.ts';

/** A saved reading of an endpoint from before submissions of ours left whose answers will never come. */
export interface SavedBaseline {
  reading: HealthPoint;
  /** How many of our jobs the service accepted after it. */
  accepted: number;
  /** The readings before it include jobs that were not ours. */
  areOthersThere: boolean;
}

/**
 * A health reading was requested at most this long before it was saved. A submission in that time may be in it or not.
 */
export const readingTakesMs = 15_000;

interface SavedBaselineInput {
  readings: readonly HealthPoint[];
  ours: readonly Job[];
  crashed: readonly Job[];
}

/**
 * The last of an endpoint's saved `readings` (oldest first) that a later one can be compared with to learn about the
 * submissions `crashed`: at that time none of our submissions was in progress, and all others sent after it were
 * answered. `ours`: all our other jobs there that were in progress or accepted since the first of the readings. Null:
 * there is none. Times are from our clock, epoch milliseconds.
 */
export function savedBaseline({ readings, ours, crashed }: SavedBaselineInput): SavedBaseline | null {
  const all = [...ours, ...crashed];
  const isQuiet = ({ atMs }: HealthPoint): boolean =>
    all.every((job) => !wasInProgress(job, atMs - readingTakesMs, atMs));
  const quiet = readings.filter(({ spanMs }) => spanMs === 0).filter(isQuiet);
  const reading = quiet.at(-1);
  if (reading === undefined || ours.some((job) => movedUncounted(job, reading.atMs))) return null;
  const acceptedSince = (atMs: number): number =>
    ours.filter(({ acceptedAtMs }) => acceptedAtMs !== null && acceptedAtMs > atMs).length;
  const accepted = acceptedSince(reading.atMs);
  const areOthersThere = quiet.some(
    (earlier) => jobsCountedBy(reading) - jobsCountedBy(earlier) !== acceptedSince(earlier.atMs) - accepted,
  );
  return { reading, accepted, areOthersThere };
}

/** How many jobs the endpoint counts, in any state. */
export function jobsCountedBy(point: Pick<HealthPoint, 'completed' | 'failed' | 'inProgress' | 'inQueue'>): number {
  const { completed, failed, inProgress, inQueue } = point;
  return completed + failed + inProgress + inQueue;
}

/** Counters that only rise have fallen: the service was restarted, and its former counters say nothing. */
export function isRestarted(before: Counters, after: Counters): boolean {
  return after.completed < before.completed || after.failed < before.failed || after.retried < before.retried;
}
export type Counters = Pick<HealthPoint, 'completed' | 'failed' | 'retried'>;

/** Whether its submission may have been on its way in that time. One of unknown outcome may arrive at any time. */
function wasInProgress(
  { phase, createdAtMs, acceptedAtMs, finishedSeenAtMs }: Job,
  fromMs: number,
  toMs: number,
): boolean {
  const overAtMs = acceptedAtMs ?? (phase === 'outcome-unknown' ? Infinity : (finishedSeenAtMs ?? Infinity));
  return createdAtMs <= toMs && overAtMs >= fromMs;
}

/** One of our jobs that moves the counters in an unspecified way, or of which it is unknown whether it did. */
function movedUncounted({ phase, status, attempt, createdAtMs, finishedSeenAtMs }: Job, sinceMs: number): boolean {
  if (phase === 'outcome-unknown') return createdAtMs > sinceMs;
  if (finishedSeenAtMs !== null && finishedSeenAtMs <= sinceMs) return false;
  return attempt > 1 || phase === 'gone' || (phase === 'finished' && status !== 'COMPLETED' && status !== 'FAILED');
}
