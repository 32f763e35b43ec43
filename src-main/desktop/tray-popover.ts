import { app, BrowserWindow, nativeTheme, screen, type Rectangle } from 'electron';
import { popoverPlace } from './popover-place.ts';
import { webPreferences } from './web-preferences.ts';

export interface TrayPopoverParts {
  preloadPath: string;
  load: (window: BrowserWindow) => void;
  onClosed: () => void;
  now: () => number;
}

/** Between pressing a button on the icon and letting go of it. */
const longestClickMs = 500;

/** A small frameless window that is there as long as it has the focus, and is created each time. */
export function createTrayPopover({ preloadPath, load, onClosed, now }: TrayPopoverParts): {
  toggle(icon: Rectangle): void;
} {
  let popover: BrowserWindow | null = null;
  /** When something outside Jobdeck took the focus from it: perhaps the button that is pressed on the icon. */
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
    // Else macOS would go to the space where Jobdeck was last, away from a window in full screen.
    if (process.platform === 'darwin') window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true });
    window.once('ready-to-show', () => window.show());
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
      const hasJustClosed = now() - leftAtMs < longestClickMs;
      leftAtMs = -Infinity;
      if (hasJustClosed) return;
      if (popover === null || popover.isDestroyed()) open(icon);
      else popover.close();
    },
  };
}
