import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { toastXml } from '../../../src-main/desktop/notifications/toasts.ts';
import type { Controls } from '../../electron-stand-in/control-contract.ts';
import { projectDir } from '../../kit/electron-binary.ts';

const source = readFileSync(join(projectDir, 'test', 'electron-stand-in', 'real-electron-recorder.cjs'), 'utf8');
const nothing = (): void => {};

/** One window, which is open and has the focus. */
class FakeWindow extends EventEmitter {
  id = 1;
  hasFocus = false;
  readonly webContents = {
    forcefullyCrashRenderer: vi.fn<() => void>(),
    getURL: () => 'app://jobdeck/index.html#/',
    mainFrame: { framesInSubtree: [{}] },
  };
  setProgressBar(_progress: number, _options?: object): void {}
  setOverlayIcon(_image: object | null, _words: string): void {}
  getTitle = (): string => 'Jobdeck';
  getBounds = (): object => ({ x: 0, y: 0, width: 1440, height: 900 });
  isVisible = (): boolean => true;
  isFocused = (): boolean => this.hasFocus;
  isMinimized = (): boolean => false;
  isMaximized = (): boolean => false;
  isVisibleOnAllWorkspaces = (): boolean => false;
  /** The system takes the focus in a later turn. */
  blur(): void {
    setTimeout(() => {
      this.hasFocus = false;
      this.emit('blur');
    });
  }
}

/** What the app gave it, as Electron keeps it. */
class FakeNotification extends EventEmitter {
  title = '';
  subtitle = '';
  body = '';
  silent = false;
  urgency = 'normal';
  actions = [];
  toastXml = '';
  id = 'n1';
  constructor(options: object = {}) {
    super();
    Object.assign(this, options);
  }
  show(): void {}
}

class FakeTray extends EventEmitter {
  setImage(): void {}
  setToolTip(): void {}
  setTitle(): void {}
  setContextMenu(): void {}
  isDestroyed = (): boolean => false;
  getBounds = (): object => ({ x: 1, y: 1, width: 22, height: 22 });
}

