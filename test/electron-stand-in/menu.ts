import { NotInStandIn, StandInEmitter, checkOptions, guard } from './guard.ts';
import type { BrowserWindow } from './browser-window.ts';
import type { NativeImage } from './native-image.ts';
import type { FromPage } from './page/words.ts';

type Click = (
  item: MenuItem,
  window: BrowserWindow | undefined,
  event: { shiftKey: boolean; ctrlKey: boolean; altKey: boolean; metaKey: boolean; triggeredByAccelerator: boolean },
) => void;

export interface MenuItemOptions {
  label?: string;
  sublabel?: string;
  toolTip?: string;
  type?: 'normal' | 'separator' | 'submenu' | 'checkbox' | 'radio' | 'header' | 'palette';
  role?: string;
  accelerator?: string;
  click?: Click;
  submenu?: MenuItemOptions[] | Menu;
  enabled?: boolean;
  visible?: boolean;
  checked?: boolean;
  id?: string;
  icon?: NativeImage | string;
}

const knownOptions = [
  'label',
  'sublabel',
  'toolTip',
  'type',
  'role',
  'accelerator',
  'click',
  'submenu',
  'enabled',
  'visible',
  'checked',
  'id',
  'icon',
  'registerAccelerator',
  'acceleratorWorksWhenHidden',
];

/** What roles do here when clicked. Roles that Chromium itself handles (copy, paste) are in `ownRoles`. */
const roleActions: Record<string, (window: BrowserWindow | undefined) => void> = {
  close: (window) => window?.close(),
  minimize: (window) => window?.minimize(),
  reload: (window) => window?.reload(),
  forcereload: (window) => window?.reload(),
  toggledevtools: (window) => window?.webContents.toggleDevTools(),
  togglefullscreen: (window) => window?.setFullScreen(!window.isFullScreen()),
  resetzoom: (window) => window?.webContents.setZoomLevel(0),
  zoomin: (window) => zoomBy(window, 0.5),
  zoomout: (window) => zoomBy(window, -0.5),
};
/** The keys that roles have if an item names none. */
const roleKeys: Record<string, string> = {
  resetzoom: 'CommandOrControl+0',
  zoomin: 'CommandOrControl+Plus',
  zoomout: 'CommandOrControl+-',
};
const ownRoles = [
  'undo',
  'redo',
  'cut',
  'copy',
  'paste',
  'pasteandmatchstyle',
  'delete',
  'selectall',
  'about',
  'hide',
  'hideothers',
  'unhide',
  'front',
  'zoom',
  'window',
  'help',
  'services',
  'quit',
  'recentdocuments',
  'clearrecentdocuments',
];
function zoomBy(window: BrowserWindow | undefined, levels: number): void {
  const contents = window?.webContents;
  contents?.setZoomLevel(contents.getZoomLevel() + levels);
}

const menuRoles = ['appmenu', 'filemenu', 'editmenu', 'viewmenu', 'windowmenu'];

export class MenuItem {
  readonly id: string | undefined;
  readonly role: string | undefined;
  readonly type: string;
  readonly accelerator: string | undefined;
  readonly submenu: Menu | null;
  label: string;
  sublabel: string;
  toolTip: string;
  icon: NativeImage | string | null;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  click: (event?: object, window?: BrowserWindow) => void;

  constructor(options: MenuItemOptions) {
    checkOptions('MenuItem', options, knownOptions);
    this.id = options.id;
    this.role = options.role?.toLowerCase();
    this.submenu =
      options.submenu === undefined
        ? null
        : options.submenu instanceof Menu
          ? options.submenu
          : Menu.buildFromTemplate(options.submenu);
    this.type = options.type ?? (this.submenu === null ? 'normal' : 'submenu');
    this.label = options.label ?? options.role ?? '';
    this.sublabel = options.sublabel ?? '';
    this.toolTip = options.toolTip ?? '';
    this.icon = options.icon ?? null;
    this.accelerator = options.accelerator ?? roleKeys[this.role ?? ''];
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    const { role } = this;
    if (role !== undefined && !(role in roleActions) && !ownRoles.includes(role) && !menuRoles.includes(role))
      throw new NotInStandIn(`menu role "${options.role}"`);
    const self = guard('MenuItem', this);
    this.click = (_event, window) => {
      if (!self.enabled) return;
      if (self.type === 'checkbox') self.checked = !self.checked;
      if (role !== undefined && options.click === undefined) {
        const act = role === 'quit' ? quit : roleActions[role];
        if (act === undefined) throw new NotInStandIn(`click on menu role "${role}"`);
        act(window);
        return;
      }
      options.click?.(self, window, {
        shiftKey: false,
        ctrlKey: false,
        altKey: false,
        metaKey: false,
        triggeredByAccelerator: false,
      });
    };
    return self;
  }
}

let quit: () => void = () => {};
let applicationMenu: Menu | null = null;
/** Popup menus on screen, newest last. */
const shown = new Set<Menu>();

export class Menu extends StandInEmitter {
  items: MenuItem[] = [];

