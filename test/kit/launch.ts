import { _electron as playwrightElectron } from '@playwright/test';
import type { Page } from '@playwright/test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Controls } from '../electron-stand-in/control-contract.ts';
import { hasDisplay } from './chromium.ts';
import { findElectron, projectDir } from './electron-binary.ts';
import { startStandIn } from './stand-in-process.ts';

export interface LaunchOptions {
  /** The app's data folder; start again with the same one to meet what was kept. */
  dataDir: string;
  env?: Record<string, string>;
  args?: string[];
  /** Folder with the package.json to run; the project itself when not given. */
  appDir?: string;
  /** Runs on the stand-in even where real Electron is present. */
  kind?: 'electron' | 'stand-in';
}

type Answer<N extends keyof Controls> = Promise<Awaited<ReturnType<Controls[N]>>>;

/** A running app, driven as a person would; the same on real Electron and on the stand-in. */
export interface LaunchedApp {
  /** Which of the two this run is on. */
  kind: 'electron' | 'stand-in';
  /** The first window of the app, loaded. */
  mainWindow(): Promise<Page>;
  /** All open windows, oldest first, hidden ones too. */
  windows(): Page[];
  /** All pages that are open, those at foreign addresses and in no window too. */
  pages(): Page[];
  /** The window whose address is at this route ("/job/1" or a pattern, without the #); waits for it up to 20 s. */
  waitForWindow(route: string | RegExp): Promise<Page>;
  /** Shown so far, oldest first. */
  notifications(): Answer<'notifications'>;
  clickNotification(index: number): Promise<void>;
  /** Null while the app has no tray icon. */
  tray(): Answer<'tray'>;
  clickTray(): Promise<void>;
  /** A label, or labels from the outer menu inwards. Errors: rejects when there is no such item or it is disabled. */
  clickTrayItem(...path: string[]): Promise<void>;
  applicationMenu(): Answer<'applicationMenu'>;
  clickMenuItem(...path: string[]): Promise<void>;
  badge(): Promise<number>;
  clipboard(): Promise<string>;
  /** The image on the clipboard as base64; empty where there is none. */
  clipboardPng(): Promise<string>;
  openedExternally(): Promise<string[]>;
  shownInFolder(): Promise<string[]>;
  /** Dialogs asked so far with the answers they got. */
  dialogs(): Answer<'dialogs'>;
  /**
   * Queues the answer for the next dialog (`{ response: 0 }`, `{ canceled: false, filePath }`). Unanswered dialogs are
   * cancelled.
   */
  answerDialog(answer: unknown): Promise<void>;
  /** Fires an event of powerMonitor ("suspend", "resume"); answers whether a listener prevented it. */
  firePower(event: string): Promise<boolean>;
  /** The user goes to another program: what ends now is shown by the desktop, whatever is open. */
  leave(): Promise<void>;
  setSystemColorScheme(scheme: 'light' | 'dark'): Promise<void>;
  /** States of the windows as main knows them. */
  windowStates(): Answer<'windows'>;
  /** Anything else the stand-in can be asked; rejects on real Electron where that cannot answer. */
  ask<N extends keyof Controls>(name: N, ...args: Parameters<Controls[N]>): Answer<N>;
  /** All that main wrote to stdout and stderr so far, in order of arrival. */
  logs(): string;
  /** Process id of main. */
  pid: number;
  /** Resolves with the exit code when main has ended, however that came. */
  exited: Promise<number | null>;
  /**
   * Quits as the menu does and waits for the end. Errors: rejects, and kills, when the app has not ended after 15 s.
   */
  close(): Promise<void>;
  /** SIGKILL to main; resolves when it and its Chromium are gone. */
  kill(): Promise<void>;
}

/** One way to run the app; `launchApp` makes the rest from it. */
export interface RunningApp {
  kind: 'electron' | 'stand-in';
  pid: number;
  exited: Promise<number | null>;
  pages(): Page[];
  ask<N extends keyof Controls>(name: N, ...args: Parameters<Controls[N]>): Answer<N>;
  logs(): string;
  quit(): Promise<void>;
  kill(): Promise<void>;
}

const waitMs = 20_000;

/**
 * Starts the built app: real Electron when its binary is there, the stand-in otherwise (`kind` says which).
 * Resolves when the app is ready. Errors: rejects when the app is not built or ends before it is ready.
 */
export async function launchApp(options: LaunchOptions): Promise<LaunchedApp> {
  const appDir = options.appDir ?? projectDir;
  if (options.appDir === undefined && !existsSync(join(appDir, 'out', 'main', 'main.js')))
    throw new Error('The app is not built: out/main/main.js is missing. Run "npm run build" first.');
  // Real Electron needs a display; without one the stand-in shows the same windows to no one.
  const electron = options.kind === 'stand-in' || (options.kind === undefined && !hasDisplay()) ? null : findElectron();
  if (options.kind === 'electron' && electron === null)
    throw new Error('Electron’s binary is not here. Run "npx install-electron", or let this run on the stand-in.');
  const args = [appDir, `--user-data-dir=${options.dataDir}`, ...(options.args ?? [])];
  const running =
    electron === null
      ? await startStandIn(args, options.env ?? {})
      : await startElectron(electron, args, options.env ?? {});
  return present(running);
}

