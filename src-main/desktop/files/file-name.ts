import { parse, join } from 'node:path';
import { saveDialogText } from '../../messages/desktop/calls.ts';
import { open, rm } from 'node:fs/promises';
import { writeWholeFile } from '../../whole-file.ts';

/** Characters; with three bytes each it is still shorter than a name may be. */
const maxChars = 80;
/** Windows takes these names for devices, whatever their ending. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name without path separators, valid on every system. A long one keeps its ending. */
export function fileNameOf(name: string): string {
  const plain = trimmed(name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-'));
  const { name: stem, ext } = parse(plain);
  const isEnding = ext.length <= 10;
  const rest = isEnding ? stem : plain;
  const ending = isEnding ? ext : '';
  const whole =
    trimmed(
      Array.from(rest)
        .slice(0, maxChars - ending.length)
        .join(''),
    ) + ending;
  if (whole === '') return saveDialogText.unnamed;
  return device.test(whole) ? `_${whole}` : whole;
}

/** Windows drops dots and spaces at the end, and a name that begins with a dot is hidden elsewhere. */
function trimmed(name: string): string {
  return name.replaceAll(/^[. ]+|[. ]+$/g, '');
}

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