  static buildFromTemplate(template: (MenuItemOptions | MenuItem)[]): Menu {
    const menu = new Menu();
    menu.items = template.map((one) => (one instanceof MenuItem ? one : new MenuItem(one)));
    return menu;
  }
  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
  }
  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }

  constructor() {
    super('Menu', ['menu-will-show', 'menu-will-close']);
    return guard('Menu', this);
  }

  append(item: MenuItem): void {
    this.items.push(item);
  }
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : (item.submenu?.getMenuItemById(id) ?? null);
      if (found !== null) return found;
    }
    return null;
  }
  /** Invisible: it waits for the test to click an item or close it. */
  popup(options: { window?: BrowserWindow; callback?: () => void; x?: number; y?: number } = {}): void {
    shown.add(this);
    this.emit('menu-will-show', {});
    if (options.callback !== undefined) this.once('menu-will-close', options.callback);
  }
  closePopup(): void {
    if (!shown.delete(this)) return;
    this.emit('menu-will-close', {});
  }
}

/** What is drawn of a label: Electron reads `&` as the mark of the letter after it, and `&&` as the sign itself. */
function drawnLabel(label: string): string {
  return label.replaceAll(/&(.?)/gs, '$1');
}

/** A menu as plain data, with its labels as they are drawn. */
export interface MenuPicture {
  label: string;
  type: string;
  enabled: boolean;
  checked: boolean;
  accelerator: string | null;
  submenu: MenuPicture[] | null;
}

export function pictureOf(menu: Menu | null): MenuPicture[] {
  return (menu?.items ?? [])
    .filter((item) => item.visible)
    .map((item) => ({
      label: drawnLabel(item.label),
      type: item.type,
      enabled: item.enabled,
      checked: item.checked,
      accelerator: item.accelerator ?? null,
      submenu: item.submenu === null ? null : pictureOf(item.submenu),
    }));
}

/**
 * Clicks the item that is drawn with this label, or at a path of labels ("File", "New job"). Errors: throws if there is none or it is
 * disabled.
 */
export function clickIn(menu: Menu | null, path: readonly string[], window: BrowserWindow | undefined): void {
  const [label, ...rest] = path;
  const item = menu?.items.find((one) => drawnLabel(one.label) === label && one.visible);
  if (item === undefined)
    throw new Error(
      `The menu has no item "${String(label)}"; it has: ${(menu?.items ?? []).map((one) => one.label || one.type).join(', ')}.`,
    );
  if (rest.length > 0) {
    clickIn(item.submenu, rest, window);
    return;
  }
  if (!item.enabled) throw new Error(`The menu item "${item.label}" is disabled.`);
  item.click({}, window);
}

export function popupMenu(): Menu | null {
  return [...shown].at(-1) ?? null;
}
export function onQuitRole(act: () => void): void {
  quit = act;
}

type Key = Extract<FromPage, { type: 'key' }>;

/** Runs the application menu's item with this key as its accelerator. Returns whether there was one. */
export function pressAccelerator(
  key: Key,
  window: BrowserWindow | undefined,
  menu: Menu | null = applicationMenu,
): boolean {
  for (const item of menu?.items ?? []) {
    if (item.submenu !== null && pressAccelerator(key, window, item.submenu)) return true;
    if (item.accelerator === undefined || !item.enabled || !matches(item.accelerator, key)) continue;
    item.click({}, window);
    return true;
  }
  return false;
}

const keyNames: Record<string, string> = {
  plus: '+',
  space: ' ',
  esc: 'escape',
  return: 'enter',
  del: 'delete',
  up: 'arrowup',
  down: 'arrowdown',
  left: 'arrowleft',
  right: 'arrowright',
  numadd: 'numpadadd',
  numsub: 'numpadsubtract',
  num0: 'numpad0',
};

/** Whether `key` is the key of an Electron accelerator such as "CmdOrCtrl+Shift+N". */
export function matches(accelerator: string, key: Key): boolean {
  const isMac = process.platform === 'darwin';
  const wanted = { ctrl: false, meta: false, alt: false, shift: false, key: '' };
  for (const part of accelerator.toLowerCase().split('+')) {
    if (['cmdorctrl', 'commandorcontrol'].includes(part)) wanted[isMac ? 'meta' : 'ctrl'] = true;
    else if (['cmd', 'command', 'super', 'meta'].includes(part)) wanted.meta = true;
    else if (['ctrl', 'control'].includes(part)) wanted.ctrl = true;
    else if (['alt', 'option', 'altgr'].includes(part)) wanted.alt = true;
    else if (part === 'shift') wanted.shift = true;
    // As on most keyboards, and as Electron reads it.
    else if (part === 'plus') Object.assign(wanted, { key: '+', shift: true });
    else wanted.key = keyNames[part] ?? part;
  }
  const names = [key.key.toLowerCase(), key.code.toLowerCase().replace(/^(key|digit)/, '')];
  return (
    wanted.ctrl === key.ctrl &&
    wanted.meta === key.meta &&
    wanted.alt === key.alt &&
    wanted.shift === key.shift &&
    names.includes(wanted.key)
  );
}
