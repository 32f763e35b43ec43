import { describe, expect, it } from 'vitest';
import { shownConnectionState } from '../../../../src-renderer/data/connection-state.ts';

const noKey = { kind: 'no-key' as const };

describe('the obstacle between Jobdeck and a connection', () => {
  it('is first of all a stopped sandbox, whatever else is known', () => {
    const stopped = shownConnectionState({ isSandbox: true, state: noKey }, { isRunning: false });
    expect(stopped).toEqual({ kind: 'sandbox-stopped' });
    expect(shownConnectionState({ isSandbox: true, state: { kind: 'ready' } }, { isRunning: false })).toBe(stopped);
  });

  it('is otherwise the connection’s own state', () => {
    expect(shownConnectionState({ isSandbox: true, state: noKey }, { isRunning: true })).toBe(noKey);
    expect(shownConnectionState({ isSandbox: true, state: noKey }, null)).toBe(noKey);
    expect(shownConnectionState({ isSandbox: false, state: noKey }, { isRunning: false })).toBe(noKey);
    expect([shownConnectionState(null, null), shownConnectionState(undefined, null)]).toEqual([null, null]);
  });
});
