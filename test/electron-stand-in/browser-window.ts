import { existsSync } from 'node:fs';
import { createChromiumWindow } from './chromium-window.ts';
import type { ChromiumWindow } from './chromium-window.ts';
import { isHeadless } from './shared-chromium.ts';
import { conversionFailure, guard, preventable } from './guard.ts';
import type { NativeImage } from './native-image.ts';
import { openWindows, reportCloseCancelled, reportClosed } from './open-windows.ts';
import { isReady } from './readiness.ts';
import { records } from './records.ts';
import { isOnWayland } from './global-shortcut.ts';
import { WebContents } from './web-contents.ts';
import { createWindowBounds } from './window-bounds.ts';
import type { Rectangle, WindowBounds } from './window-bounds.ts';
import { WindowAppearance, lostAppearance } from './window-appearance.ts';
import { readOptions, readPreferences } from './window-options.ts';
import type { WindowOptions } from './window-options.ts';
import { createWindowState } from './window-state.ts';
import type { WindowState } from './window-state.ts';

const events = [
  'ready-to-show',
  'show',
  'hide',
  'focus',
  'blur',
  'close',
  'closed',
  'minimize',
  'restore',
  'maximize',
  'unmaximize',
  'resize',
  'resized',
  'will-resize',
  'move',
  'moved',
  'will-move',
  'enter-full-screen',
  'leave-full-screen',
  'page-title-updated',
  'unresponsive',
  'responsive',
  'session-end',
  'query-session-end',
  'always-on-top-changed',
  'app-command',
  'swipe',
  'system-context-menu',
] as const;

/** What throws once the window is destroyed, which it is before `closed` (electron_api_base_window.cc: OnWindowClosed). */
const lost = new Set([
  'webContents',
  'loadURL',
  'loadFile',
  'reload',
  'capturePage',
  'show',
  'showInactive',
  'hide',
  'isVisible',
  'focus',
  'blur',
  'isFocused',
  'moveTop',
  'close',
  'minimize',
  'isMinimized',
  'restore',
  'maximize',
  'unmaximize',
  'isMaximized',
  'setFullScreen',
  'isFullScreen',
  'isNormal',
  'getBounds',
  'getNormalBounds',
  'getContentBounds',
  'getSize',
  'getContentSize',
  'getPosition',
  'setBounds',
  'setSize',
  'setContentSize',
  'setPosition',
  'center',
  'setMinimumSize',
  'getMinimumSize',
  'getParentWindow',
  ...lostAppearance,
]);

let lastId = 0;

export class BrowserWindow extends WindowAppearance {
  readonly id: number;
  readonly webContents: WebContents;
  private readonly bounds: WindowBounds;
  private readonly state: WindowState;
  private readonly chromiumWindow: ChromiumWindow;
  private readonly parent: BrowserWindow | null;
  private isGone = false;
  /** While its page leaves. */
  private leaving: Promise<void> | null = null;

  static getAllWindows(): BrowserWindow[] {
    return openWindows.all();
  }
  static fromId(id: number): BrowserWindow | null {
    return openWindows.byId(id);
  }
  static fromWebContents(contents: WebContents): BrowserWindow | null {
    const { id } = contents;
    return openWindows.all().find((window) => window.webContents.id === id) ?? null;
  }
  static getFocusedWindow(): BrowserWindow | null {
    return openWindows.focused();
  }

