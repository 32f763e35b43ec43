import { mkdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { openBaseWindows } from './base-window.ts';
import type { BaseWindow } from './base-window.ts';
import { BrowserWindow } from './browser-window.ts';
import { desktop, endDesktop } from './shared-chromium.ts';
import { StandInEmitter, checkOptions, guard, preventable } from './guard.ts';
import { takeInstanceLock } from './instance-lock.ts';
import type { InstanceLock } from './instance-lock.ts';
import { pressAccelerator, setRoleApp } from './menu.ts';
import { onWindowLife } from './open-windows.ts';
import { records } from './records.ts';
import { reportReadiness } from './readiness.ts';

const events = [
  'ready',
  'will-finish-launching',
  'window-all-closed',
  'activate',
  'before-quit',
  'will-quit',
  'quit',
  'second-instance',
  'web-contents-created',
  'browser-window-created',
  'browser-window-focus',
  'browser-window-blur',
  'render-process-gone',
  'child-process-gone',
  'open-url',
  'open-file',
  'certificate-error',
  'select-client-certificate',
  'login',
  'gpu-info-update',
  'accessibility-support-changed',
  'session-created',
  'continue-activity',
  'did-become-active',
  'new-window-for-tab',
] as const;

interface PackageFile {
  name?: string;
  productName?: string;
  version?: string;
  main?: string;
}

class App extends StandInEmitter {
  readonly isPackaged = false;
  readonly runningUnderARM64Translation = false;
  accessibilitySupportEnabled = false;
  applicationMenu: null = null;
  userAgentFallback = '';
  readonly commandLine: object;
  readonly dock: object | undefined;
  private appPath = process.cwd();
  private packageFile: PackageFile = {};
  private chosenName: string | null = null;
  private paths = new Map<string, string>();
  private lock: InstanceLock | null = null;
  private readiness = Promise.withResolvers<void>();
  private hasBecomeReady = false;
  private isQuitting = false;
  private isExiting = false;
  private isShutDown = false;
  private exitCode = 0;

  constructor() {
    super('app', events);
    const switches = new Map<string, string>();
    this.commandLine = guard('app.commandLine', {
      appendSwitch: (name: string, value = '') => void switches.set(name, value),
      hasSwitch: (name: string) =>
        switches.has(name) || process.argv.some((one) => one === `--${name}` || one.startsWith(`--${name}=`)),
      getSwitchValue: (name: string) =>
        switches.get(name) ?? process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '',
      removeSwitch: (name: string) => void switches.delete(name),
    });
    this.dock =
      process.platform === 'darwin'
        ? guard('app.dock', {
            setBadge: (text: string) => void (records.badge = Number(text) || 0),
            getBadge: () => String(records.badge),
            setIcon: () => {},
            setMenu: () => {},
            show: async () => void (records.isDockShown = true),
            hide: () => void (records.isDockShown = false),
            isVisible: () => records.isDockShown,
            bounce: () => 0,
          })
        : undefined;
    return guard('app', this);
  }

  // Start

  /** Sets the main file that runs. Electron reads name and version from the nearest package.json above it. */
  locate(mainFile: string): void {
    for (let folder = dirname(resolve(mainFile)); ; folder = dirname(folder)) {
      try {
        const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
        if (found.name !== undefined) {
          this.appPath = folder;
          this.packageFile = found;
          return;
        }
      } catch {
        // If there is no package.json here, one above may exist.
      }
      if (dirname(folder) === folder) return;
    }
  }
  /** Called when main is evaluated, which Electron waits for too. */
  async becomeReady(): Promise<void> {
    if (this.isShutDown) return;
    await desktop();
    if (!this.isShutDown) this.finishLaunching();
  }
  private finishLaunching(): void {
    if (this.hasBecomeReady) return;
    this.hasBecomeReady = true;
    this.readiness.resolve();
    this.emit('will-finish-launching', {});
    this.emit('ready', {}, launchInfo());
  }
  whenReady(): Promise<void> {
    return this.readiness.promise;
  }
  isReady(): boolean {
    return this.hasBecomeReady;
  }

  // Names and paths

  getName(): string {
    return this.chosenName ?? this.packageFile.productName ?? this.packageFile.name ?? 'Electron';
  }
  setName(name: string): void {
    this.chosenName = name;
  }
  get name(): string {
    return this.getName();
  }
  set name(name: string) {
    this.setName(name);
  }
  getVersion(): string {
    return this.packageFile.version ?? process.versions.node;
  }
  getAppPath(): string {
    return this.appPath;
  }
  getLocale(): string {
    return 'en-US';
  }
  getSystemLocale(): string {
    return 'en-US';
  }
  getPreferredSystemLanguages(): string[] {
    return ['en-US'];
  }
  getLocaleCountryCode(): string {
    return 'US';
  }
  getPath(name: string): string {
    const path = this.paths.get(name) ?? this.defaultPath(name);
    if (['userData', 'sessionData', 'logs'].includes(name)) mkdirSync(path, { recursive: true });
    return path;
  }
  setPath(name: string, path: string): void {
    this.defaultPath(name);
    this.paths.set(name, path);
  }
  setAppLogsPath(path?: string): void {
    if (path !== undefined) this.paths.set('logs', path);
  }
  private defaultPath(name: string): string {
    const home = homedir();
    const appData =
      process.platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : process.platform === 'win32'
          ? (process.env['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
          : (process.env['XDG_CONFIG_HOME'] ?? join(home, '.config'));
    const named = process.argv.find((one) => one.startsWith('--user-data-dir='))?.slice('--user-data-dir='.length);
    const userData =
      this.paths.get('userData') ?? (named === undefined ? join(appData, this.getName()) : resolve(named));
    const folders: Record<string, string> = {
      home,
      appData,
      userData,
      sessionData: userData,
      logs: join(userData, 'logs'),
      crashDumps: join(userData, 'Crashpad'),
      temp: tmpdir(),
      exe: process.execPath,
      module: process.execPath,
      assets: this.appPath,
      desktop: join(home, 'Desktop'),
      documents: join(home, 'Documents'),
      downloads: join(home, 'Downloads'),
      music: join(home, 'Music'),
      pictures: join(home, 'Pictures'),
      videos: join(home, 'Videos'),
      recent: join(home, 'Recent'),
    };
    const path = folders[name];
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  // One instance

  requestSingleInstanceLock(additionalData: unknown = {}): boolean {
    this.lock ??= takeInstanceLock(
      this.getPath('userData'),
      { argv: process.argv, workingDirectory: process.cwd(), additionalData },
      (second) => {
        void this.readiness.promise.then(() =>
          this.emit('second-instance', {}, second.argv, second.workingDirectory, second.additionalData),
        );
      },
    );
    return this.lock.isHeld;
  }
  hasSingleInstanceLock(): boolean {
    return this.lock?.isHeld ?? false;
  }
  releaseSingleInstanceLock(): void {
    this.lock?.release();
    this.lock = null;
  }

  // End

  /**
   * Asks every window to close, before it returns (browser.cc: Quit). Any of them, or a listener of before-quit or
   * will-quit, may prevent the end.
   */
  quit(): void {
    if (this.isQuitting) return;
    const before = preventable({});
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    this.isQuitting = true;
    const windows = everyWindow();
    if (windows.length === 0) this.shutDownUnlessPrevented();
    for (const window of process.platform === 'darwin' ? windows.toReversed() : windows)
      if (!window.isDestroyed()) window.close();
  }
  /** Ends without asking: windows are destroyed without a close event (browser.cc: ExitWithCode). */
  exit(exitCode = 0): void {
    this.exitCode = exitCode;
    this.isQuitting = true;
    this.isExiting = true;
    const windows = everyWindow();
    if (windows.length === 0) this.shutDown();
    for (const window of windows) window.destroy();
  }
  windowCloseCancelled(): void {
    this.isQuitting = false;
  }
  /** Called when the last window is destroyed (browser.cc: OnWindowAllClosed). */
  windowsAreClosed(): void {
    if (this.isExiting) this.shutDown();
    else if (this.isQuitting) this.shutDownUnlessPrevented();
    else if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed', {});
  }
  private shutDownUnlessPrevented(): void {
    if (this.isShutDown) return;
    const will = preventable({});
    this.emit('will-quit', will);
    if (will.defaultPrevented) this.isQuitting = false;
    else this.shutDown();
  }
  /**
   * The end is posted (browser.cc: RunQuitClosure): what main posted before still runs, and nothing after it. That of an
   * app that is not ready yet comes after its `ready`, which nothing prevents (electron_browser_main_parts.cc:
   * PreMainMessageLoopRun).
   */
  private shutDown(): void {
    if (this.isShutDown) return;
    this.isShutDown = true;
    this.isQuitting = true;
    this.emit('quit', {}, this.exitCode);
    this.lock?.release();
    const end = (): void => {
      endDesktop();
      process.exit(this.exitCode);
    };
    if (this.hasBecomeReady || this.isExiting) setImmediate(end);
    else
      setImmediate(() => {
        this.finishLaunching();
        setImmediate(end);
      });
  }
  /** Whether the end can no longer be prevented. */
  isEnding(): boolean {
    return this.isShutDown;
  }
  /** With neither option, Electron starts the same command line again. With one of them, only what they say. */
  relaunch(options: { args?: string[]; execPath?: string } = {}): boolean {
    checkOptions('app.relaunch', options, ['args', 'execPath']);
    const isSame = options.args === undefined && options.execPath === undefined;
    const line = isSame ? process.argv : [options.execPath ?? process.execPath, ...(options.args ?? [])];
    if (line.some((argument) => typeof argument !== 'string')) throw new TypeError('app.relaunch takes only texts.');
    // On Windows Electron would end at once (command_line_args.cc: CheckCommandLineArguments).
    if (line.slice(0, -1).some(isLink)) throw new Error('Electron starts with nothing behind a link.');
    records.relaunches.push(line);
    console.error(`[electron stand-in] relaunch ${JSON.stringify(line)}`);
    return true;
  }
  focus(): void {
    BrowserWindow.getAllWindows()[0]?.focus();
  }
  hide(): void {
    for (const window of BrowserWindow.getAllWindows()) window.hide();
  }
  show(): void {
    for (const window of BrowserWindow.getAllWindows()) window.showInactive();
  }

  // Desktop: recorded

  setBadgeCount(count = 0): boolean {
    records.badge = count;
    return true;
  }
  getBadgeCount(): number {
    return records.badge;
  }
  get badgeCount(): number {
    return records.badge;
  }
  set badgeCount(count: number) {
    records.badge = count;
  }
  /** Windows finds it only with the arguments that it was set with. */
  getLoginItemSettings({ args = [] }: { path?: string; args?: string[] } = {}): object {
    const { openAtLogin, isSwitchedOff } = records.loginItem;
    const isFound = openAtLogin && (process.platform !== 'win32' || String(args) === String(records.loginItem.args));
    return {
      openAtLogin: isFound && (process.platform === 'win32' || !isSwitchedOff),
      wasOpenedAtLogin: process.platform === 'darwin' && process.env['ELECTRON_STAND_IN_OPENED_AT_LOGIN'] === '1',
      launchItems: [],
      ...(process.platform === 'win32' ? { executableWillLaunchAtLogin: openAtLogin && !isSwitchedOff } : {}),
      ...(process.platform === 'darwin' ? { status: loginStatus(records.loginItem) } : {}),
    };
  }
  setLoginItemSettings(settings: { openAtLogin?: boolean; path?: string; args?: string[] }): void {
    // Electron has it only on macOS and Windows, and silently does nothing elsewhere.
    if (process.platform === 'linux')
      throw new Error('Linux has no login items: setLoginItemSettings does nothing there.');
    records.loginItem = {
      openAtLogin: settings.openAtLogin === true,
      args: settings.args ?? [],
      isSwitchedOff: false,
      timesSet: records.loginItem.timesSet + 1,
    };
  }
  setToastActivatorCLSID(id: string): void {
    if (process.platform !== 'win32') throw new TypeError('app.setToastActivatorCLSID is not a function');
    if (!/^\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i.test(id)) throw new Error('Invalid CLSID format');
    records.toastActivator = id;
  }
  setAppUserModelId(id: string): void {
    records.appUserModelId = id;
  }
  /** Windows and Linux save it for the system, and return whether that succeeded. */
  setAsDefaultProtocolClient(protocol: string): boolean {
    refuseBeforeWindow('app.setAsDefaultProtocolClient');
    if (!/^[a-z][a-z0-9+.-]*$/.test(protocol)) throw new TypeError(`${protocol} is no scheme of a link.`);
    records.protocols.add(protocol);
    return true;
  }
  isDefaultProtocolClient(protocol: string): boolean {
    refuseBeforeWindow('app.isDefaultProtocolClient');
    return records.protocols.has(protocol);
  }
  setDesktopName(name: string): void {
    records.desktopName = name;
  }
  setAboutPanelOptions(): void {}
  enableSandbox(): void {}
  disableHardwareAcceleration(): void {}
  isHardwareAccelerationEnabled(): boolean {
    return false;
  }
  isAccessibilitySupportEnabled(): boolean {
    return this.accessibilitySupportEnabled;
  }
  getAppMetrics(): object[] {
    return [];
  }
}

function isLink(argument: string): boolean {
  return /^[a-z][^\s:]+:/i.test(argument);
}

/** Windows of both kinds, oldest first (window_list.cc). */
function everyWindow(): (BrowserWindow | BaseWindow)[] {
  return [...BrowserWindow.getAllWindows(), ...openBaseWindows()];
}

/** macOS: the notification that the app was started from (ELECTRON_STAND_IN_LAUNCH_INFO, as JSON). */
function launchInfo(): unknown {
  return process.platform === 'darwin' ? JSON.parse(process.env['ELECTRON_STAND_IN_LAUNCH_INFO'] ?? '{}') : {};
}

/** The status of a login item on macOS. */
function loginStatus({ openAtLogin, isSwitchedOff }: typeof records.loginItem): string {
  if (!openAtLogin) return 'not-registered';
  return isSwitchedOff ? 'requires-approval' : 'enabled';
}

/**
 * Each of these runs another program or queries the registry while main waits, and so delays the window at the start.
 */
function refuseBeforeWindow(call: string): void {
  if (records.start.windowShownMs === 0)
    throw new Error(`${call} is slow: the Electron stand-in refuses it before the first window is shown.`);
}

export const app = new App();

reportReadiness(() => app.isReady());
setRoleApp({ name: () => app.getName(), quit: () => app.quit() });
onWindowLife({
  created(window) {
    app.emit('browser-window-created', {}, window);
  },
  contentsCreated(contents) {
    app.emit('web-contents-created', {}, contents);
  },
  focused: (window) => void app.emit('browser-window-focus', {}, window),
  blurred: (window) => void app.emit('browser-window-blur', {}, window),
  closeCancelled: () => app.windowCloseCancelled(),
  closed() {
    if (everyWindow().length === 0) app.windowsAreClosed();
  },
  processGone: (contents, details) => void app.emit('render-process-gone', {}, contents, details),
  key: (window, word) => void pressAccelerator(word, window),
});
