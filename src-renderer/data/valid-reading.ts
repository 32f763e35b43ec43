import { readingValidMs } from '../../src-preload/alert.ts';
import type { Health } from '../../src-preload/health.ts';

/** A health reading that still says something about now, else undefined. Nothing may have read it for hours. Pure. */
export function validReading<H extends Pick<Health, 'atMs'>>(reading: H | undefined, nowMs: number): H | undefined {
  return reading === undefined || nowMs - reading.atMs > readingValidMs ? undefined : reading;
}
