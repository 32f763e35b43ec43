import { BrowserWindow, nativeTheme, screen, type Rectangle } from 'electron';
import {
  healthRoute,
  jobRoute,
  resourceRoute,
  sandboxRoute,
  trayRoute,
  type ResourceKind,
} from '../../../src-preload/app.ts';
import { destinationRoute, type Destination } from '../../../src-preload/destination.ts';
import type { Log } from '../../log.ts';
import { systemClock } from '../../time/clock.ts';
import { sendEvent } from '../pages/ipc.ts';
import { trustedOrigin, webPreferences } from '../pages/app-protocol.ts';
import type { Settings } from '../../../src-preload/settings.ts';
import { clearTaskbar, drawTaskbar } from '../tray/taskbar.ts';
import { isSameTaskbar, type TaskbarModel } from '../tray/taskbar-model.ts';
import { createTrayPopover } from '../tray/popover.ts';
import type { WindowStateFile, WindowPlacement } from './window-state.ts';
import { whenReadyToShow } from '../pages/when-ready-to-show.ts';

export interface WindowsParts {
  preloadPath: string;
  iconPath: string;
  resourcesDir: string;
  windowState: WindowStateFile;
  isWayland: boolean;
  /** Whether any window is visible, for the cadence of polling. */
  onVisibilityChanged: (isAnyVisible: boolean) => void;
  log: Log;
}

const smallest = { width: 760, height: 480 };

/** The app's windows: sandboxed, isolated, frameless, in their last place. */
export class Windows {
  readonly #parts: WindowsParts;
  readonly #popover: ReturnType<typeof createTrayPopover>;
  /** All but the main window and the popover, keyed by route. */
  readonly #secondary = new Map<string, BrowserWindow>();
  #main: BrowserWindow | null = null;
  #taskbar: TaskbarModel = { progress: null, isPaused: false, overlay: null };
  #wasTrayLast = false;

