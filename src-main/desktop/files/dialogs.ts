import { dialog, type BrowserWindow, type OpenDialogOptions, type SaveDialogOptions } from 'electron';

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
