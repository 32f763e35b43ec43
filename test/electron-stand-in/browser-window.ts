import { StandInEmitter, NotInStandIn, checkOptions, guard, preventable } from './guard.ts';
import { isHeadless } from './desktop.ts';
import type { NativeImage } from './native-image.ts';
import { WebContents } from './web-contents.ts';
import type { WebPreferences } from './web-contents.ts';
import type { FromPage } from './page/words.ts';

const events = [
  'ready-to-show', 'show', 'hide', 'focus', 'blur', 'close', 'closed', 'minimize', 'restore', 'maximize', 'unmaximize', 'resize', 'resized', 'will-resize', 'move', 'moved', 'will-move', 'enter-full-screen', 'leave-full-screen',
  'page-title-updated', 'unresponsive', 'responsive', 'session-end', 'query-session-end', 'always-on-top-changed', 'app-command', 'swipe', 'system-context-menu',
] as const;

const knownOptions = [
  'width', 'height', 'x', 'y', 'minWidth', 'minHeight', 'maxWidth', 'maxHeight', 'useContentSize', 'center', 'resizable', 'movable', 'minimizable', 'maximizable', 'closable', 'focusable', 'alwaysOnTop', 'fullscreenable',
  'skipTaskbar', 'title', 'icon', 'show', 'paintWhenInitiallyHidden', 'frame', 'parent', 'autoHideMenuBar', 'backgroundColor', 'hasShadow', 'darkTheme', 'titleBarStyle', 'titleBarOverlay', 'trafficLightPosition', 'roundedCorners',
  'thickFrame', 'webPreferences',
];
const knownPreferences = [
  'preload', 'additionalArguments', 'sandbox', 'contextIsolation', 'nodeIntegration', 'nodeIntegrationInWorker', 'nodeIntegrationInSubFrames', 'webSecurity', 'allowRunningInsecureContent', 'webviewTag', 'spellcheck', 'devTools',
  'backgroundThrottling', 'navigateOnDragDrop', 'experimentalFeatures', 'safeDialogs', 'v8CacheOptions', 'enableBlinkFeatures', 'disableBlinkFeatures',
];
/** The stand-in only knows the safe ways; anything else would be tested as something it is not. */
const requiredPreferences: Record<string, boolean> = { sandbox: true, contextIsolation: true, nodeIntegration: false, nodeIntegrationInWorker: false, nodeIntegrationInSubFrames: false, webSecurity: true, allowRunningInsecureContent: false, webviewTag: false };

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowOptions {
  width?: number;
  height?: number;
  x?: number;
  y?: number;
  minWidth?: number;
  minHeight?: number;
  show?: boolean;
  title?: string;
  backgroundColor?: string;
  resizable?: boolean;
  parent?: BrowserWindow;
  webPreferences?: WebPreferences & Record<string, unknown>;
}

/** What the app learns when windows come and go. */
export interface WindowLife {
  created(window: BrowserWindow): void;
  contentsCreated(contents: WebContents): void;
  focused(window: BrowserWindow): void;
  blurred(window: BrowserWindow): void;
  closed(): void;
  key(window: BrowserWindow, word: Extract<FromPage, { type: 'key' }>): void;
}

const open = new Map<number, BrowserWindow>();
let focusedId: number | null = null;
let lastId = 0;
let life: WindowLife | null = null;

/** The app listens to the life of all windows. */
export function onWindowLife(listener: WindowLife): void {
  life = listener;
}

export class BrowserWindow extends StandInEmitter {
  readonly id: number;
  readonly webContents: WebContents;
  /** What only a real desktop would show, for tests to read. */
  readonly decoration = { isFlashing: false, overlay: null as string | null, progress: -1, isMenuBarVisible: true };
  private bounds: Rectangle;
  private minimumSize: [number, number];
  private title: string;
  private backgroundColor: string;
  private isShown: boolean;
  private state: 'normal' | 'minimized' | 'maximized' | 'full-screen' = 'normal';
  private stateBeforeMinimize: 'normal' | 'maximized' = 'normal';
  private isResizableNow: boolean;
  private isOnTop = false;
  private isGone = false;
  private readonly parent: BrowserWindow | null;

