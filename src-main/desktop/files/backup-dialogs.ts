import { app } from 'electron';
import { join } from 'node:path';
import type { Handlers } from '../../../src-preload/contract.ts';
import { ok } from '../../../src-preload/failure.ts';
import type { DesktopBackupCall } from '../../engine/backups.ts';
import type { Engine } from '../../engine/engine.ts';
import { backupDialogText } from '../../messages/desktop/calls.ts';
import { startAgainAtTheEnd } from '../lifecycle/restart.ts';
import type { ReportIfGone } from '../windows/report-if-gone.ts';
import { askWhatToOpen, askWhereToSave } from './save-file.ts';

interface BackupDialogsParts {
  backups: Engine['backups'];
  reportIfGone: ReportIfGone;
  now: () => number;
}

/** The calls about backups that ask for a file or restart the app. */
export function backupDialogs({ backups, reportIfGone, now }: BackupDialogsParts): Pick<Handlers, DesktopBackupCall> {
  return {
    'backup:write': async (_nothing, { windowId }) => {
      const day = new Date(now()).toISOString().slice(0, 10);
      const options = {
        title: backupDialogText.writeTitle,
        defaultPath: join(app.getPath('documents'), backupDialogText.fileName(day)),
        filters: [{ name: backupDialogText.fileType, extensions: ['db'] }],
      };
      return reportIfGone('backup', windowId, async (window) => {
        const path = await askWhereToSave(window, options);
        return path === null ? ok(null) : await backups.write(path);
      });
    },
    'backup:open': async (_nothing, { windowId }) => {
      const options = {
        title: backupDialogText.openTitle,
        properties: ['openFile' as const],
        filters: [
          { name: backupDialogText.fileType, extensions: ['db'] },
          { name: backupDialogText.anyFile, extensions: ['*'] },
        ],
      };
      return reportIfGone('open-backup', windowId, async (window) => {
        const path = await askWhatToOpen(window, options);
        return path === null ? ok(null) : await backups.open(path);
      });
    },
    'backup:restore': async (_nothing, { windowId }) => {
      const armed = await reportIfGone('restore', windowId, () => backups.restore());
      if (armed.ok) restart();
      return armed;
    },
    'backup:undoRestore': () => {
      const armed = backups.undoRestore();
      if (!armed.ok) return armed;
      restart();
      return ok(null);
    },
  };
}

/** Quits cleanly, so that everything is on disk first. */
function restart(): void {
  startAgainAtTheEnd();
  // After the answer has been sent to the window.
  setImmediate(() => app.quit());
}
