import { timeScaleBounds } from '../../src-preload/sandbox-bounds.ts';

/** The speeds that have a button. */
export const usualSpeeds = [1, 10, 60, 600] as const;

/** The entered speed, or null if it is invalid. */
export function readSpeed(text: string): number | null {
  const value = Number(text.trim().replace(/x$/i, ''));
  return text.trim() !== '' && Number.isFinite(value) && value >= timeScaleBounds.min && value <= timeScaleBounds.max
    ? value
    : null;
}
