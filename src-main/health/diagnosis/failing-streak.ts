import type { DiagnosisInput } from './input.ts';
import { risesOf, since, upWorkers } from './readings.ts';
import type { Readings, Rise } from './readings.ts';
import { isOut } from './input.ts';

/** A streak whose last failure is older than this is over. */
const freshMs = 180_000;
/** So many in a row are no chance. Fewer do where nothing ever completed, or where workers vanish. */
const enough = { alone: 5, supported: 3 } as const;
/** All at once is a bulk retry, or one bad batch; it takes two readings at least and this time. */
const leastSpanMs = 4_000;
/** Nothing completed ever: worth something once this long was looked at. */
const lookedForMs = 30_000;

/** Failures and retries one after another, with nothing completed in between. */
export interface FailingStreak {
  failed: number;
  retried: number;
  sinceMs: number;
  lastsMs: number;
  /** How often fewer workers were up than just before, while jobs waited or failed. */
  vanished: number;
  /** At least one worker was up whenever anyone looked. */
  isSteady: boolean;
}

/** The failures since the last job that completed, where they are too many for chance; null otherwise. */
export function failingStreak(input: DiagnosisInput, { stretch, latest, all }: Readings): FailingStreak | null {
  const rises = risesOf(stretch);
  const lastDone = rises.findLastIndex(({ completed }) => completed > 0);
  const bad = rises.slice(lastDone + 1).filter(({ failed, retried }) => failed + retried > 0);
  const [first, last] = [bad[0], bad.at(-1)];
  if (first === undefined || last === undefined || latest.atMs - last.atMs > freshMs) return null;
  const [failed, retried] = [sum(bad, 'failed'), sum(bad, 'retried')];
  // Between the readings that showed the first and the last.
  if (bad.length < 2 || last.atMs - first.atMs < leastSpanMs) return null;
  if (failed > 0 && timedOutSince(input, first.fromMs) * 2 >= failed) return null;

  const readings = since(stretch, first.fromMs);
  const vanished = readings.filter(
    (reading, index) => upWorkers(reading) < upWorkers(readings[index - 1] ?? reading),
  ).length;
  const isWithoutAny = readings.some((reading) => upWorkers(reading) === 0);
  const hasLookedLong = latest.atMs - (stretch[0]?.atMs ?? latest.atMs) >= lookedForMs;
  const isSupported =
    (hasLookedLong && risesOf(all).every(({ completed }) => completed === 0)) ||
    vanished > 1 ||
    isWithoutAny ||
    (latest.unhealthy ?? 0) > 0;
  // Retries alone are what a user does to failed jobs; a worker that is gone is not.
  if (failed === 0 && !isWithoutAny && vanished === 0) return null;
  if (failed + retried < (isSupported ? enough.supported : enough.alone)) return null;
  return {
    failed,
    retried,
    sinceMs: first.fromMs,
    lastsMs: latest.atMs - first.fromMs,
    vanished,
    isSteady: !isWithoutAny && vanished === 0 && retried === 0,
  };
}

function sum(rises: readonly Rise[], field: 'failed' | 'retried'): number {
  return rises.reduce((total, rise) => total + rise[field], 0);
}

function timedOutSince({ recentEnds }: DiagnosisInput, sinceMs: number): number {
  return recentEnds.filter((end) => isOut(end) && end.endedAtMs >= sinceMs).length;
}
