import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import { createSerialQueue } from '../async/queues.ts';
import { windowFileText } from '../messages/desktop/calls.ts';
import { writeProblem, writeWholeFile } from '../whole-file.ts';

/** A text that a window wants to see in the user's editor. */
interface TextToOpen {
  /** What it is, for the name of the file. */
  name: string;
  format: 'json' | 'txt';
  bytes: Uint8Array;
}

export interface OpenedCopies {
  /** Writes a read-only copy that only this user can read, and opens it with the program for its kind. */
  open(text: TextToOpen): Promise<Result<null>>;
  /** Deletes all copies. Never rejects. */
  clear(): Promise<void>;
}

export interface OpenedCopiesParts {
  /** The folder of the copies. Nothing else is in it. */
  folder: string;
  /** Opens a file with the system's program for it. Resolves to the reason if there is none, or to ''. */
  openPath: (path: string) => Promise<string>;
  /** In epoch milliseconds. */
  now: () => number;
}

/** Copies older than this are deleted when the next one is made. */
const keptMs = 24 * 60 * 60 * 1_000;

/**
 * Copies of texts for other programs. What a service sent is never executed: a file ends with .json or .txt and cannot
 * be run, whatever name and content it was given.
 */
export function createOpenedCopies({ folder, openPath, now }: OpenedCopiesParts): OpenedCopies {
  const write = async ({ name, format, bytes }: TextToOpen): Promise<string> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeOlderThan(folder, now() - keptMs);
    const path = join(folder, `${stemOf(name)}.${format}`);
    await removeFile(path);
    await writeWholeFile(path, bytes, { mode: 0o600 });
    // An editor then shows that it is no place for edits.
    await chmod(path, 0o400);
    return path;
  };
  const open = async (text: TextToOpen): Promise<Result<null>> => {
    let path: string;
    try {
      path = await write(text);
    } catch (error) {
      return failed({
        kind: 'storage',
        message: windowFileText.noCopy(writeProblem(error)),
        detail: errorText(error),
      });
    }
    const refused = await openPath(path);
    if (refused === '') return ok(null);
    return failed({ kind: 'storage', message: windowFileText.noProgram(text.format), detail: refused });
  };
  const clear = async (): Promise<void> => {
    try {
      await removeOlderThan(folder, Infinity);
      await rm(folder, { recursive: true, force: true });
    } catch {
      // There are none, or a program holds one. The next start tries again.
    }
  };
  /** One after the other, so that nothing is deleted while it is written. */
  const turns = createSerialQueue();
  return { open: (text) => turns.run(() => open(text)), clear: () => turns.run(clear) };
}

/** Deletes the copies that were made before `ms`. */
async function removeOlderThan(folder: string, ms: number): Promise<void> {
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    if ((await stat(path)).mtimeMs < ms) await removeFile(path);
  }
}

/** Windows deletes no file that is read-only. */
async function removeFile(path: string): Promise<void> {
  await chmod(path, 0o600).catch(() => undefined);
  await rm(path, { force: true });
}

/** A name without an ending of its own, valid on every system. */
function stemOf(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return plain === '' ? windowFileText.unnamed : plain.slice(0, 80);
}
