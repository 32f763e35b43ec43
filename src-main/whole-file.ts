import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { errorText } from './async/error-text.ts';
import { createFewAtOnce } from './time/few-at-once.ts';
import { fileText } from './messages/engine.ts';
import { systemClock } from './time/clock.ts';

/** The ending of a file's name until it is complete. After a crash it may stay. */
export const unfinishedEnding = '.part';

/**
 * Creates a file that is complete or does not exist, whatever happens meanwhile. `write` makes it beside its place
 * (under the given path, which does not exist yet); it is flushed to the disk and then renamed. An existing file stays
 * until then. Rejects with what `write` or the disk refused, leaving nothing beside it.
 */
export async function putWholeFile(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}.${randomUUID().slice(0, 8)}${unfinishedEnding}`;
  try {
    await write(unfinished);
    const file = await open(unfinished, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    // The caller needs the first error.
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** What a file is made of: bytes, or a text that comes in parts. Each part is written before the next one is read. */
export type FileContent = Uint8Array | AsyncIterable<string>;

/** As `putWholeFile`, for a content. With `mode`, the file never has wider permissions than that. */
export function writeWholeFile(path: string, content: FileContent, { mode }: { mode?: number } = {}): Promise<void> {
  return putWholeFile(path, (unfinished) => writeFile(unfinished, content, { flag: 'wx', mode }));
}

/**
 * The system has four threads for all file operations, host names and unpacking. A network drive that stops answering
 * holds one for each file that is written there, and with none left no service could be reached.
 */
const usersPlaces = createFewAtOnce({ max: 2, waitMs: 10_000, clock: systemClock });

/**
 * Runs `work`, which writes a file where the user chose, one operation after the other. Two at most are in progress at
 * once. Rejects with a sentence if neither ends in ten seconds, and as `work` does.
 */
export function atUsersPlace<T>(work: () => Promise<T>): Promise<T> {
  return usersPlaces.run(work, () => new Error(fileText.othersHang));
}

/** What a refusal of the system means, by its code. */
const refusals: Readonly<Record<string, string>> = {
  ENOSPC: fileText.fullDisk,
  EDQUOT: fileText.fullDisk,
  EACCES: fileText.closedFolder,
  EROFS: fileText.closedFolder,
  EPERM: fileText.closedFolder,
  ENOENT: fileText.noFolder,
};

/**
 * Why a file could not be written, in words for the user, or the text of the error if there are none. An error from
 * another thread has only its message, so its code is read from that.
 */
export function writeProblem(error: unknown): string {
  const text = errorText(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : (/^E[A-Z]+(?=:)/.exec(text)?.[0] ?? '');
  return refusals[code] ?? text;
}
