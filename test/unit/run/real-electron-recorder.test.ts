import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { projectDir } from '../../kit/electron-binary.ts';

const source = readFileSync(join(projectDir, 'test', 'electron-stand-in', 'real-electron-recorder.cjs'), 'utf8');
const nothing = (): void => {};

/** The recorder in an Electron that has only what it uses. */
async function load(env: Record<string, string> = {}, dialog: object = {}) {
  const relaunch = vi.fn<() => void>();
  const app = Object.assign(new EventEmitter(), {
    relaunch,
    whenReady: () => Promise.resolve(),
    getAppMetrics: () => [
      { type: 'GPU', cpu: { cumulativeCPUUsage: 9 } },
      { type: 'Browser', cpu: { cumulativeCPUUsage: 1.5 } },
    ],
  });
  const defaultSession = new EventEmitter();
  const crashed = vi.fn<() => void>();
  const click = vi.fn<(event: object, window: object, contents: unknown) => void>();
  const register = vi.fn<() => boolean>(() => true);
  const electron = {
    app,
    BrowserWindow: {
      fromId: () => ({ webContents: { forcefullyCrashRenderer: crashed } }),
      getFocusedWindow: () => null,
      getAllWindows: () => [{ webContents: 'its contents' }],
    },
    clipboard: {},
    dialog,
    globalShortcut: { register, unregisterAll: nothing },
    ipcMain: { handle: nothing },
    Menu: { getApplicationMenu: () => ({ items: [{ label: 'Zoom &In', visible: true, enabled: true, click }] }) },
    nativeImage: { createFromPath: nothing },
    nativeTheme: {},
    Notification: class {
      show = nothing;
    },
    powerMonitor: {},
    powerSaveBlocker: { start: nothing, stop: nothing },
    session: { defaultSession },
    shell: {},
    Tray: class {
      setTitle = nothing;
    },
    webContents: { getAllWebContents: () => [{ getLastWebPreferences: () => ({ sandbox: true }) }] },
  };
  const loaded = vi.fn<(name: string) => unknown>((name) => (name === 'electron' ? electron : {}));
  const immediately: (() => void)[] = [];
  const scope = {
    require: loaded,
    process: { env, platform: 'linux' },
    globalThis: {} as { jobdeckRecorder?: Record<string, (...args: unknown[]) => unknown> },
    setImmediate: (run: () => void) => void immediately.push(run),
    console: { error: nothing },
  };
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- a file of the project, in the scope of this test
  new Function(...Object.keys(scope), source)(...Object.values(scope));
  await Promise.resolve();
  const ask = (name: string, ...given: unknown[]): unknown => {
    const answer = scope.globalThis.jobdeckRecorder?.[name];
    if (answer === undefined) throw new Error(`The recorder has no answer to ${name}.`);
    return answer(...given);
  };
  const turn = (): void => immediately.splice(0).forEach((run) => run());
  return { electron, app, click, defaultSession, relaunch, crashed, register, loaded, ask, turn };
}

it('causes mishaps, each in its own turn of main', async () => {
  const { ask, turn, crashed } = await load();
  ask('crashWindow', 1);
  expect(crashed).toHaveBeenCalledTimes(1);
  ask('throwInMain', 'an error');
  expect(turn).toThrow('an error');
  expect(ask('processorMs')).toBe(1_500);
  expect(ask('webPreferences')).toEqual([{ sandbox: true }]);
});

it('starts no second program when the app restarts itself', async () => {
  const { app, relaunch } = await load();
  app.relaunch();
  expect(relaunch).not.toHaveBeenCalled();
});

it('passes a link as macOS does', async () => {
  const { app, ask } = await load();
  const heard = vi.fn<(event: Event, link: string) => void>((event) => event.preventDefault());
  app.on('open-url', heard);
  ask('openUrl', 'jobdeck://job/1');
  expect(heard.mock.calls[0]?.[1]).toBe('jobdeck://job/1');
});

it('counts the downloads that the app allowed', async () => {
  const { defaultSession, ask, turn } = await load();
  // The app listens later.
  defaultSession.on('will-download', (event: { defaultPrevented: boolean }, item: { getFilename(): string }) => {
    event.defaultPrevented = item.getFilename() === 'denied.txt';
  });
  for (const name of ['denied.txt', 'let-through.txt'])
    defaultSession.emit('will-download', { defaultPrevented: false }, { getFilename: () => name });
  turn();
  expect(ask('downloads')).toEqual(['let-through.txt']);
});

it('presses global shortcuts, and refuses those of another program', async () => {
  const { electron, register, ask } = await load({ ELECTRON_STAND_IN_TAKEN_SHORTCUTS: 'Ctrl+T' });
  const shortcuts: { register: (keys: string, run: () => void) => boolean; unregisterAll: () => void } =
    electron.globalShortcut;
  const run = vi.fn<() => void>();
  expect(shortcuts.register('Ctrl+T', run)).toBe(false);
  expect(register).not.toHaveBeenCalled();
  expect(shortcuts.register('Ctrl+J', run)).toBe(true);
  expect([ask('pressGlobalShortcut', 'Ctrl+T'), ask('pressGlobalShortcut', 'Ctrl+J')]).toEqual([false, true]);
  expect(run).toHaveBeenCalledTimes(1);
  shortcuts.unregisterAll();
  expect(ask('pressGlobalShortcut', 'Ctrl+J')).toBe(false);
});

it('keeps a dialog open until the test answers', async () => {
  const { electron, ask } = await load();
  const dialog: { showSaveDialog?: (options: object) => Promise<unknown> } = electron.dialog;
  ask('answerDialog', 'stays open');
  const answered = dialog.showSaveDialog?.({ defaultPath: 'a.json' });
  expect(ask('dialogs')).toMatchObject([{ kind: 'save', answer: 'stays open' }]);
  ask('answerDialog', { canceled: false, filePath: 'b.json' });
  expect(await answered).toEqual({ canceled: false, filePath: 'b.json' });
});

it('says at once if a dialog of Electron cannot be replaced, which would wait for a person', async () => {
  await expect(load({}, Object.freeze({ showMessageBox: nothing }))).rejects.toThrow(
    'dialog.showMessageBox cannot be replaced',
  );
});

it('clicks a menu item with the contents that its role acts on, whatever has the focus', async () => {
  const { ask, click } = await load();
  ask('clickMenuItem', ['Zoom In']);
  expect(click).toHaveBeenCalledWith({}, { webContents: 'its contents' }, 'its contents');
});

it('loads a bench’s module in main', async () => {
  const { loaded } = await load({ JOBDECK_RECORDER_LOADS: '/watch.mjs' });
  expect(loaded).toHaveBeenCalledWith('/watch.mjs');
});
