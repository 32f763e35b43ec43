import type { FailureOverview, Mute } from '../../src-preload/failure-cause.ts';

/** The causes as of now: a mute until a date ends then, without a new answer of the engine. */
export function withoutPastMutes(overview: FailureOverview, nowMs: number): FailureOverview {
  const isPast = (mute: Mute | null): boolean => mute !== null && mute.untilMs !== null && mute.untilMs <= nowMs;
  if (!overview.causes.some(({ mute }) => isPast(mute))) return overview;
  return {
    ...overview,
    causes: overview.causes.map((cause) => (isPast(cause.mute) ? { ...cause, mute: null } : cause)),
  };
}
