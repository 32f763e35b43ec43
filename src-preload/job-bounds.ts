import { dayMs, minuteMs, weekMs } from './durations.ts';

/** The bounds of a policy, in milliseconds (spec: policy object). */
export const policyBounds = {
  executionTimeout: { minMs: 5_000, maxMs: weekMs },
  ttl: { minMs: 10_000, maxMs: weekMs },
} as const;

/** What the service applies where a policy names nothing, in milliseconds (spec: policy object). */
export const policyDefaults = { executionTimeoutMs: 10 * minuteMs, ttlMs: dayMs } as const;

/** A body with this many bytes or more is refused here (ruling 16). */
export const payloadLimitBytes = { run: 10_000_000, runsync: 20_000_000 } as const;

/** How long a runsync may wait for its result, in milliseconds (spec: Limits, wait of runsync). */
export const waitBounds = { minMs: 1_000, maxMs: 300_000, defaultMs: 90_000 } as const;

/** The most characters of a title, which is one line. */
export const maxTitleChars = 200;

/** Longer than any id seen so far. */
export const maxJobIdChars = 200;

/**
 * Whether a text can be a job's id at the service: 1 to 200 printable characters, without spaces around them.
 * Characters with a meaning in an address (`: / ? = + %`) are encoded there; `.` and `..` cannot be.
 */
export function isJobId(text: string): boolean {
  return (
    text !== '' &&
    text.length <= maxJobIdChars &&
    text === text.trim() &&
    text !== '.' &&
    text !== '..' &&
    !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)
  );
}
