import { matches } from './accelerator.ts';
import { NotInStandIn, StandInEmitter, checkOptions, guard } from './guard.ts';
import { menuRole } from './menu-roles.ts';
import type { RoleApp } from './menu-roles.ts';
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
  registerAccelerator?: boolean;
  acceleratorWorksWhenHidden?: boolean;
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

const itemTypes = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'];

export class MenuItem {
  readonly id: string | undefined;
  readonly role: string | undefined;
  readonly type: string;
  readonly accelerator: string | undefined;
  readonly registerAccelerator: boolean;
  readonly acceleratorWorksWhenHidden: boolean;
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
    const role = this.role === undefined ? undefined : menuRole(this.role, roleApp, process.platform);
    if (this.role !== undefined && role === undefined) throw new NotInStandIn(`menu role "${options.role}"`);
    const submenu = options.submenu ?? role?.submenu;
    this.submenu = submenu === undefined ? null : submenu instanceof Menu ? submenu : Menu.buildFromTemplate(submenu);
    this.type = options.type ?? (this.submenu === null ? 'normal' : 'submenu');
    if (this.type === 'submenu' && this.submenu === null) throw new Error('Invalid submenu');
    if (!itemTypes.includes(this.type)) throw new Error(`Unknown menu item type: ${this.type}`);
    this.label = options.label ?? role?.label ?? '';
    this.sublabel = options.sublabel ?? '';
    this.toolTip = options.toolTip ?? '';
    this.icon = options.icon ?? null;
    this.accelerator = options.accelerator ?? role?.accelerator;
    // What has no action here is up to the page, or to macOS.
    const isOurs = role === undefined || (role.act !== undefined && role.isKeyOfPage !== true);
    this.registerAccelerator = options.registerAccelerator ?? isOurs;
    this.acceleratorWorksWhenHidden = options.acceleratorWorksWhenHidden ?? true;
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    const self = guard('MenuItem', this);
    this.click = (_event, window) => {
      if (self.type === 'checkbox') self.checked = !self.checked;
      if (self.type === 'radio') self.checkInGroup();
      // A role that Electron knows leaves nothing to the item's own function.
      if (role !== undefined) {
        if (role.act === undefined) throw new NotInStandIn(`click on menu role "${this.role}"`);
        role.act(window);
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

  /** Those of the radio items beside it lose their mark. */
  private checkInGroup(): void {
    for (const other of this.group()) other.checked = false;
    this.checked = true;
  }
  /** For its menu: the radio items between two separators, it among them. */
  group: () => MenuItem[] = () => [];
}

let roleApp: RoleApp = { name: () => 'Electron', quit: () => {} };
let applicationMenu: Menu | null = null;
/** Popup menus on screen, newest last. */
const shown = new Set<Menu>();

export class Menu extends StandInEmitter {
  items: MenuItem[] = [];

  static buildFromTemplate(template: (MenuItemOptions | MenuItem)[]): Menu {
    if (!Array.isArray(template)) throw new TypeError('Invalid template for Menu: Menu template must be an array');
    const isValid = (one: MenuItemOptions | MenuItem | null): boolean =>
      typeof one === 'object' &&
      one !== null &&
      (Object.hasOwn(one, 'label') || Object.hasOwn(one, 'role') || one.type === 'separator');
    if (!template.every(isValid))
      throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
    const menu = new Menu();
    for (const one of withoutExtraSeparators(template)) menu.append(one instanceof MenuItem ? one : new MenuItem(one));
    return menu;
  }
  static setApplicationMenu(menu: Menu | null): void {
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Invalid menu');
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
    if (!(item instanceof MenuItem)) throw new TypeError('Invalid item');
    this.items.push(item);
    if (item.type === 'radio') item.group = () => radioGroup(this.items, item);
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
    if (typeof options !== 'object') throw new TypeError('Options must be an object');
    shown.add(this);
    this.emit('menu-will-show', {});
    if (options.callback !== undefined) this.once('menu-will-close', options.callback);
  }
  closePopup(): void {
    if (!shown.delete(this)) return;
    this.emit('menu-will-close', {});
  }
}

/** Of neighbouring separators one is kept, and none at either end (Electron’s lib/browser/api/menu: removeExtraSeparators). */
function withoutExtraSeparators(items: (MenuItemOptions | MenuItem)[]): (MenuItemOptions | MenuItem)[] {
  return items
    .filter((one, at) => one.visible === false || one.type !== 'separator' || items[at - 1]?.type !== 'separator')
    .filter(
      (one, at, kept) => one.visible === false || one.type !== 'separator' || (at !== 0 && at !== kept.length - 1),
    );
}

function radioGroup(items: readonly MenuItem[], item: MenuItem): MenuItem[] {
  const at = items.indexOf(item);
  const isSeparator = ({ type }: MenuItem): boolean => type === 'separator';
  const end = items.findIndex((one, index) => index > at && isSeparator(one));
  const group = items.slice(items.findLastIndex((one, index) => index < at && isSeparator(one)) + 1);
  return group.slice(0, end < 0 ? undefined : end).filter(({ type }) => type === 'radio');
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
/** Sets what the roles need of the app. */
export function setRoleApp(app: RoleApp): void {
  roleApp = app;
}

/** Runs the application menu's item with this key as its accelerator. Returns whether there was one. */
export function pressAccelerator(
  key: Extract<FromPage, { type: 'key' }>,
  window: BrowserWindow | undefined,
  menu: Menu | null = applicationMenu,
): boolean {
  for (const item of menu?.items ?? []) {
    if (item.submenu !== null && pressAccelerator(key, window, item.submenu)) return true;
    if (item.accelerator === undefined || !item.registerAccelerator || !item.enabled) continue;
    if (!matches(item.accelerator, key)) continue;
    item.click({}, window);
    return true;
  }
  return false;
}