  static getAllWindows(): BrowserWindow[] {
    return [...open.values()];
  }
  static fromId(id: number): BrowserWindow | null {
    return open.get(id) ?? null;
  }
  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return [...open.values()].find((window) => window.webContents.id === contents.id) ?? null;
  }
  static getFocusedWindow(): BrowserWindow | null {
    return focusedId === null ? null : (open.get(focusedId) ?? null);
  }

  constructor(options: WindowOptions = {}) {
    super('BrowserWindow', events);
    checkOptions('BrowserWindow', options, knownOptions);
    const preferences = options.webPreferences ?? {};
    checkOptions('webPreferences', preferences, knownPreferences);
    for (const [name, value] of Object.entries(requiredPreferences)) {
      if (preferences[name] !== undefined && preferences[name] !== value) throw new NotInStandIn(`window with ${name}: ${JSON.stringify(preferences[name])}`);
    }
    lastId += 1;
    this.id = lastId;
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    this.minimumSize = [options.minWidth ?? 0, options.minHeight ?? 0];
    this.title = options.title ?? '';
    this.backgroundColor = options.backgroundColor ?? '#FFF';
    this.isShown = options.show ?? true;
    this.isResizableNow = options.resizable ?? true;
    this.parent = options.parent ?? null;
    const self = guard('BrowserWindow', this);
    this.webContents = new WebContents(preferences, {
      size: () => ({ width: self.bounds.width, height: self.bounds.height }),
      closeAsked: () => self.close(),
      targetGone: () => self.targetGone(),
      resized: (width, height) => self.pageResized(width, height),
      readyToShow: () => self.emit('ready-to-show'),
      focus: () => self.focus(),
      key: (word) => life?.key(self, word),
    });
    open.set(this.id, self);
    // At once, as in Electron: hardening installed by web-contents-created must be there before the first load.
    life?.contentsCreated(this.webContents);
    life?.created(self);
    if (this.isShown) setImmediate(() => self.takeFocus());
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
    if (!this.isShown) return;
    this.isShown = false;
    this.loseFocus();
    this.applyVisibility();
    this.emit('hide');
  }
  isVisible(): boolean {
    return this.isShown;
  }
  focus(): void {
    if (this.isShown && this.state !== 'minimized') this.takeFocus();
  }
  blur(): void {
    this.loseFocus();
  }
  isFocused(): boolean {
    return focusedId === this.id;
  }
  moveTop(): void {
    this.use('Page.bringToFront');
  }
  isDestroyed(): boolean {
    return this.isGone;
  }

  // Closing

  /** Asks the window to close; a listener of 'close' may prevent it. */
  close(): void {
    setImmediate(() => this.closeNow());
  }
  /** The asking itself, at once: true when the window closed. */
  closeNow(): boolean {
    if (this.isGone) return true;
    const event = preventable({});
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    this.destroy();
    return true;
  }
  destroy(): void {
    if (this.isGone) return;
    this.isGone = true;
    open.delete(this.id);
    if (focusedId === this.id) focusedId = null;
    this.webContents.end();
    this.emit('closed');
    life?.closed();
  }

  // Size and place

  minimize(): void {
    if (this.state === 'minimized') return;
    this.stateBeforeMinimize = this.state === 'maximized' ? 'maximized' : 'normal';
    this.state = 'minimized';
    this.loseFocus();
    this.applyVisibility();
    this.emit('minimize');
  }
  isMinimized(): boolean {
    return this.state === 'minimized';
  }
  restore(): void {
    if (this.state === 'minimized') {
      this.state = this.stateBeforeMinimize;
      this.applyVisibility();
      this.emit('restore');
      if (this.isShown) this.takeFocus();
    } else this.unmaximize();
  }
  maximize(): void {
    if (this.state === 'maximized') return;
    this.state = 'maximized';
    this.isShown = true;
    this.applyVisibility();
    this.emit('maximize');
  }
  unmaximize(): void {
    if (this.state !== 'maximized') return;
    this.state = 'normal';
    this.applyVisibility();
    this.emit('unmaximize');
  }
  isMaximized(): boolean {
    return this.state === 'maximized';
  }
  setFullScreen(isFull: boolean): void {
    if (isFull === this.isFullScreen()) return;
    this.state = isFull ? 'full-screen' : 'normal';
    this.applyVisibility();
    this.emit(isFull ? 'enter-full-screen' : 'leave-full-screen');
  }
  isFullScreen(): boolean {
    return this.state === 'full-screen';
  }
  isNormal(): boolean {
    return this.state === 'normal';
  }
  getBounds(): Rectangle {
    return { ...this.bounds };
  }
  getNormalBounds(): Rectangle {
    return { ...this.bounds };
  }
  getContentBounds(): Rectangle {
    return { ...this.bounds };
  }
  getSize(): [number, number] {
    return [this.bounds.width, this.bounds.height];
  }
  getContentSize(): [number, number] {
    return this.getSize();
  }
  getPosition(): [number, number] {
    return [this.bounds.x, this.bounds.y];
  }
  setBounds(wanted: Partial<Rectangle>): void {
    const before = this.bounds;
    const [minWidth, minHeight] = this.minimumSize;
    const next = { ...before, ...wanted };
    this.bounds = { ...next, width: Math.max(next.width, minWidth), height: Math.max(next.height, minHeight) };
    const { width, height, x, y } = this.bounds;
    if (width !== before.width || height !== before.height) {
      if (isHeadless) this.use('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 0, mobile: false });
      this.emit('resize');
    }
    if (x !== before.x || y !== before.y) this.emit('move');
    if (!isHeadless) this.place({ left: x, top: y, width, height });
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
    this.setBounds({ x: Math.round((1920 - this.bounds.width) / 2), y: Math.round((1080 - this.bounds.height) / 2) });
  }
  setMinimumSize(width: number, height: number): void {
    this.minimumSize = [width, height];
  }
  getMinimumSize(): [number, number] {
    return [...this.minimumSize];
  }
  setResizable(isResizable: boolean): void {
    this.isResizableNow = isResizable;
  }
  isResizable(): boolean {
    return this.isResizableNow;
  }
  setAlwaysOnTop(isOnTop: boolean): void {
    if (isOnTop === this.isOnTop) return;
    this.isOnTop = isOnTop;
    this.emit('always-on-top-changed', {}, isOnTop);
  }
  isAlwaysOnTop(): boolean {
    return this.isOnTop;
  }

  // Looks: kept and readable, drawn by no one

  setTitle(title: string): void {
    this.title = title;
  }
  getTitle(): string {
    return this.title;
  }
  setBackgroundColor(color: string): void {
    this.backgroundColor = color;
  }
  getBackgroundColor(): string {
    return this.backgroundColor;
  }
  getParentWindow(): BrowserWindow | null {
    return this.parent;
  }
  setMenuBarVisibility(isVisible: boolean): void {
    this.decoration.isMenuBarVisible = isVisible;
  }
  setAutoHideMenuBar(isHidden: boolean): void {
    this.decoration.isMenuBarVisible = !isHidden;
  }
  setIcon(): void {}
  removeMenu(): void {
    this.decoration.isMenuBarVisible = false;
  }
  flashFrame(isFlashing: boolean): void {
    this.decoration.isFlashing = isFlashing;
  }
  setOverlayIcon(overlay: NativeImage | null, description: string): void {
    this.decoration.overlay = overlay === null ? null : description;
  }
  setProgressBar(progress: number): void {
    this.decoration.progress = progress;
  }
  setTitleBarOverlay(): void {}
  setWindowButtonVisibility(): void {}

  private appear(): void {
    if (this.state === 'minimized') this.state = this.stateBeforeMinimize;
    this.webContents.revive();
    if (this.isShown) return;
    this.isShown = true;
    this.applyVisibility();
    this.emit('show');
  }

  private takeFocus(): void {
    if (this.isGone) return;
    this.use('Page.bringToFront');
    if (focusedId === this.id) return;
    const before = BrowserWindow.getFocusedWindow();
    focusedId = this.id;
    if (before !== null) {
      before.emit('blur');
      life?.blurred(before);
    }
    this.emit('focus');
    life?.focused(open.get(this.id) ?? this);
  }

  private loseFocus(): void {
    if (focusedId !== this.id) return;
    focusedId = null;
    this.emit('blur');
    life?.blurred(open.get(this.id) ?? this);
  }

  /** A hidden or minimised window's page knows that it cannot be seen. */
  private applyVisibility(): void {
    const state = this.state === 'full-screen' ? 'fullscreen' : this.state;
    this.place({ windowState: this.isShown ? (isHeadless && state !== 'minimized' ? 'normal' : state) : 'minimized' });
  }

  private place(bounds: { windowState?: 'normal' | 'minimized' | 'maximized' | 'fullscreen'; left?: number; top?: number; width?: number; height?: number }): void {
    if (this.webContents.currentTargetId === null) return;
    void this.webContents.use(async ({ chromium, targetId }) => {
      const { windowId } = await chromium.send('Browser.getWindowForTarget', { targetId });
      await chromium.send('Browser.setWindowBounds', { windowId, bounds });
    });
  }

  private use(method: 'Page.bringToFront'): void;
  private use(method: 'Emulation.setDeviceMetricsOverride', params: { width: number; height: number; deviceScaleFactor: number; mobile: boolean }): void;
  private use(method: 'Page.bringToFront' | 'Emulation.setDeviceMetricsOverride', params?: { width: number; height: number; deviceScaleFactor: number; mobile: boolean }): void {
    if (this.webContents.currentTargetId !== null) void this.webContents.use((host) => host.send(method, params));
  }

  /** A person (or a test) made the page larger or smaller. */
  private pageResized(width: number, height: number): void {
    if (this.state !== 'normal' || (width === this.bounds.width && height === this.bounds.height)) return;
    this.bounds = { ...this.bounds, width, height };
    this.emit('resize');
  }

  /** The page was closed from outside, as a person closes a window. Prevented, it counts as hidden and comes back when shown. */
  private targetGone(): void {
    if (this.isGone || this.closeNow() || !this.isShown) return;
    this.hide();
  }
}
