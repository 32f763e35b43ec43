import { maxCreditsPerHour, maxLimitCredits } from '../../src-preload/bounds.ts';
import { withDecimalPoint } from '../data/decimal-text.ts';
import { creditsProblemText } from '../messages/costs/endpoint-cost.ts';

/** An amount that was entered. An empty field is null; an invalid one has a problem to show. */
export type TypedCredits = { value: number | null } | { problem: string };

/** Reads an amount as people write it: `0.69`, `0,69`, `1 200`. It must be above 0 and at most `max`. Pure. */
function readCredits(text: string, max: number): TypedCredits {
  const trimmed = text.trim();
  if (trimmed === '') return { value: null };
  const plain = withDecimalPoint(trimmed);
  if (/,\d{3}$/.test(plain)) return { problem: creditsProblemText.decimalPoint };
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return { problem: creditsProblemText.notNumber };
  const value = Number(plain);
  if (value < 0) return { problem: creditsProblemText.negative };
  if (value === 0) return { problem: creditsProblemText.zero };
  if (!Number.isFinite(value) || value > max) return { problem: creditsProblemText.tooMuch(max) };
  return { value };
}

/** As `readCredits`, for a rate. */
export function readRate(text: string): TypedCredits {
  return readCredits(text, maxCreditsPerHour);
}

/** As `readCredits`, for a limit. */
export function readLimit(text: string): TypedCredits {
  return readCredits(text, maxLimitCredits);
}
