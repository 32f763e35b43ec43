import { expect, it } from 'vitest';
import { waitingRetryText } from '../../../src-renderer/job/waiting-retry.ts';

it('a waiting retry says what it waits for and until when', () => {
  const asked = { retryAskedAtMs: 1, retentionEndsAtMs: null };
  const offline = { kind: 'offline' as const, sinceMs: 0, nextTryMs: null, message: '' };
  expect(waitingRetryText({ retentionEndsAtMs: 5 }, offline, false)).toBeNull();
  expect(waitingRetryText(asked, offline, false)).toBe('Sent once, when the service can be reached.');
  expect(waitingRetryText(asked, offline, true)).toBe('Sent once, when following jobs is resumed.');
  expect(waitingRetryText(asked, { kind: 'ready' }, false)).toMatch(/limit for retries/);
  expect(
    waitingRetryText({ ...asked, retentionEndsAtMs: new Date(2025, 0, 1, 14, 32).getTime() }, offline, false),
  ).toMatch(/reached, unless its result leaves the service before, at 14:32\.$/);
});
