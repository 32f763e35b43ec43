import type { HealthPoint } from '../../../src-preload/health.ts';
import { minuteMs } from '../../../src-preload/durations.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import type { DiagnosisInput, LiveJob } from './input.ts';
import { min, heldSinceMs, since, type Readings, paceSince } from './readings.ts';
import { ageEvidence, waitingJobs } from './waiting.ts';
import { outlivesTtlText } from '../../messages/health/limits.ts';

/** With fewer ends than this, the pace is derived from how long jobs usually run, if that is known. */
const endsTrustedFrom = 3;
/** While no jobs end at all, a ttl this near is reported, and this much nearer it is critical. */
const nothingEnds = { seenForMs: 60_000, withinMs: 300_000, criticalMs: 120_000 } as const;

/** Jobs per millisecond: the estimate, and the upper bound. */
interface Drain {
  usual: number;
  max: number;
  text: string;
}

/**
 * Our jobs that their ttl will delete before they are done, at this pace. Null if there are none, or too little is
 * known.
 */
export function outlivesTtl(input: DiagnosisInput, readings: Readings): Diagnosis | null {
  const { latest, stretch } = readings;
  const sinceMs = heldSinceMs(stretch, ({ inQueue }) => inQueue > 0);
  const ours = waitingJobs(input, readings);
  if (sinceMs === null || ours.length === 0) return null;
  const drain = drainOf(input, readings, sinceMs);
  if (drain === null) return null;
  // Others' jobs are assumed to be spread evenly among ours. Our jobs that the last health did not count yet are at the
  // end.
  const inQueue = latest.inQueue + ours.filter(({ acceptedAtMs }) => acceptedAtMs > latest.atMs).length;
  const runsMs = input.execution?.p50Ms ?? 0;
  const endsAfterMs = (index: number, perMs: number): number =>
    perMs === 0 ? Infinity : ((index + 1) * inQueue) / ours.length / perMs + runsMs;
  const leftMs = ({ ttlEndsAtMs }: LiveJob): number => (ttlEndsAtMs === null ? Infinity : ttlEndsAtMs - input.nowMs);
  const lost = ours.filter(
    (job, index) =>
      leftMs(job) > 0 &&
      (drain.usual === 0 ? leftMs(job) <= nothingEnds.withinMs : endsAfterMs(index, drain.usual) > leftMs(job)),
  );
  if (lost.length === 0) return null;
  const nextMs = min(lost.map(leftMs));
  const isSure =
    drain.usual === 0
      ? nextMs <= nothingEnds.criticalMs
      : ours.some((job, index) => leftMs(job) > 0 && endsAfterMs(index, drain.max) > leftMs(job));
  return {
    kind: 'outlives-ttl',
    severity: isSure ? 'critical' : 'warning',
    headline: outlivesTtlText.headline(lost.length, ours.length, nextMs),
    explanation: outlivesTtlText.explanation({ inQueue, pace: drain.text, jobs: lost.length, isSure }),
    condition: null,
    evidence: [
      outlivesTtlText.rate(drain.usual, drain.max),
      outlivesTtlText.emptyIn(inQueue, drain.usual),
      outlivesTtlText.firstEnds(nextMs),
      ...ageEvidence(input, readings),
    ],
    tryNext: outlivesTtlText.tryNext(lost.length),
    sinceMs: null,
  };
}

/** How fast the queue drains. Null if that is not known yet. */
function drainOf({ execution }: DiagnosisInput, { stretch, latest }: Readings, sinceMs: number): Drain | null {
  // The time before the first worker was up must not count.
  const working = since(stretch, sinceMs).find(isWorking)?.atMs ?? null;
  const isIdle =
    !isWorking(latest) &&
    (heldSinceMs(stretch, (reading) => !isWorking(reading)) ?? latest.atMs) <= latest.atMs - nothingEnds.seenForMs;
  if (isIdle) return { usual: 0, max: 0, text: outlivesTtlText.nothingRan };
  const pace = working === null ? null : paceSince(stretch, working);
  if (pace !== null && pace.ends >= endsTrustedFrom)
    return {
      usual: pace.perMinute / minuteMs,
      max: pace.maxPerMinute / minuteMs,
      text: outlivesTtlText.ended(pace.ends, pace.spanMs),
    };
  if (execution === null || execution.p50Ms <= 0 || latest.running === 0) return null;
  const perMs = latest.running / execution.p50Ms;
  return {
    usual: perMs,
    max: 2 * perMs,
    text: outlivesTtlText.usualRuns(execution.p50Ms, latest.running),
  };
}

function isWorking({ running, inProgress }: HealthPoint): boolean {
  return running > 0 || inProgress > 0;
}
