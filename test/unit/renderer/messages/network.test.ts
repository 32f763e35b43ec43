import { describe, expect, it } from 'vitest';
import { networkCheckResult } from '../../../../src-renderer/messages/settings/network.ts';

describe('the result of a network check', () => {
  const check = { proxy: 'http://b:1', silent: ['http://a:1'], authorities: 2, tookMs: 20, problem: null };

  it('names each proxy that did not answer', () => {
    expect(networkCheckResult(check, false)).toBe(
      'Reached through http://b:1 in 20 ms. The proxy http://a:1 did not answer in time.',
    );
  });

  it('does not repeat the proxy that was tried last', () => {
    const problem = 'Could not reach x: the proxy did not answer in time.';
    expect(networkCheckResult({ ...check, problem, silent: ['http://a:1', 'http://b:1'] }, false)).toBe(
      `${problem} Jobdeck tried through http://b:1. The proxy http://a:1 did not answer in time.`,
    );
  });
});
