import type { RetentionRule } from '../../src-preload/settings.ts';
import { dayMs } from '../../src-preload/durations.ts';
import { formatCountOf, formatLongDay } from '../../src-preload/format.ts';
import { deletesSomething, type ClockDoubt } from '../../src-preload/storage.ts';
import { useCall } from '../data/calls.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';

/** The answer of a service can end the doubt at any time while the page is open. */
const readEveryMs = 5_000;

/** Says that nothing is deleted because of the clock, if so. `onReview` shows what would be deleted now. */
export function ClockCallout({ rule, onReview }: { rule: RetentionRule; onReview: (() => void) | null }) {
  const { data: doubt } = useCall('storage:clockDoubt', undefined, { everyMs: readEveryMs });
  if (doubt === undefined || doubt === null || !deletesSomething(rule)) return null;
  const { title, text } = clockDoubtWords(doubt);
  return (
    <Callout
      tone="warning"
      title={title}
      actions={onReview === null ? undefined : <Button onClick={onReview}>Delete now…</Button>}
    >
      {text}
    </Callout>
  );
}

/** How a doubted clock is described. Pure. */
export function clockDoubtWords({ kind, byMs, nowMs }: ClockDoubt): { title: string; text: string } {
  const by = longSpan(byMs);
  const shown = `It shows ${formatLongDay(nowMs)}. Nothing is deleted until`;
  switch (kind) {
    case 'moved-ahead':
      return {
        title: `The clock of this computer moved ahead by ${by}`,
        text: `${shown} an answer of a service confirms this date. If it is right, you can delete now.`,
      };
    case 'ahead-of-service':
      return {
        title: `The clock of this computer is ${by} ahead of the service`,
        text: `${shown} the two agree. Set the date of this computer, then restart Jobdeck.`,
      };
    case 'behind':
      return {
        title: `The clock of this computer is behind by ${by}`,
        text: `${shown} it is right again. Set the date of this computer.`,
      };
  }
}

function longSpan(ms: number): string {
  const days = Math.round(ms / dayMs);
  return days < 730 ? formatCountOf(days, 'day') : formatCountOf(Math.round(days / 365.25), 'year');
}
