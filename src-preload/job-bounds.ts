import { weekMs } from './durations.ts';

/** What a policy may hold, in milliseconds (spec: policy object). */
export const policyBounds = {
  executionTimeout: { minMs: 5_000, maxMs: weekMs },
  ttl: { minMs: 10_000, maxMs: weekMs },
} as const;

/** A title is one line of at most so many characters. */
export const longestTitle = 200;

/** Longer than any id that was ever seen. */
export const longestJobId = 200;

/**
 * Whether a text can be a job's id at the service: 1 to 200 printable characters, without spaces around them. What an
 * address gives a meaning to (`: / ? = + %`) is encoded where the id stands in one; `.` and `..` cannot be.
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
