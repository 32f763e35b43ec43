import { afterEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import { changeSettings, listenToSettings } from '../../../../src-renderer/data/change-settings.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A window whose engine answers as given, and says what the test has it say. */
function listening(answers: Parameters<typeof answerCalls>[0]): ReturnType<typeof answerCalls>['listeners'] {
  const { listeners } = answerCalls(answers);
  listenToSettings();
  return listeners;
}

test('a change of settings that fails resets only its own setting, to what is saved', async () => {
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waits = held.map(({ promise }) => promise);
  const listeners = listening({
    'settings:change': async () => {
      await waits.shift();
      return failed({ kind: 'storage', message: 'The disk is full.' });
    },
  });
  listeners['settings:changed']?.({ ...settingsDefaults, theme: 'light', density: 'comfortable' });
  const changes = [
    changeSettings({ theme: 'dark' }),
    changeSettings({ density: 'compact' }),
    changeSettings({ theme: 'system' }),
  ];
  const shown: unknown[] = [];
  for (const [index, change] of changes.entries()) {
    held[index]?.resolve();
    expect(await change).toMatchObject({ message: 'The disk is full.' });
    const { theme, density } = useSession.getState().settings;
    shown.push([theme, density]);
  }
  expect(shown).toEqual([
    ['system', 'compact'],
    ['system', 'comfortable'],
    ['light', 'comfortable'],
  ]);
});

test('the answer to a change of settings does not undo a later one that has no answer yet', async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let engine = { ...settingsDefaults };
  const answers = [first.promise, second.promise];
  const listeners = listening({
    'settings:change': async (patch) => {
      await answers.shift();
      engine = {
        ...engine,
        theme: patch.theme ?? engine.theme,
        isStartedAtLogin: patch.isStartedAtLogin ?? engine.isStartedAtLogin,
      };
      listeners['settings:changed']?.(engine);
      return ok(engine);
    },
  });
  useSession.setState({ settings: engine });
  const one = changeSettings({ isStartedAtLogin: true });
  const other = changeSettings({ theme: 'dark' });
  first.resolve();
  await one;
  expect(useSession.getState().settings).toMatchObject({ isStartedAtLogin: true, theme: 'dark' });
  listeners['settings:changed']?.({ ...engine, density: 'compact' });
  expect(useSession.getState().settings).toMatchObject({ density: 'compact', theme: 'dark' });
  second.resolve();
  await other;
  expect(useSession.getState().settings).toMatchObject({ isStartedAtLogin: true, theme: 'dark' });
  useSession.setState({ settings: settingsDefaults });
});

test('a change of settings that fails undoes nothing else that changed meanwhile', async () => {
  const held = Promise.withResolvers<void>();
  const listeners = listening({
    'settings:change': async () => {
      await held.promise;
      return failed({ kind: 'storage', message: 'The disk is full.' });
    },
  });
  useSession.setState({ settings: settingsDefaults });
  const done = changeSettings({ theme: 'dark' });
  listeners['settings:changed']?.({ ...settingsDefaults, density: 'compact' });
  held.resolve();
  expect(await done).toMatchObject({ message: 'The disk is full.' });
  expect(useSession.getState().settings).toMatchObject({ density: 'compact', theme: settingsDefaults.theme });
  useSession.setState({ settings: settingsDefaults });
});
