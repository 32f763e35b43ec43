import { Menu, Tray, nativeImage, nativeTheme, type MenuItemConstructorOptions } from 'electron';
import { join } from 'node:path';
import type { TrayModel } from './tray-model.ts';

export interface TrayParts {
  /** Folder that holds `tray/NAME-on-dark.png`. */
  resourcesDir: string;
  openMain: () => void;
  newJob: () => void;
  openJob: (key: string) => void;
  setPaused: (isPaused: boolean) => void;
  quit: () => void;
}

/** The tray icon with counts and the last jobs. `show` redraws only what changed. */
export function createTray(parts: TrayParts): { show(model: TrayModel): void; close(): void } {
  const imageOf = (model: TrayModel): Electron.NativeImage =>
    nativeImage.createFromPath(
      join(parts.resourcesDir, 'tray', `${model.icon}-on-${nativeTheme.shouldUseDarkColors ? 'dark' : 'light'}.png`),
    );
  let tray: Tray | null = null;
  let drawn = '';

  return {
    show(model) {
      const wanted = JSON.stringify([model, nativeTheme.shouldUseDarkColors]);
      if (wanted === drawn) return;
      drawn = wanted;
      if (tray === null) {
        tray = new Tray(imageOf(model));
        tray.on('click', parts.openMain);
      } else {
        tray.setImage(imageOf(model));
      }
      tray.setToolTip(model.tooltip);
      tray.setContextMenu(Menu.buildFromTemplate(menuOf(model, parts)));
    },
    close() {
      tray?.destroy();
      tray = null;
    },
  };
}

function menuOf(model: TrayModel, parts: TrayParts): MenuItemConstructorOptions[] {
  const { isPaused } = model;
  return [
    { label: model.headline, enabled: false },
    ...model.refusals.map((label): MenuItemConstructorOptions => ({ label, click: parts.openMain })),
    { type: 'separator' },
    ...model.jobs.map((job): MenuItemConstructorOptions => ({ label: job.label, click: () => parts.openJob(job.key) })),
    ...(model.jobs.length > 0 ? [{ type: 'separator' as const }] : []),
    { label: 'Open Jobdeck', click: parts.openMain },
    { label: 'New job', click: parts.newJob },
    { label: isPaused ? 'Resume polling' : 'Pause polling', click: () => parts.setPaused(!isPaused) },
    { type: 'separator' },
    { label: 'Quit Jobdeck', click: parts.quit },
  ];
}

/** The application menu: on macOS it is the menu bar; elsewhere it stays hidden and only serves the editing keys. */
export function setApplicationMenu(parts: { newJob: () => void; openMain: () => void }): void {
  const isMac = process.platform === 'darwin';
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: 'File',
      submenu: [
        { label: 'New job', accelerator: 'CmdOrCtrl+Shift+N', click: parts.newJob },
        { label: 'Open Jobdeck', accelerator: 'CmdOrCtrl+J', click: parts.openMain },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