  constructor(given: WindowOptions = {}) {
    if (!isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    const options = readOptions(given);
    super(events, options);
    const preferences = readPreferences(options);
    lastId += 1;
    this.id = lastId;
    this.bounds = createWindowBounds(options);
    this.state = createWindowState(options.show ?? true);
    this.parent = options.parent ?? null;
    const self = guard('BrowserWindow', this, { isDestroyed: () => this.isGone, lost });
    this.webContents = new WebContents(preferences, {
      size: () => self.bounds.current(),
      closeAsked: () => {
        if (!this.isGone) self.close();
      },
      endAsked: () => self.endAfterPage(),
      targetGone: () => self.targetGone(),
      resized: (width, height) => self.pageResized(width, height),
      readyToShow: () =>
        whenDrawn(() => {
          // A window that is gone is never drawn.
          if (!this.isGone) self.emit('ready-to-show', {});
        }),
      focus: () => self.focus(),
      zoomed: () => self.chromiumWindow.setSize(...self.getSize()),
      key: (word) => openWindows.pressKey(self, word),
    });
    this.chromiumWindow = createChromiumWindow(this.webContents);
    openWindows.add(self);
    if (this.state.isShown) setImmediate(() => self.takeFocus());
    return self;
  }

  loadURL(url: string, options?: object): Promise<void> {
    return this.webContents.loadURL(url, options);
  }
  loadFile(): Promise<void> {
    return this.webContents.loadFile();
  }
  reload(): void {
    this.webContents.reload();
  }
  capturePage(): Promise<NativeImage> {
    return this.webContents.capturePage();
  }

  // Visibility

  show(): void {
    this.appear();
    this.takeFocus();
  }
  showInactive(): void {
    this.appear();
  }
  hide(): void {
    if (!this.state.isShown) return;
    this.state.isShown = false;
    openWindows.blur(this);
    this.applyState();
    this.emit('hide', {});
  }
  isVisible(): boolean {
    return this.state.isShown;
  }
  focus(): void {
    if (this.state.isShown && !this.isMinimized()) this.takeFocus();
  }
  blur(): void {
    openWindows.blur(this);
  }
  isFocused(): boolean {
    return openWindows.hasFocus(this.id);
  }
  moveTop(): void {
    this.chromiumWindow.bringToFront();
  }
  isDestroyed(): boolean {
    return this.isGone;
  }

  // Closing

  /**
   * Asks the window to close, before it returns: a listener of 'close' may prevent it. Each call asks again. The window
   * closes later, when its page has sent what waited.
   */
  close(): void {
    if (this.isClosePrevented()) reportCloseCancelled();
    else this.endAfterPage();
  }
  /** Closes the window when its page has left, without asking (electron_api_web_contents.cc: Close). */
  endAfterPage(): void {
    this.leaving ??= this.leave();
  }
  private async leave(): Promise<void> {
    await this.webContents.leave();
    this.destroy();
  }
  private isClosePrevented(): boolean {
    const event = preventable({});
    this.emit('close', event);
    return event.defaultPrevented;
  }
  destroy(): void {
    if (this.isGone) return;
    const { webContents } = this;
    this.isGone = true;
    openWindows.remove(this.id);
    webContents.end();
    this.emit('closed', {});
    reportClosed();
  }

  // Shape

  minimize(): void {
    if (!this.state.minimize()) return;
    openWindows.blur(this);
    this.applyState();
    this.emit('minimize', {});
  }
  isMinimized(): boolean {
    return this.state.shape() === 'minimized';
  }
  restore(): void {
    if (this.state.unminimize()) {
      this.applyState();
      this.emit('restore', {});
      if (this.state.isShown) this.takeFocus();
    } else this.unmaximize();
  }
  maximize(): void {
    if (!this.state.maximize()) return;
    this.applyState();
    this.emit('maximize', {});
  }
  unmaximize(): void {
    if (!this.state.unmaximize()) return;
    this.applyState();
    this.emit('unmaximize', {});
  }
  isMaximized(): boolean {
    return this.state.shape() === 'maximized';
  }
  setFullScreen(isFull: boolean): void {
    if (!this.state.setFullScreen(isFull)) return;
    this.applyState();
    this.emit(isFull ? 'enter-full-screen' : 'leave-full-screen', {});
  }
  isFullScreen(): boolean {
    return this.state.shape() === 'full-screen';
  }
  isNormal(): boolean {
    return this.state.shape() === 'normal';
  }

  // Size and place

  getBounds(): Rectangle {
    return this.bounds.current();
  }
  /** Under Wayland, a program does not know where its windows are. */
  getNormalBounds(): Rectangle {
    return isOnWayland ? { ...this.bounds.current(), x: 0, y: 0 } : this.bounds.current();
  }
  getContentBounds(): Rectangle {
    return this.bounds.current();
  }
  getSize(): [number, number] {
    const { width, height } = this.bounds.current();
    return [width, height];
  }
  getContentSize(): [number, number] {
    return this.getSize();
  }
  getPosition(): [number, number] {
    const { x, y } = this.bounds.current();
    return [x, y];
  }
  setBounds(wanted: Partial<Rectangle>): void {
    // Whole numbers only (gfx_converter.cc: Rect).
    if (Object.values(wanted).some((each) => !Number.isInteger(each))) throw conversionFailure(0, wanted);
    const { isResized, isMoved } = this.bounds.change(wanted);
    const { width, height, x, y } = this.bounds.current();
    if (isResized) {
      this.chromiumWindow.setSize(width, height);
      this.emit('resize', {});
    }
    if (isMoved) this.emit('move', {});
    this.chromiumWindow.setPlace({ left: x, top: y, width, height });
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  setContentSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }
  center(): void {
    const [width, height] = this.getSize();
    this.setBounds({ x: Math.round((1920 - width) / 2), y: Math.round((1080 - height) / 2) });
  }
  setMinimumSize(width: number, height: number): void {
    this.bounds.minimumSize = [width, height];
  }
  getMinimumSize(): [number, number] {
    return [...this.bounds.minimumSize];
  }
  getParentWindow(): BrowserWindow | null {
    return this.parent;
  }

  private appear(): void {
    this.state.unminimize();
    this.webContents.revive();
    if (this.state.isShown) return;
    this.state.isShown = true;
    records.start.windowShownMs ||= Date.now();
    this.applyState();
    this.emit('show', {});
  }

  private takeFocus(): void {
    if (this.isGone) return;
    this.chromiumWindow.bringToFront();
    openWindows.focus(this);
  }

  private applyState(): void {
    this.chromiumWindow.setState(this.state.forChromium(isHeadless));
  }

  /** A person (or a test) made the page larger or smaller. */
  private pageResized(width: number, height: number): void {
    if (this.isGone) return;
    // The page reports its own pixels, which are larger when it is zoomed.
    if (this.webContents.getZoomLevel() !== 0) return;
    if (this.isNormal() && this.bounds.follow(width, height)) this.emit('resize', {});
  }

  /**
   * The page was closed from outside, as when a person closes a window. If that is prevented, the window counts as
   * hidden and its page is opened again when it is shown.
   */
  private targetGone(): void {
    if (this.isGone) return;
    if (!this.isClosePrevented()) this.destroy();
    else {
      reportCloseCancelled();
      if (this.state.isShown) this.hide();
    }
  }
}

/** A page that takes long to be drawn: until the file ELECTRON_STAND_IN_DRAWN_BY is there. */
function whenDrawn(run: () => void): void {
  const file = process.env['ELECTRON_STAND_IN_DRAWN_BY'];
  if (file === undefined || existsSync(file)) run();
  else setTimeout(whenDrawn, 20, run);
}
