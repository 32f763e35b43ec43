import { app, BrowserWindow, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import { appMenuText } from '../../messages/desktop/tray.ts';
import { sendEvent } from '../pages/ipc.ts';
import { openAddress } from '../open-address.ts';

/** A second key for a role. "Plus" is the shifted key, and the keys of a number pad have names of their own. */
const alsoBy = (role: 'resetZoom' | 'zoomIn' | 'zoomOut', key: string): MenuItemConstructorOptions => ({
  role,
  accelerator: `CmdOrCtrl+${key}`,
  visible: false,
});

/** Without the roles that reload a page or open its developer tools. */
const viewMenu: MenuItemConstructorOptions = {
  label: appMenuText.view,
  submenu: [
    { role: 'resetZoom' },
    alsoBy('resetZoom', 'num0'),
    { role: 'zoomIn' },
    alsoBy('zoomIn', '='),
    alsoBy('zoomIn', 'numadd'),
    { role: 'zoomOut' },
    alsoBy('zoomOut', 'numsub'),
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ],
};

/**
 * The menu of macOS for editing. "Undo" stays the system's, which edits text; what was done to jobs is undone by an
 * item of its own, whose key is the same outside of text fields (docs/decisions/099).
 */
const macEditMenu: MenuItemConstructorOptions = {
  role: 'editMenu',
  submenu: [
    { role: 'undo' },
    { role: 'redo' },
    { label: appMenuText.undoLast, click: undoInFocus },
    { type: 'separator' },
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'pasteAndMatchStyle' },
    { role: 'delete' },
    { role: 'selectAll' },
  ],
};

function undoInFocus(): void {
  const window = BrowserWindow.getFocusedWindow();
  if (window !== null) sendEvent(window, 'app:undo', { what: 'last' });
}

/** macOS adds its search for menu items to the menu with this role. */
const helpMenu: MenuItemConstructorOptions = {
  role: 'help',
  submenu: [
    { label: appMenuText.website, click: () => void openAddress(website) },
    { label: appMenuText.dataFolder, click: () => void shell.openPath(app.getPath('userData')) },
  ],
};

/** The same as in package.json. */
const website = 'https://jobdeck.example';

/**
 * The application menu. On macOS it is the menu bar; elsewhere it is hidden and only provides the keys for editing and
 * zoom.
 */
export function setApplicationMenu(parts: { newJob: () => void; openMain: () => void }): void {
  const isMac = process.platform === 'darwin';
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: appMenuText.file,
      submenu: [
        { label: appMenuText.newJob, accelerator: 'CmdOrCtrl+Shift+N', click: parts.newJob },
        { label: appMenuText.open, accelerator: 'CmdOrCtrl+J', click: parts.openMain },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    isMac ? macEditMenu : { role: 'editMenu' },
    viewMenu,
    { role: 'windowMenu' },
    ...(isMac ? [helpMenu] : []),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
