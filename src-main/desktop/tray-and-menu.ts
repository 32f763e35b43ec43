import { app, Menu, shell, Tray, nativeImage, nativeTheme, type MenuItemConstructorOptions } from 'electron';
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

/** Without the roles that reload a page or open its developer tools. */
const viewMenu: MenuItemConstructorOptions = {
  label: 'View',
  submenu: [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ],
};

/** macOS adds its search for menu items to the menu of this role. */
const helpMenu: MenuItemConstructorOptions = {
  role: 'help',
  submenu: [
    { label: 'Jobdeck website', click: () => void shell.openExternal(website) },
    { label: 'Show data folder', click: () => void shell.openPath(app.getPath('userData')) },
  ],
};

/** As in package.json. */
const website = 'https://jobdeck.example';

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
    ...(isMac ? [viewMenu] : []),
    { role: 'windowMenu' },
    ...(isMac ? [helpMenu] : []),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