  constructor(parts: WindowsParts) {
    this.#parts = parts;
    this.#popover = createTrayPopover({
      preloadPath: parts.preloadPath,
      load: (window) => this.#load(window, trayRoute),
      now: systemClock.now,
      onClosed: () => {
        this.#wasTrayLast = true;
        this.#reportVisibility();
      },
    });
  }

  /** Opens the main window or brings it to the front, and shows `destination`. */
  openMain(destination: Destination = { kind: 'home' }): void {
    const main = this.#main;
    if (main === null || main.isDestroyed()) return this.#createMain(destination);
    bringForward(main);
    if (destination.kind === 'home') return;
    // A page that is still loading would miss the event.
    if (main.webContents.isLoading()) this.#load(main, destinationRoute(destination));
    else sendEvent(main, 'app:navigated', destination);
  }

  /** Saves the place of the main window, which is otherwise done when it closes. */
  savePlace(): void {
    if (this.#main === null || this.#main.isDestroyed()) return;
    const { x, y, width, height } = this.#main.getNormalBounds();
    this.#parts.windowState.save({
      place: this.#parts.isWayland ? { width, height } : { x, y, width, height },
      isMaximized: this.#main.isMaximized(),
    });
  }

  /** Opens a job's window or brings it to the front. */
  openJob(key: string): void {
    this.#openSecondary(jobRoute(key));
  }

  /** Opens the sandbox's window or brings it to the front. */
  openSandbox(): void {
    this.#openSecondary(sandboxRoute);
  }

  /**
   * Opens the window of an endpoint's health or brings it to the front. With null it is that of all endpoints of a
   * connection.
   */
  openHealth(connectionId: string, endpointId: string | null): void {
    this.#openSecondary(healthRoute(connectionId, endpointId));
  }

  /** Opens a resource's window or brings it to the front. */
  openResource(kind: ResourceKind, connectionId: string, id: string): void {
    this.#openSecondary(resourceRoute(kind, connectionId, id));
  }

  /** Draws on the main window's icon, or on that of one that opens later. */
  showTaskbar(model: TaskbarModel): void {
    if (isSameTaskbar(this.#taskbar, model)) return;
    this.#taskbar = model;
    if (this.#main !== null && !this.#main.isDestroyed()) drawTaskbar(this.#main, model, this.#parts.resourcesDir);
  }

  /** Opens the tray's popover beside this place, or closes it if it is open. */
  toggleTray(place: Rectangle): void {
    this.#popover.toggle(place);
  }

  /** Whether the window that closed last was the popover. If so, the app continues as it was. */
  closedTrayLast(): boolean {
    return this.#wasTrayLast;
  }

  /** The window with this id of Electron. Null if it is closed. */
  byId(windowId: number): BrowserWindow | null {
    return BrowserWindow.fromId(windowId);
  }

  #createMain(destination: Destination): void {
    const { place, isMaximized } = this.#parts.windowState.read();
    const created = this.#create(
      destinationRoute(destination),
      place === null ? { width: 1440, height: 900 } : onScreen(place),
    );
    this.#main = created;
    drawTaskbar(created, this.#taskbar, this.#parts.resourcesDir);
    if (isMaximized) whenReadyToShow(created, () => created.maximize());
    created.on('close', () => {
      this.savePlace();
      clearTaskbar(created);
    });
    created.on('closed', () => {
      this.#main = null;
    });
  }

  #openSecondary(route: string): void {
    const existing = this.#secondary.get(route);
    if (existing !== undefined && !existing.isDestroyed()) {
      bringForward(existing);
      return;
    }
    const created = this.#create(route, { width: 1180, height: 820 });
    this.#secondary.set(route, created);
    created.on('closed', () => this.#secondary.delete(route));
  }

  #create(route: string, size: WindowSize): BrowserWindow {
    const window = makeWindow(this.#parts, size);
    const sendFrameState = (): void =>
      sendEvent(window, 'window:changed', { isMaximized: window.isMaximized(), isFullScreen: window.isFullScreen() });
    const reportVisibility = (): void => this.#reportVisibility();
    window.on('maximize', sendFrameState);
    window.on('unmaximize', sendFrameState);
    window.on('enter-full-screen', sendFrameState);
    window.on('leave-full-screen', sendFrameState);
    window.on('show', reportVisibility);
    window.on('hide', reportVisibility);
    window.on('minimize', reportVisibility);
    window.on('restore', reportVisibility);
    window.on('closed', () => {
      this.#wasTrayLast = false;
      this.#reportVisibility();
    });
    this.#load(window, route);
    return window;
  }

  #load(window: BrowserWindow, route: string): void {
    window.loadURL(`${trustedOrigin()}/index.html#${route}`).catch((error: unknown) => {
      if (!isGivenUp(window, error)) this.#parts.log.error('a window could not be loaded', { route, error });
    });
  }

  #reportVisibility(): void {
    this.#parts.onVisibilityChanged(
      BrowserWindow.getAllWindows().some(
        (window) => !window.isDestroyed() && window.isVisible() && !window.isMinimized(),
      ),
    );
  }
}

/** Whether a load ended because another one took its place, or because the window was closed. */
function isGivenUp(window: BrowserWindow, error: unknown): boolean {
  return window.isDestroyed() || (error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED');
}

function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

type WindowSize = { width: number; height: number; x?: number; y?: number };

/** A window without a page, sandboxed and isolated. It is shown when its page has been drawn. */
function makeWindow({ iconPath, preloadPath }: WindowsParts, size: WindowSize): BrowserWindow {
  const window = new BrowserWindow({
    ...size,
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    frame: process.platform === 'darwin',
    ...(process.platform === 'darwin'
      ? { titleBarStyle: 'hiddenInset' as const, trafficLightPosition: { x: 16, y: 15 } }
      : {}),
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#0a0b0d' : '#eceef1',
    title: 'Jobdeck',
    icon: iconPath,
    webPreferences: webPreferences(preloadPath),
  });
  whenReadyToShow(window, () => window.show());
  return window;
}

/** A saved place is used only if a display still shows a good part of it. Otherwise only its size is used. */
function onScreen({ x, y, width, height }: WindowPlacement): WindowSize {
  const isKnown = x !== undefined && y !== undefined;
  return isKnown && isOnScreen({ x, y, width, height }) ? { x, y, width, height } : { width, height };
}

function isOnScreen(bounds: Rectangle): boolean {
  const area = screen.getDisplayMatching(bounds).workArea;
  const overlapWidth = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const overlapHeight = Math.min(bounds.y + bounds.height, area.y + area.height) - Math.max(bounds.y, area.y);
  return overlapWidth > 200 && overlapHeight > 100;
}

/**
 * The theme of what the desktop draws follows the user's choice: window backgrounds, menus, and `prefers-color-scheme`.
 */
export function applyTheme(theme: Settings['theme']): void {
  if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
}
