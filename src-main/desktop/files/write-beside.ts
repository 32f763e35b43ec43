import { open, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { writeWholeFile } from '../../whole-file.ts';

/** More files with the same name than any folder has. */
const maxNumbers = 10_000;

/**
 * Writes a file into a folder, under its name or the first free numbered one (`a.png`, `a (2).png`). Returns its path.
 * Rejects if the disk refuses; then nothing is left of it.
 */
export async function writeBeside(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = await reserved(folder, name);
  try {
    await writeWholeFile(path, bytes);
    return path;
  } catch (error) {
    // The caller needs the first error.
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Creates an empty file, unless there is one, so that no other program takes the name meanwhile. */
async function reserved(folder: string, name: string): Promise<string> {
  const { name: stem, ext } = parse(name);
  for (let number = 1; number <= maxNumbers; number += 1) {
    const path = join(folder, number === 1 ? name : `${stem} (${number})${ext}`);
    try {
      await (await open(path, 'wx')).close();
      return path;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  throw new Error(`Every name like ${name} is taken.`);
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
