import { evidenceText, waitingText } from '../../messages/health/common.ts';
import type { DiagnosisInput, LiveJob } from './input.ts';
import type { Readings } from './readings.ts';

/** From this age on, the age of a reading is part of the evidence. */
const reportAgeFromMs = 15_000;

/**
 * Our jobs in the queue, in the order in which they were accepted. They are not read individually while the health says
 * enough. So if the queue is shorter, the oldest of the jobs whose start was not seen must have started.
 */
export function waitingJobs(
  { liveJobs }: Pick<DiagnosisInput, 'liveJobs'>,
  { latest }: Pick<Readings, 'latest'>,
): LiveJob[] {
  const unstarted = liveJobs
    .filter(({ startedSeenAtMs }) => startedSeenAtMs === null)
    .sort((a, b) => a.acceptedAtMs - b.acceptedAtMs);
  const counted = unstarted.filter(({ acceptedAtMs }) => acceptedAtMs <= latest.atMs).length;
  return unstarted.slice(Math.max(0, counted - latest.inQueue));
}

/** "12 jobs waiting, the oldest for 4:12": the age is that of our own jobs, because no other is known. */
export function whatWaits(input: DiagnosisInput, { latest }: Readings): string {
  const { inQueue } = latest;
  const ours = waitingJobs(input, { latest });
  const [oldest] = ours;
  if (oldest === undefined || oldest.acceptedAtMs >= input.nowMs) return waitingText.jobs(inQueue);
  const waitedMs = input.nowMs - oldest.acceptedAtMs;
  if (inQueue === 1) return waitingText.one(waitedMs);
  return ours.length >= inQueue ? waitingText.oldest(inQueue, waitedMs) : waitingText.oneOfYours(inQueue, waitedMs);
}

/** The age of the readings, if it matters. */
export function ageEvidence({ nowMs }: Pick<DiagnosisInput, 'nowMs'>, { latest }: Readings): string[] {
  const ageMs = nowMs - latest.atMs;
  return ageMs < reportAgeFromMs ? [] : [evidenceText.healthAge(ageMs)];
}
