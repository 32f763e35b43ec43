import { app, dialog, type BrowserWindow } from 'electron';
import { join } from 'node:path';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import { writeWholeFile } from '../whole-file.ts';

/** Asks where a file is to go and writes it there; null where the user cancels. Pages download nothing themselves. */
export async function saveFile(
  window: BrowserWindow | null,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<Result<string | null>> {
  const options = { defaultPath: join(app.getPath('downloads'), fileNameOf(name)) };
  const chosen = window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  if (chosen.canceled || chosen.filePath === '') return ok(null);
  try {
    await writeWholeFile(chosen.filePath, bytes);
    return ok(chosen.filePath);
  } catch (error) {
    return failed({
      kind: 'storage',
      message: 'Could not save the file. Check that the folder can be written and the disk is not full.',
      detail: errorText(error),
    });
  }
}

/** A name that is nothing but a name, on every system. */
export function fileNameOf(name: string): string {
  const plain = name
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
    .slice(0, 80);
  return plain === '' ? 'jobs' : plain;
}
