import { afterEach, expect, test, vi } from 'vitest';
import type { Bridge } from '../../../../src-preload/contract.ts';
import type { EventName, Events } from '../../../../src-preload/events.ts';
import { ok } from '../../../../src-preload/failure.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { listenToEngine, mergeNotices, useSession } from '../../../../src-renderer/data/session-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

test('a setting that changes while the window waits for its other first answers is kept', async () => {
  const waiting: (() => void)[] = [];
  answerCalls({
    'settings:get': async () => ok({ ...settingsDefaults, isStartedAtLogin: true }),
    'connection:list': async () => {
      await new Promise<void>((resolve) => void waiting.push(resolve));
      return ok([]);
    },
  });
  const listeners: { [N in EventName]?: (payload: Events[N]) => void } = {};
  const on: Bridge['on'] = (name, listener) => {
    Object.assign(listeners, { [name]: listener });
    return () => {};
  };
  vi.stubGlobal('window', { bridge: { ...window.bridge, on } });
  listenToEngine();

  const loaded = useSession.getState().load();
  listeners['settings:changed']?.({ ...settingsDefaults, isStartedAtLogin: false });
  expect(waiting).toHaveLength(1);
  waiting[0]?.();
  await loaded;
  expect(useSession.getState().settings.isStartedAtLogin).toBe(false);
});

test('a notice about the same thing replaces the one before, and an older one that comes late does not', () => {
  const notice = (id: string, title: string, atMs: number) =>
    ({ id, title, atMs, tone: 'warning', text: '', path: null }) as const;
  const first = [notice('link', 'not saved here', 1), notice('restarted', 'restarted', 1)];
  const newer = notice('link', 'not understood', 2);
  expect(mergeNotices(first, [newer])).toEqual([newer, first[1]]);
  expect(mergeNotices([newer], first)).toEqual([newer, first[1]]);
});
