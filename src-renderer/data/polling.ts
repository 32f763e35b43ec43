import type { TrackerState } from '../../src-preload/app.ts';
import { pollingText } from '../messages/data/connection-state.ts';
import type { ShownConnectionState } from './connection-state.ts';

export interface PollingText {
  title: string;
  text: string;
  dot: 'live' | 'idle' | 'off' | 'paused';
}

/** The sidebar's line about polling. `nowMs` is only read while something is planned. */
export function describePolling(
  tracker: TrackerState | null,
  connection: ShownConnectionState | null,
  nowMs: number,
): PollingText {
  if (tracker === null) return { title: pollingText.starting, text: pollingText.readingHistory, dot: 'idle' };
  if (tracker.isPaused)
    return {
      title: pollingText.paused,
      text: pollingText.pausedByYou(tracker.tracked),
      dot: 'paused',
    };
  if (connection?.kind === 'sandbox-stopped')
    return { title: pollingText.stopped, text: pollingText.sandboxStopped, dot: 'off' };
  if (connection?.kind === 'offline')
    return { title: pollingText.paused, text: pollingText.offline(connection.nextTryMs, nowMs), dot: 'off' };
  if (connection?.kind === 'key-refused')
    return {
      title: pollingText.keyRefused(connection.httpStatus),
      text: pollingText.nextTry(connection.nextTryMs, nowMs),
      dot: 'off',
    };
  if (connection?.kind === 'no-key') return { title: pollingText.paused, text: pollingText.noKey, dot: 'off' };
  if (tracker.tracked === 0) return { title: pollingText.idle, text: pollingText.noneToPoll, dot: 'idle' };
  return {
    title: pollingText.polling(tracker.tracked),
    text: pollingText.nextCheck(tracker.nextStatusReadAtMs, nowMs),
    dot: 'live',
  };
}
