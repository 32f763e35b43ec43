import { weekMs } from './durations.ts';

/** The bounds of a policy, in milliseconds (spec: policy object). */
export const policyBounds = {
  executionTimeout: { minMs: 5_000, maxMs: weekMs },
  ttl: { minMs: 10_000, maxMs: weekMs },
} as const;

/** The most characters of a title, which is one line. */
export const longestTitle = 200;

/** Longer than any id seen so far. */
export const longestJobId = 200;

/**
 * Whether a text can be a job's id at the service: 1 to 200 printable characters, without spaces around them.
 * Characters with a meaning in an address (`: / ? = + %`) are encoded there; `.` and `..` cannot be.
 */
export function isJobId(text: string): boolean {
  return (
    text !== '' &&
    text.length <= longestJobId &&
    text === text.trim() &&
    text !== '.' &&
    text !== '..' &&
    !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)
  );
}
