import type { BrowserWindow } from './browser-window.ts';
import type { MenuItemOptions } from './menu.ts';

/** What an item has by its role (Electron’s lib/browser/api/menu-item-roles: roleList). */
export interface MenuRole {
  label: string;
  accelerator?: string | undefined;
  /** The key is only displayed: pages handle it themselves. */
  isKeyOfPage?: boolean;
  submenu?: MenuItemOptions[];
  /** Not given: a click is up to Chromium or macOS, and the stand-in has none. */
  act?: (window: BrowserWindow | undefined) => void;
}

/** What the roles need of the app. */
export interface RoleApp {
  name(): string;
  quit(): void;
}

function zoomBy(window: BrowserWindow | undefined, levels: number): void {
  const contents = window?.webContents;
  contents?.setZoomLevel(contents.getZoomLevel() + levels);
}

/** A role by its name in lower case, as it is on `platform`. Undefined if Electron or the stand-in has none. */
export function menuRole(role: string, app: RoleApp, platform: NodeJS.Platform): MenuRole | undefined {
  return ofWindow(role, platform) ?? ofEditing(role, platform) ?? ofApp(role, app, platform);
}

function ofWindow(role: string, platform: NodeJS.Platform): MenuRole | undefined {
  const isMac = platform === 'darwin';
  switch (role) {
    case 'close':
      return {
        label: isMac ? 'Close Window' : 'Close',
        accelerator: 'CommandOrControl+W',
        act: (window) => window?.close(),
      };
    case 'minimize':
      return { label: 'Minimize', accelerator: 'CommandOrControl+M', act: (window) => window?.minimize() };
    case 'reload':
      return { label: 'Reload', accelerator: 'CmdOrCtrl+R', act: (window) => window?.reload() };
    case 'forcereload':
      return { label: 'Force Reload', accelerator: 'Shift+CmdOrCtrl+R', act: (window) => window?.reload() };
    case 'toggledevtools':
      return {
        label: 'Toggle Developer Tools',
        accelerator: isMac ? 'Alt+Command+I' : 'Ctrl+Shift+I',
        act: (window) => window?.webContents.toggleDevTools(),
      };
    case 'togglefullscreen':
      return {
        label: 'Toggle Full Screen',
        accelerator: isMac ? 'Control+Command+F' : 'F11',
        act: (window) => window?.setFullScreen(!window.isFullScreen()),
      };
    case 'resetzoom':
      return {
        label: 'Actual Size',
        accelerator: 'CommandOrControl+0',
        act: (window) => window?.webContents.setZoomLevel(0),
      };
    case 'zoomin':
      return { label: 'Zoom In', accelerator: 'CommandOrControl+Plus', act: (window) => zoomBy(window, 0.5) };
    case 'zoomout':
      return { label: 'Zoom Out', accelerator: 'CommandOrControl+-', act: (window) => zoomBy(window, -0.5) };
    case 'zoom':
      return { label: 'Zoom' };
    case 'front':
      return { label: 'Bring All to Front' };
    case 'window':
      return { label: 'Window' };
    case 'windowmenu':
      return {
        label: 'Window',
        submenu: [
          { role: 'minimize' },
          { role: 'zoom' },
          ...(isMac ? [{ type: 'separator' as const }, { role: 'front' }] : [{ role: 'close' }]),
        ],
      };
    case 'viewmenu':
      return {
        label: 'View',
        submenu: [
          'reload',
          'forceReload',
          'toggleDevTools',
          '',
          'resetZoom',
          'zoomIn',
          'zoomOut',
          '',
          'togglefullscreen',
        ].map(item),
      };
    default:
      return undefined;
  }
}

function ofEditing(role: string, platform: NodeJS.Platform): MenuRole | undefined {
  const isMac = platform === 'darwin';
  const edit = (label: string, accelerator?: string): MenuRole => ({ label, accelerator, isKeyOfPage: true });
  switch (role) {
    case 'undo':
      return { label: 'Undo', accelerator: 'CommandOrControl+Z' };
    case 'redo':
      return { label: 'Redo', accelerator: platform === 'win32' ? 'Control+Y' : 'Shift+CommandOrControl+Z' };
    case 'cut':
      return edit('Cut', 'CommandOrControl+X');
    case 'copy':
      return edit('Copy', 'CommandOrControl+C');
    case 'paste':
      return edit('Paste', 'CommandOrControl+V');
    case 'pasteandmatchstyle':
      return edit('Paste and Match Style', isMac ? 'Cmd+Option+Shift+V' : 'Shift+CommandOrControl+V');
    case 'delete':
      return { label: 'Delete' };
    case 'selectall':
      return { label: 'Select All', accelerator: 'CommandOrControl+A' };
    case 'showsubstitutions':
      return { label: 'Show Substitutions' };
    case 'togglesmartquotes':
      return { label: 'Smart Quotes' };
    case 'togglesmartdashes':
      return { label: 'Smart Dashes' };
    case 'toggletextreplacement':
      return { label: 'Text Replacement' };
    case 'startspeaking':
      return { label: 'Start Speaking' };
    case 'stopspeaking':
      return { label: 'Stop Speaking' };
    case 'editmenu':
      return { label: 'Edit', submenu: editMenu(isMac) };
    default:
      return undefined;
  }
}

function editMenu(isMac: boolean): MenuItemOptions[] {
  const common = ['undo', 'redo', '', 'cut', 'copy', 'paste'].map(item);
  if (!isMac) return [...common, ...['delete', '', 'selectAll'].map(item)];
  const substitutions = ['showSubstitutions', '', 'toggleSmartQuotes', 'toggleSmartDashes', 'toggleTextReplacement'];
  return [
    ...common,
    ...['pasteAndMatchStyle', 'delete', 'selectAll', ''].map(item),
    { label: 'Substitutions', submenu: substitutions.map(item) },
    { label: 'Speech', submenu: ['startSpeaking', 'stopSpeaking'].map(item) },
  ];
}

function ofApp(role: string, app: RoleApp, platform: NodeJS.Platform): MenuRole | undefined {
  const isMac = platform === 'darwin';
  switch (role) {
    case 'about':
      return { label: platform === 'linux' ? 'About' : `About ${app.name()}` };
    case 'hide':
      return { label: `Hide ${app.name()}`, accelerator: 'Command+H' };
    case 'hideothers':
      return { label: 'Hide Others', accelerator: 'Command+Alt+H' };
    case 'unhide':
      return { label: 'Show All' };
    case 'services':
      return { label: 'Services' };
    case 'help':
      return { label: 'Help' };
    case 'recentdocuments':
      return { label: 'Open Recent' };
    case 'clearrecentdocuments':
      return { label: 'Clear Menu' };
    case 'quit':
      return {
        label: isMac ? `Quit ${app.name()}` : platform === 'win32' ? 'Exit' : 'Quit',
        accelerator: platform === 'win32' ? undefined : 'CommandOrControl+Q',
        act: () => app.quit(),
      };
    case 'filemenu':
      return { label: 'File', submenu: [{ role: isMac ? 'close' : 'quit' }] };
    case 'appmenu':
      return {
        label: app.name(),
        submenu: ['about', '', 'services', '', 'hide', 'hideOthers', 'unhide', '', 'quit'].map(item),
      };
    default:
      return undefined;
  }
}

/** An item by its role; a separator for ''. */
function item(role: string): MenuItemOptions {
  return role === '' ? { type: 'separator' } : { role };
}
