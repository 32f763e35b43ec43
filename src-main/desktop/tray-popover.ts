import { BrowserWindow, nativeTheme, screen, type Rectangle } from 'electron';
import { popoverPlace } from './popover-place.ts';

export interface TrayPopoverParts {
  preloadPath: string;
  load: (window: BrowserWindow) => void;
  onClosed: () => void;
}

/** A small frameless window that is there as long as it has the focus, and is created each time. */
export function createTrayPopover({ preloadPath, load, onClosed }: TrayPopoverParts): {
  toggle(icon: Rectangle): void;
} {
  let popover: BrowserWindow | null = null;

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
      webPreferences: {
        preload: preloadPath,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        spellcheck: false,
      },
    });
    popover = window;
    window.once('ready-to-show', () => window.show());
    window.on('blur', () => window.close());
    window.on('closed', () => {
      if (popover === window) popover = null;
      onClosed();
    });
    load(window);
  }

  return {
    toggle(icon) {
      if (popover === null || popover.isDestroyed()) open(icon);
      else popover.close();
    },
  };
}
