import { sendingTimeMs, submitLimits } from '../../../src-preload/batch.ts';
import type { LearnedInputs } from '../../../src-preload/learned.ts';
import type { SubmitOperation } from '../../../src-preload/job.ts';
import { formatCount, formatMinute, spanText } from '../../../src-preload/format.ts';

/** The name of a batch that the user did not name: its file, or else the time. */
export function defaultName(fileName: string | null, nowMs: number): string {
  const plain = fileName?.replace(/\.[a-z0-9]{1,6}$/i, '').trim() ?? '';
  return plain === '' ? `Batch of ${formatMinute(nowMs)}` : plain.slice(0, 120);
}

/**
 * `about 20 s at 250 requests per 10 s`: the time until the last row is sent, by our share of the limit (ruling 21).
 * While nothing can be sent: from when it can.
 */
export function sendingText(rows: number, operation: SubmitOperation, rateShare: number, canSend = true): string {
  const perWindow = Math.max(1, Math.floor(submitLimits[operation] * rateShare));
  const rate = `${formatCount(perWindow)} requests per 10 s`;
  const ms = sendingTimeMs(rows, perWindow);
  if (!canSend) return ms === 0 ? 'as soon as the service is reachable' : `about ${spanText(ms)} once it is reachable`;
  return ms === 0 ? `immediately (limit ${rate.replace(' requests', '')})` : `about ${spanText(ms)} at ${rate}`;
}

/** The placeholder of the empty field: the three accepted forms. */
export const placeholder = `{"prompt": "one object per line"}
{"prompt": "or an array: [{…}, {…}]"}

prompt,seed,sampling.max_tokens
or a table with a header,7,256

Paste here, drop files or a folder, or open files.`;

const mostColumns = 12;

/** `prompt,sampling.max_tokens`: a header row of the keys that most earlier inputs had. Empty if none is known. */
export function usualHeader({ keys, jobs }: Pick<LearnedInputs, 'jobs' | 'keys'>): string {
  return keys
    .filter(({ path, types, count }) => !types.includes('object') && count * 2 >= jobs && path.every(isColumnName))
    .slice(0, mostColumns)
    .map(({ path }) => path.join('.'))
    .join(',');
}

/** Whether a key needs no quotes in a header row and has no dot, which would divide it. */
export function isColumnName(name: string): boolean {
  return /^[^\s.,;"]+$/.test(name);
}
