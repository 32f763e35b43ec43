import { timeScaleBounds } from '../../src-preload/sandbox-bounds.ts';

/** The speeds that have a button. */
export const usualSpeeds = [1, 10, 60, 600] as const;

const resultMs = 30 * 60_000;
const ttlMs = 24 * 3_600_000;

/** A duration: `30 s`, `0.18 s`, `2.4 min`, `24 h`. */
export function spanText(ms: number): string {
  const short = (value: number): string =>
    String(value < 1 ? Math.round(value * 100) / 100 : Math.round(value * 10) / 10);
  if (ms < 120_000) return `${short(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${short(ms / 60_000)} min` : `${short(ms / 3_600_000)} h`;
}

/** What a speed means for jobs, in a sentence or two (spec: Limits; 30 minutes for run, ttl 24 hours by default). */
export function speedSentence(timeScale: number): string {
  if (timeScale === 1) return `Real time: a result expires in the sandbox after ${spanText(resultMs)}.`;
  return (
    `At ${timeScale}x a result expires in the sandbox after ${spanText(resultMs / timeScale)}, and a ttl of 24 h is ` +
    `over after ${spanText(ttlMs / timeScale)}. Jobdeck’s own countdowns stay in real time.`
  );
}

/** The entered speed, or null if it is invalid. */
export function readSpeed(text: string): number | null {
  const value = Number(text.trim().replace(/x$/i, ''));
  return text.trim() !== '' && Number.isFinite(value) && value >= timeScaleBounds.min && value <= timeScaleBounds.max
    ? value
    : null;
}
