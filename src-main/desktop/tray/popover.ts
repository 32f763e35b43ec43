import { app, BrowserWindow, nativeTheme, screen, type Rectangle } from 'electron';
import { popoverPlace } from './popover-place.ts';
import { webPreferences } from '../pages/app-protocol.ts';
import { whenReadyToShow } from '../pages/when-ready-to-show.ts';

export interface TrayPopoverParts {
  preloadPath: string;
  load: (window: BrowserWindow) => void;
  onClosed: () => void;
  now: () => number;
}

/** The longest time between pressing and releasing the button over the icon. */
const maxClickMs = 500;

/** A small frameless window that closes when it loses the focus. It is created each time. */
export function createTrayPopover({ preloadPath, load, onClosed, now }: TrayPopoverParts): {
  toggle(icon: Rectangle): void;
} {
  let popover: BrowserWindow | null = null;
  /** When it lost the focus to something outside of Jobdeck: perhaps the mouse button was pressed over the icon. */
  let leftAtMs = -Infinity;
  app.on('browser-window-focus', () => (leftAtMs = -Infinity));

  function open(icon: Rectangle): void {
    const { workArea } = screen.getDisplayMatching(icon);
    const window = new BrowserWindow({
      ...popoverPlace(icon, workArea),
      show: false,
      frame: false,
      resizable: false,
      movable: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#1d1f25' : '#ffffff',
      title: 'Jobdeck',
      webPreferences: webPreferences(preloadPath),
    });
    popover = window;
    // Otherwise macOS would switch to the space where Jobdeck was last, away from a full-screen window. Left to itself,
    // Electron would also turn Jobdeck into a program without a dock icon and a menu bar, for good.
    if (process.platform === 'darwin')
      window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
    whenReadyToShow(window, () => window.show());
    window.on('blur', () => {
      leftAtMs = now();
      window.close();
    });
    window.on('closed', () => {
      if (popover === window) popover = null;
      onClosed();
    });
    load(window);
  }

  return {
    toggle(icon) {
      const hasJustClosed = now() - leftAtMs < maxClickMs;
      leftAtMs = -Infinity;
      if (hasJustClosed) return;
      if (popover === null || popover.isDestroyed()) open(icon);
      else popover.close();
    },
  };
}
