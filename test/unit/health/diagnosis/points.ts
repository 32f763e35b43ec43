import type { HealthPoint } from '../../../../src-preload/health.ts';
import type { DiagnosisInput, LiveJob, RecentEnd } from '../../../../src-main/health/diagnosis/diagnose.ts';
import { aHealthPoint } from '../../../kit/health-point.ts';

export const startMs = 1_700_000_000_000;

/** A reading at a second. Counts that are not given are 0, or not reported. */
export function pointAt(atS: number, counts: Partial<HealthPoint> = {}): HealthPoint {
  return aHealthPoint(startMs + atS * 1_000, counts);
}

/** Readings from one second to another, `everyS` apart. */
export function pointsFrom(
  fromS: number,
  toS: number,
  everyS: number,
  counts: (atS: number) => Partial<HealthPoint>,
): HealthPoint[] {
  return Array.from({ length: Math.floor((toS - fromS) / everyS) + 1 }, (_, index) => fromS + index * everyS).map(
    (atS) => pointAt(atS, counts(atS)),
  );
}

/** The input of a diagnosis, by default at the time of the newest point. */
export function inputOf(given: Partial<DiagnosisInput>): DiagnosisInput {
  return {
    points: [],
    liveJobs: [],
    recentEnds: [],
    unsavedResults: [],
    execution: null,
    nowMs: given.points?.at(-1)?.atMs ?? startMs,
    ...given,
  };
}

export function liveJob(acceptedS: number, more: Partial<LiveJob> = {}): LiveJob {
  return {
    key: `job-${acceptedS}`,
    acceptedAtMs: startMs + acceptedS * 1_000,
    startedSeenAtMs: null,
    ttlEndsAtMs: null,
    executionTimeoutMs: 600_000,
    operation: 'run',
    ...more,
  };
}

export function endAt(atS: number, more: Partial<RecentEnd> = {}): RecentEnd {
  return {
    endedAtMs: startMs + atS * 1_000,
    status: 'COMPLETED',
    executionTimeMs: 1_000,
    executionTimeoutMs: 600_000,
    isTimedOut: false,
    ...more,
  };
}
