import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { commonConditions, percent, durationText } from './messages.ts';
import { isOut, type DiagnosisInput, type LiveJob, type RecentEnd } from './input.ts';

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
  const isCalm = ends.length >= calmEnds && ends.slice(-calmEnds).every((end) => !isOut(end) && !isNear(end));
  const out = isCalm ? [] : ends.filter(isOut);
  const near = isCalm ? [] : ends.filter((end) => !isOut(end) && isNear(end));
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
    headline:
      `${formatCountOf(short.length, 'active job')} allowed ${limitText(short)}, and jobs here take ` +
      `${durationText(execution.p50Ms)} to ${durationText(execution.p95Ms)}`,
    explanation:
      `Half of the saved jobs on this endpoint ran up to ${durationText(execution.p50Ms)}, 95 % up to ` +
      `${durationText(execution.p95Ms)}. Most likely ${isUsual ? 'these end' : 'one in twenty of these ends'} by ` +
      `${short.length === 1 ? 'its' : 'their'} executionTimeout.`,
    condition: null,
    evidence: [
      `executionTimeout ${limitText(short)}`,
      `Usually ${durationText(execution.p50Ms)}, 95 % within ${durationText(execution.p95Ms)}`,
    ],
    tryNext: [
      'Cancel what still waits, and submit it again with a longer executionTimeout (up to 7 days).',
      'Leave them if you know this input is smaller than usual.',
    ],
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
  const timeouts = limitText(out);
  return {
    kind: 'near-timeout',
    severity: isCritical ? 'critical' : isRare ? 'notice' : 'warning',
    headline:
      `${ofLast(out.length, ends.length)} ended by ${out.length === 1 ? 'its' : 'their'} executionTimeout of ` +
      timeouts,
    explanation:
      `${out.length === 1 ? 'It' : 'They'} ran longer than ${timeouts}, and what ` +
      (`${out.length === 1 ? 'it' : 'they'} had done is lost. Most likely the work takes longer than that` +
        `${near.length > 0 ? ', as others came close to it' : ', or the handler hangs on this input'}.`),
    condition: commonConditions.timeout,
    evidence: [
      `${out.length} of ${ends.length} ended by it`,
      `${near.length} more came within ${percent(1 - nearShare)} of it`,
      ...lateEvidence(late),
    ],
    tryNext: [
      'Submit again with a longer executionTimeout (up to 7 days), and a ttl that covers it.',
      'Compare with a job that completed: a larger input, or one the handler hangs on.',
      "Check the worker's log for what it did last.",
      'Split the work into smaller jobs.',
    ],
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
  const usual =
    input.execution === null
      ? []
      : [`Usually ${durationText(input.execution.p50Ms)}, 95 % within ${durationText(input.execution.p95Ms)}`];
  return {
    kind: 'near-timeout',
    severity: 'notice',
    headline:
      near.length > 0
        ? `${ofLast(near.length, ends.length)} took up to ${durationText(longestMs)} of the ${limitText(near)} allowed`
        : `${formatCountOf(late.length, 'running job')} close to the executionTimeout of ${limitText(late)}`,
    explanation:
      'None has hit it yet. Most likely a slightly larger input would hit the executionTimeout and lose its work.',
    condition: null,
    evidence: [
      `${near.length} of ${ends.length} took over ${percent(nearShare)} of it`,
      ...lateEvidence(late),
      ...usual,
    ],
    tryNext: [
      'Submit the next ones with a longer executionTimeout (up to 7 days).',
      'Split the work into smaller jobs.',
    ],
    sinceMs: near[0]?.endedAtMs ?? null,
  };
}

/** "3 of the last 20 jobs". */
function ofLast(count: number, ends: number): string {
  return ends === 1 ? 'The last job' : `${count} of the last ${ends} jobs`;
}

function isNear({ executionTimeMs, executionTimeoutMs }: RecentEnd): boolean {
  return (executionTimeMs ?? 0) >= executionTimeoutMs * nearShare;
}

/**
 * It is running, as far as known, and has little time left. Its start was seen later than it was, so a little less is
 * left.
 */
function isLate({ startedSeenAtMs, executionTimeoutMs }: LiveJob, nowMs: number): boolean {
  return (
    startedSeenAtMs !== null && executionTimeoutMs > 0 && nowMs - startedSeenAtMs >= executionTimeoutMs * nearShare
  );
}

function lateEvidence(late: readonly LiveJob[]): string[] {
  return late.length === 0 ? [] : [`${formatCountOf(late.length, 'running job')} past ${percent(nearShare)} of it`];
}

function limitText(of: readonly { executionTimeoutMs: number }[]): string {
  const limits = [...new Set(of.map(({ executionTimeoutMs }) => executionTimeoutMs))].sort((a, b) => a - b);
  const [least = 0, most = least] = [limits[0], limits.at(-1)];
  return least === most ? durationText(least) : `${durationText(least)} to ${durationText(most)}`;
}
