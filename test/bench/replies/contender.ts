import { setTimeout as pause } from 'node:timers/promises';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import { createReplyReader } from '../../../src-main/service/read-reply.ts';
import { replyKinds } from './kinds.ts';
import { watchStalls } from './stalls.ts';
import type { Stalls } from './stalls.ts';

/** The measurements of one process that read one reply. */
export interface Measured extends Stalls {
  tookMs: number;
  /** Memory that the first large reply added and that stays. */
  warmUpBytes: number;
  /** Its maximum memory, above the memory before. */
  grownBytes: number;
  decodedBytes: number;
  /** What was wrong with its result. Empty if nothing was. */
  trouble: string;
}

const [contender = '', kindIndex = '', baseUrl = ''] = process.argv.slice(2);
const kind = replyKinds[Number(kindIndex)];
if (kind === undefined) throw new Error(`There is no reply ${kindIndex}.`);
const { operation, isRefused } = kind;
const address = (endpointId: string): string => `${baseUrl}/v2/${endpointId}/${operation}/j`;

// Bundled like the app, with its thread beside it: TypeScript in Node would take memory that the app does not take.
const replies = createReplyReader(new URL(process.env['JOBDECK_REPLY_THREAD'] ?? '', import.meta.url));
const api = createQueueApi(
  { baseUrl, restUrl: null, authorization: 'bearer', readKey: () => Promise.resolve('bench-key-0123456789') },
  { now: Date.now, replies },
);

/** Reads the reply and returns what is wrong with it, which is checked after the measurement. */
async function ours(endpointId: string): Promise<(decodedBytes: number) => string> {
  if (operation === 'stream') {
    const { result } = await api.stream(endpointId, 'j');
    return () =>
      result.ok &&
      result.value.chunks.length === 300_000 &&
      result.value.chunks[299_999]?.outputJson.includes('299999') === true
        ? ''
        : 'not every chunk came';
  }
  const { result } = await api.status(endpointId, 'j');
  if (!result.ok) return () => (isRefused && result.failure.isBeyondLimits === true ? '' : result.failure.message);
  const { outputJson, raw } = result.value;
  return (decodedBytes) =>
    isRefused
      ? 'it was not refused'
      : Buffer.byteLength(raw) === decodedBytes && outputJson !== null && raw.includes(outputJson)
        ? ''
        : 'not all of it came';
}

async function plainFetch(endpointId: string): Promise<() => string> {
  const value: unknown = await (await fetch(address(endpointId))).json();
  return () => (typeof value === 'object' && value !== null ? '' : 'no value came');
}

const read = contender === 'ours' ? ours : plainFetch;
const decodedBytes = Number((await fetch(address(kindIndex), { method: 'HEAD' })).headers.get('x-decoded-bytes'));
const coldRss = process.memoryUsage.rss();
// As in an app that has read a large reply before: what that needs (ours: a thread) exists from then on, and is
// reported separately.
await read('warm-up');
globalThis.gc?.();
await pause(200);

const before = process.memoryUsage.rss();
const stalls = watchStalls();
const startedAtMs = performance.now();
const check = await read(kindIndex);
const tookMs = performance.now() - startedAtMs;
const { longestMs, longestCpuMs } = stalls();
const measured: Measured = {
  longestMs,
  longestCpuMs,
  tookMs,
  warmUpBytes: before - coldRss,
  grownBytes: Math.max(0, process.resourceUsage().maxRSS * 1_024 - before),
  decodedBytes,
  trouble: check(decodedBytes),
};
process.send?.(measured, () => process.exit());
