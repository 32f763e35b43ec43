import { StandInEmitter } from './guard.ts';
import type { NativeImage } from './native-image.ts';
import { records } from './records.ts';
import type { WindowOptions } from './window-options.ts';

interface WorkspaceOptions {
  visibleOnFullScreen?: boolean;
  skipTransformProcessType?: boolean;
}

/** What of it throws once the window is destroyed. */
export const lostAppearance = [
  'setTitle',
  'getTitle',
  'setBackgroundColor',
  'getBackgroundColor',
  'setResizable',
  'isResizable',
  'setAlwaysOnTop',
  'isAlwaysOnTop',
  'setMenuBarVisibility',
  'setAutoHideMenuBar',
  'removeMenu',
  'flashFrame',
  'setOverlayIcon',
  'setProgressBar',
  'setVisibleOnAllWorkspaces',
  'setIcon',
  'setTitleBarOverlay',
  'setWindowButtonVisibility',
] as const;

/** The part of a window that only a real desktop would show. It is kept and can be read here, and has no effect. */
export class WindowAppearance extends StandInEmitter {
  /** What Electron offers no way to read back, for tests. */
  readonly decoration = {
    isFlashing: false,
    overlay: null as string | null,
    progress: { share: -1, mode: 'normal' },
    isMenuBarVisible: true,
    isOverFullScreen: false,
  };
  private title: string;
  private backgroundColor: string;
  private isResizableNow: boolean;
  private isOnTop = false;

  constructor(events: readonly string[], options: WindowOptions) {
    super('BrowserWindow', events);
    this.title = options.title ?? '';
    this.backgroundColor = options.backgroundColor ?? '#FFF';
    this.isResizableNow = options.resizable ?? true;
  }

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
  setMenuBarVisibility(isVisible: boolean): void {
    this.decoration.isMenuBarVisible = isVisible;
  }
  setAutoHideMenuBar(isHidden: boolean): void {
    this.decoration.isMenuBarVisible = !isHidden;
  }
  removeMenu(): void {
    this.decoration.isMenuBarVisible = false;
  }
  flashFrame(isFlashing: boolean): void {
    this.decoration.isFlashing = isFlashing;
  }
  setOverlayIcon(overlay: NativeImage | null, description: string): void {
    // Other systems have no such method.
    if (process.platform !== 'win32') throw new TypeError('window.setOverlayIcon is not a function');
    if (overlay?.isEmpty() === true) throw new TypeError('An overlay without a picture shows nothing.');
    this.decoration.overlay = overlay === null ? null : description;
  }
  setProgressBar(progress: number, { mode = 'normal' }: { mode?: string } = {}): void {
    if (!Number.isFinite(progress)) throw new TypeError('Error processing argument at index 0, conversion failure');
    if (!['none', 'normal', 'indeterminate', 'error', 'paused'].includes(mode))
      throw new TypeError(`Error processing argument at index 1, conversion failure from ${mode}`);
    const shown = { share: progress, mode };
    // On other systems it is the app's, and stays when the window that set it is gone.
    if (process.platform === 'win32') this.decoration.progress = shown;
    else records.appProgress = shown;
  }
  /** What the task bar shows on this window's icon, or the dock and launcher on the app's. */
  get progress(): { share: number; mode: string } {
    return process.platform === 'win32' ? this.decoration.progress : records.appProgress;
  }
  setVisibleOnAllWorkspaces(
    isVisible: boolean,
    { visibleOnFullScreen = false, skipTransformProcessType = false }: WorkspaceOptions = {},
  ): void {
    this.decoration.isOverFullScreen = isVisible && visibleOnFullScreen;
    // native_window_mac.mm: over a full screen only a program without a dock icon may be, unless told otherwise.
    if (!skipTransformProcessType) records.isDockShown = !visibleOnFullScreen;
  }
  setIcon(): void {}
  setTitleBarOverlay(): void {}
  setWindowButtonVisibility(): void {}
}
