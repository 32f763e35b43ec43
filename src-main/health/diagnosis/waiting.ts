import { waitText, type Diagnosis } from '../../../src-preload/diagnosis.ts';
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
export function whatWaits(input: DiagnosisInput, readings: Readings): string {
  return waitingHeadline(input, readings, '').headline;
}

/**
 * A headline that begins with what waits, followed by `end`. If it says how long a job has waited, its parts come too,
 * so that a window can keep counting.
 */
export function waitingHeadline(
  input: DiagnosisInput,
  { latest }: Readings,
  end: string,
): Pick<Diagnosis, 'headline' | 'waited'> {
  const { inQueue } = latest;
  const ours = waitingJobs(input, { latest });
  const [oldest] = ours;
  if (oldest === undefined || oldest.acceptedAtMs >= input.nowMs)
    return { headline: `${waitingText.jobs(inQueue)}${end}` };
  const before =
    inQueue === 1
      ? waitingText.oneFor
      : ours.length >= inQueue
        ? waitingText.oldestFor(inQueue)
        : waitingText.oneOfYoursFor(inQueue);
  const waited = { before, sinceMs: oldest.acceptedAtMs, after: end };
  return { headline: `${before}${waitText(input.nowMs - waited.sinceMs)}${end}`, waited };
}

/** The age of the readings, if it matters. */
export function ageEvidence({ nowMs }: Pick<DiagnosisInput, 'nowMs'>, { latest }: Readings): string[] {
  const ageMs = nowMs - latest.atMs;
  return ageMs < reportAgeFromMs ? [] : [evidenceText.healthAge(ageMs)];
}
