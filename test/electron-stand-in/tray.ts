import { StandInEmitter, conversionFailure, guard } from './guard.ts';
import { Menu, pictureOf } from './menu.ts';
import type { MenuPicture } from './menu.ts';
import { describeImage, loadedImage } from './native-image.ts';
import type { NativeImage } from './native-image.ts';
import { isReady } from './readiness.ts';

/** A tray icon as plain data. */
export interface TrayPicture {
  /** As it is drawn. */
  tooltip: string;
  title: string;
  /** The path of its image. */
  image: string;
  /** The paths of all images so far, oldest first. */
  images: string[];
  /** Coloured by the system. */
  isTemplate: boolean;
  /** Whether a click does something besides opening the menu. */
  hasClickHandler: boolean;
  menu: MenuPicture[];
}

const all = new Set<Tray>();
/** Windows has room for this many UTF-16 units, and Electron cuts off the rest (notify_icon.cc: CopyStringToBuf). */
const longestWindowsTip = 127;

/**
 * What is drawn of a tooltip. Windows takes ampersands away like those of a menu, and keeps one of three in a row
 * (electron/electron#14373; Electron passes the text on unchanged, notify_icon.cc: SetToolTip).
 */
export function drawnTooltip(text: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return text;
  return text
    .slice(0, longestWindowsTip)
    .replaceAll(/&(&&)?/g, (_all, two: string | undefined) => (two === undefined ? '' : '&'));
}

/** Recorded and not shown on a real desktop. */
export class Tray extends StandInEmitter {
  menu: Menu | null = null;
  private image: NativeImage | string;
  private readonly images: string[];
  private tooltip = '';
  private title = '';
  private isGone = false;

  constructor(image: NativeImage | string) {
    super('Tray', [
      'click',
      'right-click',
      'double-click',
      'middle-click',
      'balloon-click',
      'mouse-enter',
      'mouse-leave',
      'mouse-move',
      'drop-files',
      'drop-text',
    ]);
    if (!isReady()) throw new Error('Cannot create Tray before app is ready');
    this.image = loadedImage(image);
    this.images = [describeImage(image)];
    const self = guard('Tray', this);
    all.add(self);
    return self;
  }

  setImage(image: NativeImage | string): void {
    this.requireAlive();
    this.image = loadedImage(image);
    this.images.push(describeImage(image));
  }
  setPressedImage(image: NativeImage | string): void {
    this.requireAlive();
    loadedImage(image);
  }
  setToolTip(tooltip: string): void {
    this.requireAlive();
    if (typeof tooltip !== 'string') throw conversionFailure(0, tooltip);
    this.tooltip = tooltip;
  }
  setTitle(title: string): void {
    this.requireAlive();
    if (process.platform === 'darwin') this.title = title;
  }
  getTitle(): string {
    this.requireAlive();
    return this.title;
  }
  setContextMenu(menu: Menu | null): void {
    this.requireAlive();
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Must pass Menu or null');
    this.menu = menu;
  }
  /** Even `undefined` is refused in the place of a menu. */
  popUpContextMenu(...given: unknown[]): void {
    this.requireAlive();
    const [menu = this.menu] = given;
    if (given.length > 0 && !(given[0] instanceof Menu)) throw conversionFailure(0, given[0]);
    if (menu instanceof Menu) menu.popup();
  }
  closeContextMenu(): void {
    this.requireAlive();
    this.menu?.closePopup();
  }
  setIgnoreDoubleClickEvents(): void {}
  /** macOS and Windows only. Linux does not report where its panel draws the icon. */
  getBounds(): { x: number; y: number; width: number; height: number } {
    this.requireAlive();
    if (process.platform === 'linux') return { x: 0, y: 0, width: 0, height: 0 };
    return process.platform === 'darwin'
      ? { x: 1_600, y: 0, width: 24, height: 24 }
      : { x: 1_700, y: 1_056, width: 24, height: 24 };
  }
  isDestroyed(): boolean {
    return this.isGone;
  }
  destroy(): void {
    this.isGone = true;
    for (const one of all) if (one.isDestroyed()) all.delete(one);
  }
  picture(): TrayPicture {
    return {
      tooltip: drawnTooltip(this.tooltip, process.platform),
      title: this.title,
      image: describeImage(this.image),
      images: [...this.images],
      isTemplate: typeof this.image !== 'string' && this.image.isTemplateImage(),
      hasClickHandler: this.listenerCount('click') > 0,
      menu: pictureOf(this.menu),
    };
  }

  private requireAlive(): void {
    if (this.isGone) throw new Error('Tray is destroyed');
  }
}

/** The tray icon of the app. Null while it has none. */
export function currentTray(): Tray | null {
  return [...all].at(-1) ?? null;
}
