import { Menu, Tray, nativeImage, type MenuItemConstructorOptions } from 'electron';
import { join } from 'node:path';
import { asMenuLabel, asTrayTooltip } from '../../../src-preload/plain-text.ts';
import { trayText } from '../../messages/desktop/tray.ts';
import { followPanelTheme } from './panel-theme.ts';
import type { TrayModel } from './tray-model.ts';

/** The app's icon in the tray with its menu. */
export interface AppTray {
  show(model: TrayModel): void;
  close(): void;
}

export interface TrayParts {
  /** The folder of `tray/NAME-on-dark.png`. */
  resourcesDir: string;
  openMain: () => void;
  /** Whether a window can be placed beside the icon. If not, a click opens the main window. */
  canPlacePopover: boolean;
  /** Shows or hides the popover beside the icon. */
  togglePopover: (icon: Electron.Rectangle) => void;
  setDoNotDisturb: (isOn: boolean) => void;
  newJob: () => void;
  openJob: (key: string) => void;
  /** Submits the saved input of a job as a new job. */
  resubmit: (key: string) => void;
  /** Shows the failed jobs of the current connection, or of all. */
  openFailed: (isOfAll: boolean) => void;
  chooseConnection: (connectionId: string) => void;
  setPaused: (isPaused: boolean) => void;
  quit: () => void;
}

/** The tray icon with counts and the last jobs. `show` redraws only what changed. */
export function createTray(parts: TrayParts): AppTray {
  let tray: Tray | null = null;
  let menu: Menu | null = null;
  let model: TrayModel | null = null;
  let drawn = '';

  function draw(): void {
    if (model === null) return;
    const isDark = panel.isDark();
    const wanted = JSON.stringify([model, isDark]);
    if (wanted === drawn) return;
    drawn = wanted;
    const image = imageOf(parts.resourcesDir, model, isDark);
    if (tray === null) {
      tray = new Tray(image);
      tray.on('click', (_event, bounds) => (parts.canPlacePopover ? parts.togglePopover(bounds) : parts.openMain()));
      // On macOS, a menu that is set opens on every click, over the popover.
      if (process.platform === 'darwin') tray.on('right-click', () => menu !== null && tray?.popUpContextMenu(menu));
    } else tray.setImage(image);
    tray.setToolTip(asTrayTooltip(model.tooltip, process.platform));
    menu = Menu.buildFromTemplate(menuOf(model, parts));
    if (process.platform !== 'darwin') tray.setContextMenu(menu);
  }

  const panel = followPanelTheme(draw);
  return {
    show(next) {
      model = next;
      draw();
    },
    close() {
      panel.close();
      tray?.destroy();
      tray = null;
    },
  };
}

/** macOS colours a template image itself, to fit the wallpaper behind the menu bar. */
function imageOf(resourcesDir: string, { icon }: TrayModel, isDark: boolean): Electron.NativeImage {
  const isMac = process.platform === 'darwin';
  // Windows chooses the size for its scale from an .ico.
  const ending = process.platform === 'win32' ? 'ico' : 'png';
  const name = `${icon}-on-${isDark && !isMac ? 'dark' : 'light'}.${ending}`;
  const image = nativeImage.createFromPath(join(resourcesDir, 'tray', name));
  if (isMac) image.setTemplateImage(true);
  return image;
}

function menuOf(model: TrayModel, parts: TrayParts): MenuItemConstructorOptions[] {
  const { isPaused, isUndisturbed, last, failedUnseen, areFailuresInOtherConnections, connections, shortcuts } = model;
  // Only displayed: the keys are registered for all programs while they are enabled (system-settings/apply.ts).
  const keys = (accelerator: string | undefined): MenuItemConstructorOptions =>
    accelerator === undefined ? {} : { accelerator, registerAccelerator: false };
  return [
    { label: model.headline, enabled: false },
    ...model.refusals.map((line): MenuItemConstructorOptions => ({ label: asMenuLabel(line), click: parts.openMain })),
    { type: 'separator' },
    ...model.jobs.map((job): MenuItemConstructorOptions => ({
      label: asMenuLabel(job.label),
      click: () => parts.openJob(job.key),
    })),
    ...(model.jobs.length > 0 ? [{ type: 'separator' as const }] : []),
    { label: trayText.open, click: parts.openMain, ...keys(shortcuts?.open) },
    { label: trayText.newJob, click: parts.newJob, ...keys(shortcuts?.newJob) },
    ...(last === null ? [] : [{ label: asMenuLabel(last.label), click: () => parts.resubmit(last.key) }]),
    { type: 'separator' },
    ...(failedUnseen === 0
      ? []
      : [
          {
            label: trayText.failedUnseen(failedUnseen),
            click: () => parts.openFailed(areFailuresInOtherConnections),
          },
        ]),
    { label: isPaused ? trayText.resume : trayText.pause, click: () => parts.setPaused(!isPaused) },
    {
      label: trayText.doNotDisturb,
      type: 'checkbox',
      checked: isUndisturbed,
      click: () => parts.setDoNotDisturb(!isUndisturbed),
    },
    ...(connections.length < 2
      ? []
      : [
          {
            label: trayText.connection,
            submenu: connections.map(({ id, name, isCurrent }): MenuItemConstructorOptions => ({
              label: asMenuLabel(name),
              type: 'radio',
              checked: isCurrent,
              click: () => parts.chooseConnection(id),
            })),
          },
        ]),
    { type: 'separator' },
    { label: trayText.quit, click: parts.quit },
  ];
}
