import { _electron as playwrightElectron } from '@playwright/test';
import type { Page } from '@playwright/test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Controls } from '../electron-stand-in/control-contract.ts';
import { hasDisplay } from './chromium.ts';
import { findElectron, projectDir } from './electron-binary.ts';
import { startStandIn } from './stand-in-process.ts';

export interface LaunchOptions {
  /** The app's data folder. Start again with the same one to find the saved data. */
  dataDir: string;
  env?: Record<string, string>;
  args?: string[];
  /** Folder with the package.json to run. Default: the project itself. */
  appDir?: string;
  /** Runs on the stand-in even if real Electron is present. */
  kind?: 'electron' | 'stand-in';
}

type Answer<N extends keyof Controls> = Promise<Awaited<ReturnType<Controls[N]>>>;

/** A running app that is used as a person would; the same on real Electron and on the stand-in. */
export interface LaunchedApp {
  /** Which of the two it runs on. */
  kind: 'electron' | 'stand-in';
  /** The first window of the app, loaded. */
  mainWindow(): Promise<Page>;
  /** All open windows, oldest first, including hidden ones. */
  windows(): Page[];
  /** All open pages, including those at foreign addresses and in no window. */
  pages(): Page[];
  /** The window whose address is at this route ("/job/1" or a pattern, without the #). Waits for it up to 20 s. */
  waitForWindow(route: string | RegExp): Promise<Page>;
  /** Shown so far, oldest first. */
  notifications(): Answer<'notifications'>;
  clickNotification(index: number): Promise<void>;
  /** Null while the app has no tray icon. */
  tray(): Answer<'tray'>;
  clickTray(): Promise<void>;
  /** A label, or labels from the outer menu inwards. Errors: rejects if there is no such item or it is disabled. */
  clickTrayItem(...path: string[]): Promise<void>;
  applicationMenu(): Answer<'applicationMenu'>;
  clickMenuItem(...path: string[]): Promise<void>;
  badge(): Promise<number>;
  clipboard(): Promise<string>;
  /** The image on the clipboard as base64. Empty if there is none. */
  clipboardPng(): Promise<string>;
  openedExternally(): Promise<string[]>;
  /** Files that were opened with the system's program for them. */
  openedPaths(): Promise<string[]>;
  shownInFolder(): Promise<string[]>;
  /** Dialogs shown so far, with their answers. */
  dialogs(): Answer<'dialogs'>;
  /**
   * Queues the answer for the next dialog (`{ response: 0 }`, `{ canceled: false, filePath }`). A dialog without an
   * answer is cancelled.
   */
  answerDialog(answer: unknown): Promise<void>;
  /** Fires an event of powerMonitor ("suspend", "resume"). Resolves with whether a listener prevented it. */
  firePower(event: string): Promise<boolean>;
  /** The user switches to another program: the desktop then notifies of what ends, whatever is open. */
  leave(): Promise<void>;
  setSystemColorScheme(scheme: 'light' | 'dark'): Promise<void>;
  /** States of the windows in the main process. */
  windowStates(): Answer<'windows'>;
  /** Anything else that the stand-in can report. Rejects on real Electron if it cannot answer. */
  ask<N extends keyof Controls>(name: N, ...args: Parameters<Controls[N]>): Answer<N>;
  /** Everything that main wrote to stdout and stderr so far, in order of arrival. */
  logs(): string;
  /** Process id of main. */
  pid: number;
  /** Resolves with the exit code when main has ended, for any reason. */
  exited: Promise<number | null>;
  /** Quits from the menu and waits for the end. Errors: rejects, and kills, if the app has not ended after 15 s. */
  close(): Promise<void>;
  /** SIGKILL to main; resolves when it and its Chromium are gone. */
  kill(): Promise<void>;
}

/** One way to run the app. `launchApp` adds the rest. */
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
 * Starts the built app: real Electron if its binary is present, else the stand-in (`kind` says which). Resolves when
 * the app is ready. Errors: rejects if the app is not built or ends before it is ready.
 */
export async function launchApp(options: LaunchOptions): Promise<LaunchedApp> {
  const appDir = options.appDir ?? projectDir;
  if (options.appDir === undefined && !existsSync(join(appDir, 'out', 'main', 'main.js')))
    throw new Error('The app is not built: out/main/main.js is missing. Run "npm run build" first.');
  const kind = options.kind ?? defaultKind();
  const electron = kind === 'stand-in' ? null : findElectron();
  if (options.kind === 'electron' && electron === null)
    throw new Error('Electron’s binary is not here. Run "npx install-electron", or let this run on the stand-in.');
  const args = [appDir, `--user-data-dir=${options.dataDir}`, ...(options.args ?? [])];
  const running =
    electron === null
      ? await startStandIn(args, options.env ?? {})
      : await startElectron(electron, args, options.env ?? {});
  return present(running);
}

/** What an app runs on if nothing else is chosen: real Electron needs its binary and a display. */
export function defaultKind(): 'electron' | 'stand-in' {
  return hasDisplay() && findElectron() !== null ? 'electron' : 'stand-in';
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
    openedPaths: () => ask('openedPaths'),
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

/** Whether the address's fragment is this route. A query after the route does not matter. */
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
    args: ['-r', recorder, ...args],
    // Includes the console messages of pages, as the stand-in does.
    env: { ...inherited, ELECTRON_ENABLE_LOGGING: '1', ...env },
    // Playwright's own defaults: no sandbox on Linux, of which Jobdeck warns in every window, and the light theme in
    // every page. As root, Chromium refuses to run with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    colorScheme: null,
    // macOS checks the program when it is first started.
    timeout: 90_000,
  });
  const main = app.process();
  // On Windows Playwright starts it by a shell, whose end would leave it running.
  const pid = await app.evaluate(() => process.pid);
  let logs = '';
  const keep = (chunk: Buffer): void => void (logs += String(chunk));
  main.stdout?.on('data', keep);
  main.stderr?.on('data', keep);
  const exited = new Promise<number | null>((resolve) => main.once('exit', (code) => resolve(code)));
  return {
    kind: 'electron',
    pid,
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
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
      await exited;
    },
  };
}
