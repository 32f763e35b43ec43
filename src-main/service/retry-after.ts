/** A day (ruling 10): no wait is longer, whatever is asked for; a date years ahead would stop an endpoint for good. */
export const longestRetryAfterMs = 86_400_000;

/**
 * The wait a service asks for, in milliseconds: `Retry-After` in seconds or as a date (ruling 10), else the `t=` of a
 * `RateLimit` header that comes with a 429 (field notes: Management errors). A day at most. Undefined when it asks for
 * none. A date is read against the reply's own `Date`, since the two clocks may differ, and against `nowMs` without
 * one.
 */
export function retryAfterOf(headers: Headers, httpStatus: number, nowMs: number): number | undefined {
  const askedMs = askedFor(headers, httpStatus, nowMs);
  return askedMs === undefined ? undefined : Math.min(askedMs, longestRetryAfterMs);
}

function askedFor(headers: Headers, httpStatus: number, nowMs: number): number | undefined {
  const given = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(given)) return Math.ceil(Number(given) * 1_000);
  // Date.parse takes much that is no HTTP date, such as "-5" and "2"; a date names its month or day.
  const atMs = /[A-Za-z]{3}|\d{4}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(atMs)) {
    const saidAtMs = Date.parse(headers.get('date') ?? '');
    return Math.max(0, atMs - (Number.isNaN(saidAtMs) ? nowMs : saidAtMs));
  }
  const reset = httpStatus === 429 ? /(?:^|;)\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] : undefined;
  return reset === undefined ? undefined : Number(reset) * 1_000;
}
