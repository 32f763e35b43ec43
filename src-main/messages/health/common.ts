import type { CommonCondition } from '../../../src-preload/diagnosis.ts';
import { formatCount, formatCountdown, formatCountOf } from '../../../src-preload/format.ts';

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

/** "12 jobs waiting, the oldest for 4:12": the first words of many headlines. All but `jobs` end before the wait. */
export const waitingText = {
  jobs: (jobs: number): string => `${formatCountOf(jobs, 'job')} waiting`,
  oneFor: '1 job waiting for ',
  oldestFor: (jobs: number): string => `${formatCountOf(jobs, 'job')} waiting, the oldest for `,
  /** The age of others' jobs is not known. */
  oneOfYoursFor: (jobs: number): string => `${formatCountOf(jobs, 'job')} waiting, one of yours for `,
};

/** Facts that several findings are based on. */
export const evidenceText = {
  healthAge: (ageMs: number): string => `Health as of ${durationText(ageMs)} ago`,
  /** `count` is null if the service does not report it. */
  starting: (count: number | null): string =>
    count === null ? 'The service does not report starting workers' : `${count} starting`,
  idleAndRunning: (idle: number, running: number): string => `${idle} idle, ${running} running`,
  unhealthy: (count: number): string => `${count} unhealthy`,
};
