import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../async/error-text.ts';
import type { Log } from '../log.ts';

/** Beside the history: the copy of an open backup, a page of an export, and the index of a log that is gone. */
const unfinished = /^history\.db-(?:incoming(?:-wal|-shm|-journal)?|export\.[\da-f]+\.part|restore-shm)$/;

/**
 * Deletes what a crash left unfinished in the data folder. The copy of a backup may be as large as the history, and has
 * jobs that were deleted since. Call it before anything is opened there. A file that cannot be deleted stays.
 */
export function removeLeftovers(dataDir: string, log: Log): void {
  for (const name of readdirSync(dataDir).filter((each) => unfinished.test(each)))
    try {
      rmSync(join(dataDir, name), { force: true });
    } catch (error) {
      log.warn('A file that a crash left could not be deleted', { name, detail: errorText(error) });
    }
}
