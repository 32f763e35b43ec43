import { existsSync } from 'node:fs';
import { conversionFailure, guard } from './guard.ts';
import { records } from './records.ts';

/**
 * What would open another program is recorded. ELECTRON_STAND_IN_BROWSER=absent: the system has none, and Electron
 * rejects (electron_api_shell.cc: OnOpenFinished).
 */
export const shell = guard('shell', {
  openExternal(url: string): Promise<void> {
    if (typeof url !== 'string') throw conversionFailure(0, url);
    if (process.env['ELECTRON_STAND_IN_BROWSER'] === 'absent') return Promise.reject(new Error('Failed to open path'));
    records.openedExternally.push(url);
    return Promise.resolve();
  },
  /** Resolves with an error's text if there is no such file, as Windows and macOS do. */
  openPath(path: string): Promise<string> {
    if (typeof path !== 'string') throw conversionFailure(0, path);
    if (!existsSync(path)) return Promise.resolve('Failed to open path');
    records.openedPaths.push(path);
    return Promise.resolve('');
  },
  showItemInFolder(path: string): void {
    if (typeof path !== 'string') throw conversionFailure(0, path);
    records.shownInFolder.push(path);
  },
  beep(): void {
    records.beeps += 1;
  },
});
