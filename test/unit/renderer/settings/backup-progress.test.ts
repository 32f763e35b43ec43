import { afterEach, expect, test, vi } from 'vitest';
import type { Bridge } from '../../../../src-preload/contract.ts';
import type { EventName, Events } from '../../../../src-preload/events.ts';
import { ok } from '../../../../src-preload/failure.ts';
import { followBackup, useBackup } from '../../../../src-renderer/settings/backup-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

test('a backup that ends while the settings are closed is not in progress when they are opened again', () => {
  answerCalls({ 'backup:restored': () => Promise.resolve(ok(null)) });
  const on: Bridge['on'] = (name, listener) => {
    Object.assign(told, { [name]: listener });
    return () => void Object.assign(told, { [name]: undefined });
  };
  const told: { [N in EventName]?: (payload: Events[N]) => void } = {};
  vi.stubGlobal('window', { bridge: { ...window.bridge, on } });
  const close: unknown = followBackup();
  told['backup:progress']?.({ progress: { doing: 'write', share: 0.4 } });
  expect(useBackup.getState().progress).toMatchObject({ share: 0.4 });
  // As React does with what an effect returns.
  if (typeof close === 'function') close();
  told['backup:progress']?.({ progress: null });
  followBackup();
  expect(useBackup.getState().progress).toBeNull();
});
