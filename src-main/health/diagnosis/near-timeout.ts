import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { hasTimedOut, type DiagnosisInput, type LiveJob, type RecentEnd } from './input.ts';
import { commonConditions } from '../../messages/health/common.ts';
import {
  closeToTimeoutText,
  nearTimeoutText,
  shortLimitText,
  timeoutsText,
  type Limits,
} from '../../messages/health/limits.ts';

/** A run is close to its executionTimeout from this share of it on. */
const nearShare = 0.8;
/** Only the newest ends count, up to this age. */
const lookBack = { ends: 20, ms: 1_800_000 } as const;
/** After this many good ends, the last bad one no longer counts. */
const calmEnds = 5;
/** A single slow run is not reported, and neither is a single timeout among this many ends. */
const fewNear = 2;
const manyEnds = 10;
const criticalFrom = { count: 3, share: 0.5 } as const;

/**
 * Our jobs that were ended by, or close to, their executionTimeout (ruling 14: in either form), or soon will be.
 */
export function nearTimeout(input: DiagnosisInput): Diagnosis | null {
  const ends = input.recentEnds
    .filter(
      ({ endedAtMs, executionTimeoutMs }) =>
        endedAtMs <= input.nowMs && endedAtMs >= input.nowMs - lookBack.ms && executionTimeoutMs > 0,
    )
    .sort((a, b) => a.endedAtMs - b.endedAtMs)
    .slice(-lookBack.ends);
  const isCalm = ends.length >= calmEnds && ends.slice(-calmEnds).every((end) => !hasTimedOut(end) && !cameClose(end));
  const out = isCalm ? [] : ends.filter(hasTimedOut);
  const near = isCalm ? [] : ends.filter((end) => !hasTimedOut(end) && cameClose(end));
  const late = input.liveJobs.filter((job) => isLate(job, input.nowMs));
  const isNews = near.length >= fewNear || (near.length > 0 && near.length === ends.length);
  if (out.length === 0 && !isNews && late.length === 0) return ofShortLimits(input);
  return out.length > 0 ? ofTimeouts(ends, out, near, late) : ofNear(input, ends, isNews ? near : [], late);
}

/** Jobs that are allowed less time than jobs here usually take. Null if there are none. */
function ofShortLimits({ liveJobs, execution }: DiagnosisInput): Diagnosis | null {
  const short =
    execution === null
      ? []
      : liveJobs.filter(({ executionTimeoutMs }) => executionTimeoutMs > 0 && executionTimeoutMs <= execution.p95Ms);
  if (execution === null || short.length === 0) return null;
  const isUsual = short.some(({ executionTimeoutMs }) => executionTimeoutMs <= execution.p50Ms);
  return {
    kind: 'near-timeout',
    severity: isUsual ? 'warning' : 'notice',
    headline: shortLimitText.headline(short.length, limitsOf(short), execution),
    explanation: shortLimitText.explanation(short.length, isUsual, execution),
    condition: null,
    evidence: [shortLimitText.limit(limitsOf(short)), nearTimeoutText.usual(execution)],
    tryNext: shortLimitText.tryNext,
    sinceMs: null,
  };
}

function ofTimeouts(
  ends: readonly RecentEnd[],
  out: readonly RecentEnd[],
  near: readonly RecentEnd[],
  late: readonly LiveJob[],
): Diagnosis {
  const isCritical = out.length >= criticalFrom.count && out.length >= ends.length * criticalFrom.share;
  const isRare = out.length === 1 && ends.length >= manyEnds;
  const limits = limitsOf(out);
  return {
    kind: 'near-timeout',
    severity: isCritical ? 'critical' : isRare ? 'notice' : 'warning',
    headline: timeoutsText.headline(out.length, ends.length, limits),
    explanation: timeoutsText.explanation(out.length, limits, near.length > 0),
    condition: commonConditions.timeout,
    evidence: [
      timeoutsText.ended(out.length, ends.length),
      timeoutsText.close(near.length, 1 - nearShare),
      ...lateEvidence(late),
    ],
    tryNext: timeoutsText.tryNext,
    sinceMs: out[0]?.endedAtMs ?? null,
  };
}

function ofNear(
  input: DiagnosisInput,
  ends: readonly RecentEnd[],
  near: readonly RecentEnd[],
  late: readonly LiveJob[],
): Diagnosis {
  const longestMs = Math.max(0, ...near.map(({ executionTimeMs }) => executionTimeMs ?? 0));
  const usual = input.execution === null ? [] : [nearTimeoutText.usual(input.execution)];
  return {
    kind: 'near-timeout',
    severity: 'notice',
    headline:
      near.length > 0
        ? closeToTimeoutText.headlineOfEnds(near.length, ends.length, longestMs, limitsOf(near))
        : closeToTimeoutText.headlineOfRunning(late.length, limitsOf(late)),
    explanation: closeToTimeoutText.explanation,
    condition: null,
    evidence: [closeToTimeoutText.ended(near.length, ends.length, nearShare), ...lateEvidence(late), ...usual],
    tryNext: closeToTimeoutText.tryNext,
    sinceMs: near[0]?.endedAtMs ?? null,
  };
}

/** Whether a run took so much of its executionTimeout that a slightly longer one would have been ended by it. */
function cameClose({ executionTimeMs, executionTimeoutMs }: RecentEnd): boolean {
  return (executionTimeMs ?? 0) >= executionTimeoutMs * nearShare;
}

/**
 * Whether a job is running, as far as known, and has little time left. Its start is seen only after it happened, so a
 * little less time is left than this says.
 */
function isLate({ startedSeenAtMs, executionTimeoutMs }: LiveJob, nowMs: number): boolean {
  return (
    startedSeenAtMs !== null && executionTimeoutMs > 0 && nowMs - startedSeenAtMs >= executionTimeoutMs * nearShare
  );
}

function lateEvidence(late: readonly LiveJob[]): string[] {
  return late.length === 0 ? [] : [nearTimeoutText.late(late.length, nearShare)];
}

function limitsOf(jobs: readonly { executionTimeoutMs: number }[]): Limits {
  const limits = jobs.map(({ executionTimeoutMs }) => executionTimeoutMs).sort((a, b) => a - b);
  const [minMs = 0, maxMs = minMs] = [limits[0], limits.at(-1)];
  return { minMs, maxMs };
}
