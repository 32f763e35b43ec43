import { app, type BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import { join } from 'node:path';
import { failed, ok, type Failure, type Result } from '../../../src-preload/failure.ts';
import { errorText } from '../../async/error-text.ts';
import { HistoryError } from '../../history/history.ts';
import { windowFileText, saveDialogText } from '../../messages/desktop/calls.ts';
import { atUsersPlace, writeWholeFile, type FileContent } from '../../whole-file.ts';
import { fileNameOf, writeBeside } from './file-name.ts';

interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}

/**
 * Asks for a place and writes a file there. Null if the user cancels. Pages do not download anything themselves. A
 * content that the history refuses is a `storage` failure too.
 */
export async function saveFile(
  window: BrowserWindow | null,
  { name, content }: { name: string; content: FileContent },
  refusalOf: (path: string) => Failure | null,
): Promise<Result<string | null>> {
  const path = await askWhereToSave(window, { defaultPath: join(app.getPath('downloads'), fileNameOf(name)) });
  if (path === null) return ok(null);
  const refusal = refusalOf(path);
  if (refusal !== null) return failed(refusal);
  try {
    await atUsersPlace(() => writeWholeFile(path, content));
    return ok(path);
  } catch (error) {
    return notSaved(error instanceof HistoryError ? error.message : windowFileText.notSaved, error);
  }
}

/**
 * Asks for a folder and writes files into it without overwriting any. Returns their paths in the given order, or null
 * if the user cancels. If a file cannot be written, those before it stay, and the failure says how many.
 */
export async function saveFiles(
  window: BrowserWindow | null,
  files: readonly NamedBytes[],
): Promise<Result<string[] | null>> {
  const folder = await askWhatToOpen(window, {
    title: saveDialogText.folderTitle,
    buttonLabel: saveDialogText.saveHere,
    defaultPath: app.getPath('downloads'),
    properties: ['openDirectory', 'createDirectory'],
  });
  if (folder === null) return ok(null);
  const paths: string[] = [];
  for (const { name, bytes } of files) {
    try {
      paths.push(await atUsersPlace(() => writeBeside(folder, fileNameOf(name), bytes)));
    } catch (error) {
      return notSaved(windowFileText.someSaved(paths.length, files.length), error);
    }
  }
  return ok(paths);
}

function notSaved(message: string, error: unknown): Result<never> {
  return failed({ kind: 'storage', message, detail: errorText(error) });
}

/** Asks where to save a file. Null if the user cancels. A dialog without a window belongs to none. */
export async function askWhereToSave(window: BrowserWindow | null, options: SaveDialogOptions): Promise<string | null> {
  const chosen = window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  return chosen.canceled || chosen.filePath === '' ? null : chosen.filePath;
}

/** Asks for one file or folder to open. Null if the user cancels. */
export async function askWhatToOpen(window: BrowserWindow | null, options: OpenDialogOptions): Promise<string | null> {
  const chosen = window === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options);
  const [path] = chosen.canceled ? [] : chosen.filePaths;
  return path ?? null;
}