/** The recorder in an Electron that has only what it uses. */
async function load(env: Record<string, string> = {}, dialog: object = {}, platform = 'linux') {
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
  // The recorder changes the classes that it finds.
  class BrowserWindow extends FakeWindow {
    static fromId = (): FakeWindow => window;
    static getFocusedWindow = (): FakeWindow | null => (window.isFocused() ? window : null);
    static getAllWindows = (): FakeWindow[] => open;
  }
  const window = new BrowserWindow();
  /** The newest first, as Electron often has them. */
  const open: FakeWindow[] = [window];
  const click = vi.fn<(event: object, window: object, contents: unknown) => void>();
  const register = vi.fn<() => boolean>(() => true);
  const electron = {
    app,
    BrowserWindow,
    clipboard: { clear: vi.fn<() => Promise<void>>() },
    dialog,
    globalShortcut: { register, unregisterAll: nothing },
    ipcMain: { handle: nothing },
    Menu: { getApplicationMenu: () => ({ items: [{ label: 'Zoom &In', visible: true, enabled: true, click }] }) },
    nativeImage: { createFromPath: nothing },
    nativeTheme: {},
    Notification: class extends FakeNotification {},
    powerMonitor: {},
    powerSaveBlocker: { start: nothing, stop: nothing },
    session: { defaultSession },
    shell: {},
    Tray: class extends FakeTray {},
    webContents: { getAllWebContents: () => [{ getLastWebPreferences: () => ({ sandbox: true }) }] },
  };
  const loaded = vi.fn<(name: string) => unknown>((name) => (name === 'electron' ? electron : {}));
  const immediately: (() => void)[] = [];
  const scope = {
    require: loaded,
    process: { env, platform },
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
  return { electron, window, open, app, click, defaultSession, relaunch, register, loaded, ask, turn, immediately };
}

it('causes mishaps, each in its own turn of main', async () => {
  const { window, ask, turn } = await load();
  ask('crashWindow', 1);
  expect(window.webContents.forcefullyCrashRenderer).toHaveBeenCalledTimes(1);
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
  const { window, ask, click } = await load();
  ask('clickMenuItem', ['Zoom In']);
  expect(click).toHaveBeenCalledWith({}, window, window.webContents);
});

it('loads a bench’s module in main', async () => {
  const { loaded } = await load({ JOBDECK_RECORDER_LOADS: '/watch.mjs' });
  expect(loaded).toHaveBeenCalledWith('/watch.mjs');
});

/** What the contract promises, by the compiler: a part that is missing here does not compile. */
type Parts<T> = Record<keyof T, true>;
const ofWindow: Parts<ReturnType<Controls['windows']>[number]> = {
  id: true,
  targetId: true,
  url: true,
  title: true,
  isVisible: true,
  isFocused: true,
  isMinimized: true,
  isMaximized: true,
  isOverFullScreen: true,
  place: true,
  frames: true,
  taskbar: true,
};
// What a click passes on in a later run is only known to the stand-in, and so are the images that the tray had before.
const ofNotification: Parts<Omit<ReturnType<Controls['notifications']>[number], 'activations'>> = {
  title: true,
  subtitle: true,
  body: true,
  isSilent: true,
  icon: true,
  urgency: true,
  actions: true,
  isClosed: true,
  id: true,
};
const ofTray: Parts<Omit<NonNullable<ReturnType<Controls['tray']>>, 'images'>> = {
  tooltip: true,
  title: true,
  image: true,
  isTemplate: true,
  hasClickHandler: true,
  menu: true,
};
const names = (parts: unknown): string[] => (typeof parts === 'object' && parts !== null ? Object.keys(parts) : []);

it('says of windows, notifications and the tray what the stand-in says', async () => {
  const { electron, ask } = await load();
  new electron.Notification().show();
  new electron.Tray().setToolTip();
  for (const [told, parts] of [
    [[ask('windows')].flat()[0], ofWindow],
    [[ask('notifications')].flat()[0], ofNotification],
    [ask('tray'), ofTray],
  ])
    expect(names(told).toSorted()).toEqual(names(parts).toSorted());
});

it('lists windows from the oldest on, in whatever order Electron has them', async () => {
  const { electron, open, ask } = await load();
  open.unshift(Object.assign(new electron.BrowserWindow(), { id: 2 }));
  expect([ask('windows')].flat()).toMatchObject([{ id: 1 }, { id: 2 }]);
});

it('says what the icon of a window shows', async () => {
  const { window, ask } = await load();
  const icon = (): unknown => {
    const [told]: unknown[] = [ask('windows')].flat();
    return typeof told === 'object' && told !== null && 'taskbar' in told ? told.taskbar : null;
  };
  expect(icon()).toEqual({ progress: -1, mode: 'normal', overlay: null });
  window.setProgressBar(0.5, { mode: 'paused' });
  window.setOverlayIcon({}, '1 unseen failure');
  expect(icon()).toEqual({ progress: 0.5, mode: 'paused', overlay: '1 unseen failure' });
  window.setOverlayIcon(null, '');
  expect(icon()).toMatchObject({ overlay: null });
});

it('reads a notification of Windows from the XML that the app wrote', async () => {
  const { electron, ask } = await load({}, {}, 'win32');
  const words = { title: 'a <b>bold</b> & "quoted" title', body: 'x &lt; y', isSilent: true };
  const xml = toastXml({ id: 'n7rc', ...words, actions: ['Retry', 'Copy & paste'] });
  new electron.Notification({ toastXml: xml, id: 'n7rc' }).show();
  new electron.Notification({ title: 'without XML', body: 'of Jobdeck itself' }).show();
  expect(ask('notifications')).toMatchObject([
    { ...words, actions: ['Retry', 'Copy & paste'], id: 'n7rc' },
    { title: 'without XML', body: 'of Jobdeck itself', isSilent: false, actions: [] },
  ]);
});

it.each([
  ['linux', [], 1],
  ['darwin', ['not allowed'], 0],
  ['win32', ['not allowed'], 0],
])('on %s keeps what the app asked for where a person must allow it first', async (platform, kept, timesHeard) => {
  const { electron, ask } = await load({}, {}, platform);
  const heard = vi.fn<() => void>();
  const notification = new electron.Notification({ title: 'not allowed' });
  notification.on('failed', heard);
  notification.show();
  notification.emit('failed', {}, 'Notifications are not allowed');
  expect([ask('notifications')].flat().map((one) => Object.assign({ title: '' }, one).title)).toEqual(kept);
  expect(heard).toHaveBeenCalledTimes(timesHeard);
  const shown = new electron.Notification({ title: 'allowed' });
  shown.show();
  shown.emit('show', {});
  expect(ask('notificationAnswers')).toEqual({ shown: 1, refused: ['Notifications are not allowed'] });
});

it('begins with an empty clipboard, whatever the spec before copied', async () => {
  const { electron } = await load();
  expect(electron.clipboard.clear).toHaveBeenCalledTimes(1);
});

it('presses the icon of the tray when the focus is gone, as a hand does', async () => {
  const { electron, window, ask, immediately } = await load();
  const tray = new electron.Tray();
  tray.setToolTip();
  const order: string[] = [];
  window.hasFocus = true;
  window.once('blur', () => order.push('blur'));
  tray.on('click', () => order.push('click'));
  const clicked = ask('clickTray');
  expect(order).toEqual([]);
  await vi.waitFor(() => expect(immediately).toHaveLength(1));
  immediately.splice(0).forEach((run) => run());
  await clicked;
  expect(order).toEqual(['blur', 'click']);
  // Nothing has the focus.
  await ask('clickTray');
  expect(order).toEqual(['blur', 'click', 'click']);
});
