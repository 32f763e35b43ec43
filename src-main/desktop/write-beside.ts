import { open, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { writeWholeFile } from '../whole-file.ts';

/** More files of one name than anybody keeps in a folder. */
const mostNumbers = 10_000;

/**
 * Writes a file into a folder, under its name or the first numbered one that is free there (`a.png`, `a (2).png`).
 * Answers its path. Rejects with what the disk refused; then nothing is left of it.
 */
export async function writeBeside(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = await reserved(folder, name);
  try {
    await writeWholeFile(path, bytes);
    return path;
  } catch (error) {
    // What made it fail is what its caller has to know.
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Makes an empty file where there was none, so that no other program takes its name meanwhile. */
async function reserved(folder: string, name: string): Promise<string> {
  const { name: stem, ext } = parse(name);
  for (let number = 1; number <= mostNumbers; number += 1) {
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
