import { useEffect } from 'react';
import { startOfDay } from '../../src-preload/format.ts';
import { engineNow } from './engine-time.ts';
import { useJobs } from './jobs-store.ts';
import { refreshCounts } from './session-store.ts';
import { tickerOf } from './use-now.ts';

/** Calls `run` when a new local day has begun, until the returned function is called. */
export function onNewDay(run: () => void): () => void {
  const clock = tickerOf(60_000);
  let dayMs = startOfDay(engineNow());
  return clock.subscribe(() => {
    const todayMs = startOfDay(clock.read());
    if (todayMs === dayMs) return;
    dayMs = todayMs;
    run();
  });
}

/** After midnight, counts the jobs again, and reads a list again whose filter depends on the day. */
export function readAfterMidnight(): void {
  void refreshCounts();
  const { filter, reload } = useJobs.getState();
  if (filter.view === 'finished-today' || filter.sinceMs !== null || filter.beforeMs !== null) void reload();
}

/** Has a window that shows counts of today do so while a component is shown. */
export function useReadAfterMidnight(): void {
  useEffect(() => onNewDay(readAfterMidnight), []);
}