function present(running: RunningApp): LaunchedApp {
  const { ask } = running;
  const windows = (): Page[] =>
    running
      .pages()
      .filter((page) => !page.isClosed() && /^(https:\/\/app\.localhost|app:|http:\/\/localhost)/.test(page.url()));
  const until = async (describe: () => string, find: () => Page | undefined): Promise<Page> => {
    const deadline = Date.now() + waitMs;
    for (;;) {
      const page = find();
      if (page !== undefined) {
        await page.waitForLoadState('domcontentloaded');
        return page;
      }
      if (Date.now() > deadline)
        throw new Error(
          `${describe()} Open: ${
            windows()
              .map((one) => one.url())
              .join(', ') || 'no window'
          }.\n${running.logs().slice(-2_000)}`,
        );
      const hasEnded = await Promise.race([
        running.exited.then(() => true),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), 25)),
      ]);
      if (hasEnded)
        throw new Error(`The app ended while a test waited for its window.\n${running.logs().slice(-2_000)}`);
    }
  };

  return {
    kind: running.kind,
    pid: running.pid,
    exited: running.exited,
    mainWindow: () =>
      until(
        () => 'The app showed no window.',
        () => windows()[0],
      ),
    windows,
    pages: running.pages,
    waitForWindow: (route) =>
      until(
        () => `No window is at ${String(route)}.`,
        () => windows().find((page) => isAt(page.url(), route)),
      ),
    notifications: () => ask('notifications'),
    clickNotification: (index) => ask('clickNotification', index),
    tray: () => ask('tray'),
    clickTray: () => ask('clickTray'),
    clickTrayItem: (...path) => ask('clickTrayItem', path),
    applicationMenu: () => ask('applicationMenu'),
    clickMenuItem: (...path) => ask('clickMenuItem', path),
    badge: () => ask('badge'),
    clipboard: () => ask('clipboard'),
    clipboardPng: () => ask('clipboardPng'),
    openedExternally: () => ask('openedExternally'),
    shownInFolder: () => ask('shownInFolder'),
    dialogs: () => ask('dialogs'),
    answerDialog: (answer) => ask('answerDialog', answer),
    firePower: (event) => ask('firePower', event),
    leave: () => ask('leave'),
    setSystemColorScheme: (scheme) => ask('setSystemColorScheme', scheme),
    windowStates: () => ask('windows'),
    ask,
    logs: running.logs,
    async close() {
      await Promise.race([running.quit(), running.exited]);
      let timer: NodeJS.Timeout | undefined;
      const isLate = await Promise.race([
        running.exited.then(() => false),
        new Promise<true>((resolve) => void (timer = setTimeout(() => resolve(true), 15_000))),
      ]);
      clearTimeout(timer);
      if (!isLate) return;
      await running.kill();
      throw new Error(`The app did not quit within 15 s.\n${running.logs().slice(-2_000)}`);
    },
    kill: running.kill,
  };
}

/** True when the address's fragment is this route; a query after the route does not matter. */
export function isAt(url: string, route: string | RegExp): boolean {
  const at = decodeURI(new URL(url).hash.slice(1));
  return typeof route === 'string' ? at === route || at.startsWith(`${route}?`) : route.test(at);
}

const recorder = join(projectDir, 'test', 'electron-stand-in', 'real-electron-recorder.cjs');

async function startElectron(executablePath: string, args: string[], env: Record<string, string>): Promise<RunningApp> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== 'NODE_OPTIONS',
    ),
  );
  const app = await playwrightElectron.launch({
    executablePath,
    args: ['-r', recorder, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...args],
    // With what pages say on their consoles, as the stand-in writes it.
    env: { ...inherited, ELECTRON_ENABLE_LOGGING: '1', ...env },
  });
  const main = app.process();
  let logs = '';
  const keep = (chunk: Buffer): void => void (logs += String(chunk));
  main.stdout?.on('data', keep);
  main.stderr?.on('data', keep);
  const exited = new Promise<number | null>((resolve) => main.once('exit', (code) => resolve(code)));
  return {
    kind: 'electron',
    pid: main.pid ?? -1,
    exited,
    pages: () => app.windows(),
    ask: (name, ...given) =>
      app.evaluate(
        (_electron, call) => {
          const answers: Record<string, (...args: unknown[]) => never> = Reflect.get(globalThis, 'jobdeckRecorder');
          const answer = answers[call.name];
          if (answer === undefined) throw new Error(`Real Electron cannot be asked for ${call.name}.`);
          return answer(...call.given);
        },
        { name, given },
      ),
    logs: () => logs,
    quit: () => app.evaluate(({ app: electronApp }) => electronApp.quit()).catch(() => {}),
    async kill() {
      main.kill('SIGKILL');
      await exited;
    },
  };
}
