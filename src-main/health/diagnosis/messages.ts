import { formatCount, formatCountOf, formatCountdown } from '../../../src-preload/format.ts';
import type { DiagnosisInput, LiveJob } from './input.ts';
import type { Readings } from './readings.ts';
import type { CommonCondition } from '../../../src-preload/diagnosis.ts';

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
export function waitingText(input: DiagnosisInput, { latest }: Readings): string {
  const { inQueue } = latest;
  const ours = waitingJobs(input, { latest });
  const [oldest] = ours;
  const jobsText = `${formatCountOf(inQueue, 'job')} waiting`;
  if (oldest === undefined || oldest.acceptedAtMs >= input.nowMs) return jobsText;
  const waited = durationText(input.nowMs - oldest.acceptedAtMs);
  if (inQueue === 1) return `${jobsText} for ${waited}`;
  return `${jobsText}, ${ours.length >= inQueue ? 'the oldest' : 'one of yours'} for ${waited}`;
}

/** The age of the readings, if it matters. */
export function ageEvidence({ nowMs }: Pick<DiagnosisInput, 'nowMs'>, { latest }: Readings): string[] {
  const ageMs = nowMs - latest.atMs;
  return ageMs < reportAgeFromMs ? [] : [`Health as of ${durationText(ageMs)} ago`];
}

/**
 * A duration in a finding: "0 s", "42 s", "4:12", "23:59:19" (design language: Numbers, without fractions, because
 * these are estimates).
 */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : formatCountdown(seconds * 1_000);
}

/** A rate per minute, with one decimal below ten. */
export function rate(perMinute: number): string {
  return perMinute < 10 ? perMinute.toFixed(1) : formatCount(Math.round(perMinute));
}

/** A whole percentage: "80 %". */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** spec: Errors, table "Common conditions", word for word. */
export const commonConditions = {
  staysInQueue: { condition: 'Job stays in queue', likelyCause: 'No worker available, or max workers reached.' },
  timeout: { condition: 'Timeout', likelyCause: 'Job ran longer than executionTimeout.' },
  endsFailed: { condition: 'Job ends FAILED', likelyCause: 'Worker error or input validation problem.' },
  resultMissing: {
    condition: 'Result missing',
    likelyCause: 'Result retention elapsed (30 minutes for run, 1 minute for runsync).',
  },
} as const satisfies Record<string, CommonCondition>;
