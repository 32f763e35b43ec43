import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { errorText } from './async/error-text.ts';

/** How the name of a file ends that has not taken its place yet, or never will after a crash. */
export const unfinishedEnding = '.part';

/**
 * Puts a file in its place that is there whole or not at all, whatever happens meanwhile: `write` makes it beside its
 * place (under the path it is given, which must not exist yet), it reaches the disk, and takes its place at the end. A
 * file that was there before stays until then. Rejects with what `write` or the disk refused; then nothing is left
 * beside it.
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
    // What made it fail is what its caller has to know.
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** As `putWholeFile`, of bytes. With `mode`, the file is open to no more than that from its first byte on. */
export function writeWholeFile(path: string, bytes: Uint8Array, { mode }: { mode?: number } = {}): Promise<void> {
  return putWholeFile(path, (unfinished) => writeFile(unfinished, bytes, { flag: 'wx', mode }));
}

export const fullDisk = 'The disk is full. Free some space, or choose another disk.';
export const closedFolder = 'The folder cannot be written to. Choose another one.';

/** What a refusal of the system means, by its code. */
const refusals: Readonly<Record<string, string>> = {
  ENOSPC: fullDisk,
  EDQUOT: fullDisk,
  EACCES: closedFolder,
  EROFS: closedFolder,
  EPERM: closedFolder,
  ENOENT: 'The folder no longer exists. Choose another one.',
};

/**
 * Why a file could not be written, in words for its user; as it came where there are none. Also of an error that
 * crossed from another thread, of which only the message is left.
 */
export function writeProblem(error: unknown): string {
  const text = errorText(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : (/^E[A-Z]+(?=:)/.exec(text)?.[0] ?? '');
  return refusals[code] ?? text;
}
