import { Menu } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';

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
