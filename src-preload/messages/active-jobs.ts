import { formatCount } from '../format.ts';
import type { ActiveCounts } from '../history.ts';

/** What active jobs are counted as, with the word for each, in the order in which they are named. */
const activeWords = [
  ['running', 'running'],
  ['queued', 'queued'],
  ['unknown', 'of unknown status'],
  ['toSend', 'to send'],
  ['over', 'with a stream to fetch'],
] as const;

/** `3 running, 2 queued`: what active jobs do, in windows and in the tray alike; empty where none is active. */
export function activeText(counts: ActiveCounts): string {
  const shown = { ...counts, toSend: counts.sending + counts.toSend };
  return activeWords
    .flatMap(([kind, word]) => (shown[kind] === 0 ? [] : [`${formatCount(shown[kind])} ${word}`]))
    .join(', ');
}
