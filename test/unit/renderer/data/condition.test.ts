import { describe, expect, it } from 'vitest';
import { conditionOf } from '../../../../src-renderer/data/condition.ts';

const noKey = { kind: 'no-key' as const };

describe('what stands between Jobdeck and a connection', () => {
  it('is first of all a sandbox that does not run, whatever else is known', () => {
    const stopped = conditionOf({ isSandbox: true, state: noKey }, { isRunning: false });
    expect(stopped).toEqual({ kind: 'sandbox-stopped' });
    expect(conditionOf({ isSandbox: true, state: { kind: 'ready' } }, { isRunning: false })).toBe(stopped);
  });

  it('is the connection’s own state otherwise', () => {
    expect(conditionOf({ isSandbox: true, state: noKey }, { isRunning: true })).toBe(noKey);
    expect(conditionOf({ isSandbox: true, state: noKey }, null)).toBe(noKey);
    expect(conditionOf({ isSandbox: false, state: noKey }, { isRunning: false })).toBe(noKey);
    expect([conditionOf(null, null), conditionOf(undefined, null)]).toEqual([null, null]);
  });
});
