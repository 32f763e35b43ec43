import { minuteMs } from '../../../src-preload/durations.ts';
import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import type { DiagnosisInput, LiveJob } from './input.ts';
import { least, heldSinceMs, since, type Reading, type Readings, paceSince, type Pace } from './readings.ts';
import { ageEvidence, waitingJobs, rate, durationText } from './messages.ts';

/** With fewer ends than this, the pace is derived from how long jobs usually run, if that is known. */
const endsTrustedFrom = 3;
/** While no jobs end at all, a ttl this near is reported, and this much nearer it is critical. */
const nothingEnds = { seenForMs: 60_000, withinMs: 300_000, criticalMs: 120_000 } as const;

/** Jobs per millisecond: the estimate, and the upper bound. */
interface Drain {
  usual: number;
  most: number;
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
  const nextMs = least(lost.map(leftMs));
  const isSure =
    drain.usual === 0
      ? nextMs <= nothingEnds.criticalMs
      : ours.some((job, index) => leftMs(job) > 0 && endsAfterMs(index, drain.most) > leftMs(job));
  return {
    kind: 'outlives-ttl',
    severity: isSure ? 'critical' : 'warning',
    headline:
      `${lost.length} of your ${formatCountOf(ours.length, 'waiting job')} ` +
      `${lost.length === 1 ? 'outlives its' : 'outlive their'} ttl, the first in ${durationText(nextMs)}`,
    explanation:
      `${formatCountOf(inQueue, 'job waits', 'jobs wait')}, and ${drain.text}. ` +
      'The ttl ends a job whatever its state. ' +
      `Most likely ${lost.length === 1 ? 'this job is' : 'these are'} deleted before ` +
      `${lost.length === 1 ? 'it is' : 'they are'} done${isSure ? '' : '; too few ends are known to be sure'}.`,
    condition: null,
    evidence: [
      drain.usual === 0
        ? 'Nothing ends'
        : `About ${rate(drain.usual * minuteMs)} jobs a minute end, ${rate(drain.most * minuteMs)} at most`,
      'The queue will be empty in ' +
        (drain.usual === 0 ? 'unknown time' : `about ${durationText(inQueue / drain.usual)}`),
      `The first ttl ends in ${durationText(nextMs)}`,
      ...ageEvidence(input, readings),
    ],
    tryNext: [
      `Extend the lifetime of ${lost.length === 1 ? 'this job' : `these ${lost.length} jobs`}.`,
      "Raise max workers in the service's console, so that the queue drains sooner.",
      'Shorten the queue: cancel or purge waiting jobs that are no longer needed.',
      'Submit the next ones with a ttl that covers the wait and the run.',
    ],
    sinceMs: null,
  };
}

/** How fast the queue becomes shorter. Null if that is not known yet. */
function drainOf({ execution }: DiagnosisInput, { stretch, latest }: Readings, sinceMs: number): Drain | null {
  // The time before the first worker was up must not count.
  const working = since(stretch, sinceMs).find(isWorking)?.atMs ?? null;
  const isIdle =
    !isWorking(latest) &&
    (heldSinceMs(stretch, (reading) => !isWorking(reading)) ?? latest.atMs) <= latest.atMs - nothingEnds.seenForMs;
  if (isIdle) return { usual: 0, most: 0, text: 'nothing has run for a minute or more' };
  const pace = working === null ? null : paceSince(stretch, working);
  if (pace !== null && pace.ends >= endsTrustedFrom)
    return { usual: pace.perMinute / minuteMs, most: pace.mostPerMinute / minuteMs, text: paceText(pace) };
  if (execution === null || execution.p50Ms <= 0 || latest.running === 0) return null;
  const perMs = latest.running / execution.p50Ms;
  return {
    usual: perMs,
    most: 2 * perMs,
    text: `jobs here usually run for ${durationText(execution.p50Ms)} on ${formatCountOf(latest.running, 'worker')}`,
  };
}

function isWorking({ running, inProgress }: Reading): boolean {
  return running > 0 || inProgress > 0;
}

function paceText({ ends, spanMs }: Pace): string {
  return `${ends} ended in the last ${durationText(spanMs)}`;
}
