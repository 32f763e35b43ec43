import type { FailureOverview, Mute } from '../../src-preload/failure-cause.ts';
import { formatCountOf } from '../../src-preload/format.ts';

/** A local day as it is typed: `2026-12-01`. */
export function dateText(ms: number): string {
  const at = new Date(ms);
  const pad = (count: number): string => String(count).padStart(2, '0');
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

/** How long a cause is muted, and why: `muted until 2026-12-01: known`. */
export function muteText({ untilMs, risesAbove, reason }: Mute): string {
  const until =
    untilMs !== null
      ? ` until ${dateText(untilMs)}`
      : risesAbove === null
        ? ''
        : ` until more than ${formatCountOf(risesAbove, 'job')} fail within 24 hours`;
  return `muted${until}${reason === '' ? '' : `: ${reason}`}`;
}

/** The causes as of now: a mute until a date ends then, without a new answer of the engine. */
export function withoutPastMutes(overview: FailureOverview, nowMs: number): FailureOverview {
  const isPast = (mute: Mute | null): boolean => mute !== null && mute.untilMs !== null && mute.untilMs <= nowMs;
  if (!overview.causes.some(({ mute }) => isPast(mute))) return overview;
  return {
    ...overview,
    causes: overview.causes.map((cause) => (isPast(cause.mute) ? { ...cause, mute: null } : cause)),
  };
}
