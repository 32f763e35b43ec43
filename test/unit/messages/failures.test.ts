import { expect, it } from 'vitest';
import { failureText } from '../../../src-main/messages/service/failures.ts';

it.each([
  [400, '1 s'],
  [29_001, '30 s'],
  [90_000, '1.5 min'],
  [86_400_000, '24 h'],
])('a service that asks for %i ms is tried again in %s', (retryAfterMs, span) => {
  const limited = { httpStatus: 429, kind: 'rate-limited', isPlainRefusal: true, retryAfterMs } as const;
  expect(failureText.status('status', limited)).toContain(`Rate limited (429). Retry in ${span}. `);
});

it('a request without an answer names its limit', () => {
  expect(failureText.timeout('run', 'queue.example', 120_000, false)).toMatch(
    /^queue\.example did not answer within 2 min\. /,
  );
});
