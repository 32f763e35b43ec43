import { minuteMs } from '../../src-preload/durations.ts';
import { formatAge, formatCountdown, formatMeasured } from '../../src-preload/format.ts';
import { useNow } from '../data/use-now.ts';
import type { Figure } from './job-figures.ts';
import { figureWords, rowText } from '../messages/jobs/row.tsx';

const quickMs = 200;

/** The time since a moment. Under a minute it has tenths, as finished rows do. */
function Since({ fromMs, isCoarse }: { fromMs: number; isCoarse: boolean }) {
  const slow = useNow(1_000);
  return slow - fromMs < minuteMs && !isCoarse ? <SinceQuick fromMs={fromMs} /> : <>{formatCountdown(slow - fromMs)}</>;
}

function SinceQuick({ fromMs }: { fromMs: number }) {
  const elapsed = Math.max(0, useNow(quickMs) - fromMs);
  return <>{elapsed < 59_950 ? `${(elapsed / 1000).toFixed(1)} s` : formatCountdown(elapsed)}</>;
}

/** A row's figure as text. Running ones tick without drawing the row again. `isCoarse`: in whole seconds, as `0:23`. */
export function FigureText({ figure, isCoarse = false }: { figure: Figure; isCoarse?: boolean }) {
  switch (figure.kind) {
    case 'fixed':
      return <>{isCoarse ? formatCountdown(figure.ms) : formatMeasured(figure.ms)}</>;
    case 'since':
      return <Since fromMs={figure.ms} isCoarse={isCoarse} />;
    case 'word':
      return <>{figureWords[figure.word]}</>;
    case 'none':
      return null;
  }
}

/** Its clock is never more than 15 s behind, so that the age neither stops nor jumps back as it passes a minute. */
function YoungAge({ sinceMs, minMs }: { sinceMs: number; minMs: number }) {
  return <>{formatAge(Math.max(minMs, youngAgeMs(sinceMs, useNow(youngEveryMs))))}</>;
}

/**
 * An age in the seconds that have begun. The execution time beside it has tenths and the same clock, and no job has run
 * longer than it is old.
 */
export function youngAgeMs(sinceMs: number, nowMs: number): number {
  return Math.ceil((nowMs - sinceMs) / 1_000) * 1_000;
}

/** How often an age is updated: one that may still be under a minute, and any other. */
export const youngEveryMs = quickMs;
export const ageEveryMs = 15_000;

/** Whether an age may still be under a minute, by the slower clock: it is drawn by the quicker one. Pure. */
export function isYoung(sinceMs: number, slowNowMs: number): boolean {
  return slowNowMs - sinceMs < minuteMs;
}

/** An age in one unit, and never under `minMs`. */
export function Age({ sinceMs, minMs = 0 }: { sinceMs: number; minMs?: number }) {
  const nowMs = useNow(ageEveryMs);
  return isYoung(sinceMs, nowMs) ? <YoungAge sinceMs={sinceMs} minMs={minMs} /> : <>{formatAge(nowMs - sinceMs)}</>;
}

/** `as of 12 s ago`: nothing is known since. Never "0 s ago", which would say nothing. */
export function AsOf({ ms }: { ms: number }) {
  return <span className="num">{rowText.asOf(<Age sinceMs={ms} minMs={1_000} />)}</span>;
}

/** The time left until a moment, then the text `over`. */
export function Countdown({ untilMs, over }: { untilMs: number; over: string }) {
  const leftMs = untilMs - useNow(1_000);
  return <>{leftMs > 0 ? formatCountdown(leftMs) : over}</>;
}
