import type { DiagnosisInput, LiveJob } from './input.ts';
import type { Readings } from './readings.ts';
import { countOf, spanWords } from './words.ts';

/** From here on a reading's age is told along with what is concluded from it. */
const tellAgeFromMs = 15_000;

/**
 * Our jobs that wait in the queue, in the order in which they were accepted. Jobs are not looked at one by one while
 * the health tells enough: of those that nobody saw start, the oldest beyond what the queue holds have started.
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

/** "12 jobs waiting, the oldest for 4:12": the age is of our own jobs, no other is known. */
export function waitingWords(input: DiagnosisInput, { latest }: Readings): string {
  const { inQueue } = latest;
  const ours = waitingJobs(input, { latest });
  const [oldest] = ours;
  const words = `${countOf(inQueue, 'job')} waiting`;
  if (oldest === undefined || oldest.acceptedAtMs >= input.nowMs) return words;
  const waited = spanWords(input.nowMs - oldest.acceptedAtMs);
  if (inQueue === 1) return `${words} for ${waited}`;
  return `${words}, ${ours.length >= inQueue ? 'the oldest' : 'one of ours'} for ${waited}`;
}

/** The age of what is judged by, where it is worth telling. */
export function ageEvidence({ nowMs }: Pick<DiagnosisInput, 'nowMs'>, { latest }: Readings): string[] {
  const ageMs = nowMs - latest.atMs;
  return ageMs < tellAgeFromMs ? [] : [`Health as of ${spanWords(ageMs)} ago`];
}
