import type { TrackerState } from '../../src-preload/app.ts';
import { formatCountOf, formatIn } from '../../src-preload/format.ts';
import type { Condition } from './condition.ts';

export interface PollingText {
  title: string;
  text: string;
  dot: 'live' | 'idle' | 'off' | 'paused';
}

/** The sidebar's line about polling. `nowMs` is only read while something is planned. */
export function describePolling(
  tracker: TrackerState | null,
  connection: Condition | null,
  nowMs: number,
): PollingText {
  if (tracker === null) return { title: 'Starting', text: 'Reading the history', dot: 'idle' };
  if (tracker.isPaused)
    return {
      title: 'Polling paused',
      text: tracker.tracked > 0 ? `by you, ${formatCountOf(tracker.tracked, 'active job')}` : 'by you',
      dot: 'paused',
    };
  if (connection?.kind === 'sandbox-stopped') return { title: 'Polling stopped', text: 'Sandbox stopped', dot: 'off' };
  if (connection?.kind === 'offline')
    return { title: 'Polling paused', text: `Offline${nextTry(connection.nextTryMs, nowMs)}`, dot: 'off' };
  if (connection?.kind === 'key-refused')
    return {
      title: `Key refused (${connection.httpStatus})`,
      text: triedSoon(connection.nextTryMs, nowMs),
      dot: 'off',
    };
  if (connection?.kind === 'no-key') return { title: 'Polling paused', text: 'No key saved', dot: 'off' };
  if (tracker.tracked === 0) return { title: 'Idle', text: 'No active jobs', dot: 'idle' };
  return {
    title: `Polling ${formatCountOf(tracker.tracked, 'active job')}`,
    text: nextRead(tracker.nextStatusReadAtMs, nowMs),
    dot: 'live',
  };
}

/** Null while a try is in progress. */
function triedSoon(atMs: number | null, nowMs: number): string {
  return atMs === null || atMs <= nowMs ? 'Trying now' : `Next try ${formatIn(atMs - nowMs)}`;
}

function nextTry(atMs: number | null, nowMs: number): string {
  if (atMs === null) return '';
  return atMs > nowMs ? `, next try ${formatIn(atMs - nowMs)}` : ', trying now';
}

function nextRead(atMs: number | null, nowMs: number): string {
  if (atMs === null) return 'Waiting for updates';
  const ms = atMs - nowMs;
  if (ms <= 0) return 'Checking now';
  return ms < 10_000 ? `Next check in ${(ms / 1000).toFixed(1)} s` : `Next check in ${Math.round(ms / 1000)} s`;
}
