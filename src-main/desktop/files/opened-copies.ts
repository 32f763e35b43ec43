import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '../../../src-preload/durations.ts';
import { failed, ok, type Result } from '../../../src-preload/failure.ts';
import { errorText } from '../../async/error-text.ts';
import { createSerialQueue } from '../../async/queues.ts';
import { windowFileText } from '../../messages/desktop/calls.ts';
import type { Clock } from '../../time/clock.ts';
import { within } from '../../time/timers.ts';
import { writeProblem, writeWholeFile, type FileContent } from '../../whole-file.ts';

/** A text that a window wants to see in the user's editor. */
interface TextToOpen {
  /** What it is, for the name of the file. */
  name: string;
  format: 'json' | 'txt';
  content: FileContent;
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
  /**
   * Opens a file with the system's program for it. Resolves to the reason if there is none, or to ''. On some desktops
   * it resolves only when the program has ended.
   */
  openPath: (path: string) => Promise<string>;
  /** In epoch milliseconds. */
  now: () => number;
  /** The timer for `openLimitMs`. Real time by default. */
  after?: Clock['after'];
}

/** A system that has no program for a file says so sooner. After this time, a program runs. */
const openLimitMs = 4_000;

/** Copies older than this are deleted when the next one is made. */
const keptMs = dayMs;

/**
 * Copies of texts for other programs. What a service sent is never executed: a file ends with .json or .txt and cannot
 * be run, whatever name and content it was given.
 */
export function createOpenedCopies({ folder, openPath, now, after }: OpenedCopiesParts): OpenedCopies {
  /**
   * Writing and deleting take turns. Opening takes none: on some systems it ends only with the program, and neither
   * other copies nor quitting may wait for that.
   */
  const turns = createSerialQueue();
  const write = async ({ name, format, content }: TextToOpen): Promise<string> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeOlderThan(folder, now() - keptMs);
    const path = join(folder, `${stemOf(name)}.${format}`);
    await removeFile(path);
    await writeWholeFile(path, content, { mode: 0o600 });
    // An editor then shows that the file cannot be edited.
    await chmod(path, 0o400);
    return path;
  };
  const open = async (text: TextToOpen): Promise<Result<null>> => {
    let path: string;
    try {
      path = await turns.run(() => write(text));
    } catch (error) {
      return failed({
        kind: 'storage',
        message: windowFileText.noCopy(writeProblem(error)),
        detail: errorText(error),
      });
    }
    const refused = await within(openPath(path), openLimitMs, after);
    if (refused === null || refused === '') return ok(null);
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
  return { open, clear: () => turns.run(clear) };
}

/** Deletes the copies that were made before `ms`. One that a program holds stays, and keeps no other. */
async function removeOlderThan(folder: string, ms: number): Promise<void> {
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    try {
      if ((await stat(path)).mtimeMs < ms) await removeFile(path);
    } catch {
      // It is tried again with the next copy.
    }
  }
}

/** Windows deletes no file that is read-only. */
async function removeFile(path: string): Promise<void> {
  await chmod(path, 0o600).catch(() => undefined);
  await rm(path, { force: true });
}

/** With the ending of an unfinished file, a name has at most 255 bytes, of which a letter can have three. */
const maxStemChars = 64;
/** Names of devices, which Windows opens in place of a file with any ending. */
const deviceName = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])$/i;

/** A name without an ending of its own, valid on every system. */
function stemOf(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  if (plain === '' || deviceName.test(plain)) return windowFileText.unnamed;
  return plain.slice(0, maxStemChars).toWellFormed();
}
