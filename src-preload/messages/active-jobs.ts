import { formatCount } from '../format.ts';
import type { ActiveCounts } from '../history.ts';

/** The counts of active jobs with their words, in the order in which they are named. */
const activeLabels = [
  ['running', 'running'],
  ['queued', 'queued'],
  ['unknown', 'of unknown status'],
  ['toSend', 'to send'],
  ['over', 'with a stream to fetch'],
] as const;

/** `3 running, 2 queued`: the active jobs, in windows and in the tray. Empty if there are none. */
export function activeText(counts: ActiveCounts): string {
  const shown = { ...counts, toSend: counts.sending + counts.toSend };
  return activeLabels
    .flatMap(([kind, word]) => (shown[kind] === 0 ? [] : [`${formatCount(shown[kind])} ${word}`]))
    .join(', ');
}
