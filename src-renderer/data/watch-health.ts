import { readingValidMs } from '../../src-preload/alert.ts';
import type { Health } from '../../src-preload/health.ts';
import { hint } from '../call-or-report.ts';

/**
 * Has the health of these endpoints read every few seconds while this window is visible, until the returned function is
 * called. The readings come as `health:changed`. A window watches one set of endpoints at a time.
 */
export function watchHealth(connectionId: string, endpointIds: readonly string[]): () => void {
  const watch = (ids: readonly string[]): void => hint('health:watch', { connectionId, endpointIds: [...ids] });
  const onVisibility = (): void => watch(document.hidden ? [] : endpointIds);
  document.addEventListener('visibilitychange', onVisibility);
  if (!document.hidden) watch(endpointIds);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    watch([]);
  };
}

/** A health reading that still says something about now, else undefined. Nothing may have read it for hours. Pure. */
export function validReading<H extends Pick<Health, 'atMs'>>(reading: H | undefined, nowMs: number): H | undefined {
  return reading === undefined || nowMs - reading.atMs > readingValidMs ? undefined : reading;
}
