import type { Mute } from '../../../src-preload/failure-cause.ts';
import { formatCountOf, formatDate } from '../../../src-preload/format.ts';

/** The question how long a cause is muted, and why. */
export const muteDialogText = {
  title: 'Mute this cause',
  reason: 'Reason',
  reasonExample: 'Known, fixed in the next image',
  reasonHint: 'Shown with the cause while it is muted.',
  until: 'Until',
  untilRise: 'Until it rises again',
  untilRiseHint: 'More failures within 24 hours than in the 24 hours before now',
  untilDay: 'Until a date',
  untilUnmuted: 'Until I unmute it',
  day: 'Until the day begins',
  dayProblem: 'Enter a later day, such as 2026-12-31',
  mute: 'Mute',
};

/** How long a cause is muted, and why: `muted until 2026-12-01: known`. */
export function muteText({ untilMs, risesAbove, reason }: Mute): string {
  const until =
    untilMs !== null
      ? ` until ${formatDate(untilMs)}`
      : risesAbove === null
        ? ''
        : ` until more than ${formatCountOf(risesAbove, 'job')} fail within 24 hours`;
  return `muted${until}${reason === '' ? '' : `: ${reason}`}`;
}
