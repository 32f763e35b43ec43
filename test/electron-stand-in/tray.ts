import { StandInEmitter, guard } from './guard.ts';
import { pictureOf } from './menu.ts';
import type { Menu, MenuPicture } from './menu.ts';
import { describeImage } from './native-image.ts';
import type { NativeImage } from './native-image.ts';

/** A tray icon as plain data. */
export interface TrayPicture {
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
    this.image = image;
    this.images = [describeImage(image)];
    const self = guard('Tray', this);
    all.add(self);
    return self;
  }

  setImage(image: NativeImage | string): void {
    this.requireAlive();
    this.image = image;
    this.images.push(describeImage(image));
  }
  setPressedImage(): void {}
  setToolTip(tooltip: string): void {
    this.requireAlive();
    this.tooltip = tooltip;
  }
  setTitle(title: string): void {
    this.requireAlive();
    this.title = title;
  }
  getTitle(): string {
    return this.title;
  }
  setContextMenu(menu: Menu | null): void {
    this.requireAlive();
    this.menu = menu;
  }
  popUpContextMenu(menu?: Menu): void {
    this.requireAlive();
    (menu ?? this.menu)?.popup();
  }
  closeContextMenu(): void {
    this.menu?.closePopup();
  }
  setIgnoreDoubleClickEvents(): void {}
  /** macOS and Windows only. Linux does not report where its panel draws the icon. */
  getBounds(): { x: number; y: number; width: number; height: number } {
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
      tooltip: this.tooltip,
      title: this.title,
      image: describeImage(this.image),
      images: [...this.images],
      isTemplate: typeof this.image !== 'string' && this.image.isTemplateImage(),
      hasClickHandler: this.listenerCount('click') > 0,
      menu: pictureOf(this.menu),
    };
  }

  private requireAlive(): void {
    if (this.isGone) throw new TypeError('Tray is destroyed');
  }
}

/** The tray icon of the app. Null while it has none. */
export function currentTray(): Tray | null {
  return [...all].at(-1) ?? null;
}
