import { StandInEmitter, guard } from './guard.ts';

class AutoUpdater extends StandInEmitter {
  constructor() {
    super('autoUpdater', ['before-quit-for-update']);
  }
}

/** Squirrel's part of Electron, limited to electron-updater's event before the app quits. */
export const autoUpdater = guard('autoUpdater', new AutoUpdater());
