import { formatCount } from '../../../src-preload/format.ts';
import { asSentence } from '../../../src-preload/messages/sentence.ts';
import type { TableFormat } from '../../../src-preload/batch-table.ts';
import type { ExportFormat } from '../../../src-preload/export.ts';

/** Calls of a window that main does not accept, or could not finish. */
export const callText = {
  notOurWindow: 'Only Jobdeck’s own windows may do this.',
  unknown: 'Jobdeck does not know this request. Restart Jobdeck.',
  defect: (detail: string): string => `Jobdeck could not finish this: ${asSentence(detail)} Your saved data is safe.`,
  windowClosed: 'The window has closed.',
};

/** Things that a window asks of the desktop. */
export const desktopCallText = {
  noAppImage: 'Only an AppImage can add itself to the menu.',
  notHttps: 'Jobdeck opens only https addresses in the browser. Copy this one instead if you trust it.',
  noBrowser: 'Your system opened no browser. Copy the address instead.',
  notPng: 'Could not copy the image: it is not a PNG.',
  tooLargeToCopy: (max: number): string =>
    `The clipboard takes up to ${formatCount(max)} characters, and this output has more. Save it as a file instead.`,
  noSandbox: 'The sandbox is not running, so it has no address and no key.',
  nothingToExport: 'There is nothing to export; it is no longer in the history.',
  foreignPath: 'Jobdeck shows only its own files.',
};

const checkDisk = 'Check that the folder can be written and the disk is not full.';

/** Files that a window saves, or opens in an editor. */
export const windowFileText = {
  notSaved: `Could not save the file. ${checkDisk}`,
  someSaved: (saved: number, total: number): string =>
    `Saved ${saved} of ${total} files, and could not save the next. ${checkDisk}`,
  noCopy: (why: string): string => `Could not write a copy for the editor. ${why}`,
  noProgram: (ending: string): string =>
    `The system could not open a .${ending} file. Choose a program for such files, or save it instead.`,
  /** A copy whose own name has no letter that every system allows. */
  unnamed: 'text',
};

/** The system's dialogs for a backup. */
export const backupDialogText = {
  writeTitle: 'Back up the history',
  openTitle: 'Open a backup',
  /** `day`: such as 2026-05-01. */
  fileName: (day: string): string => `Jobdeck history ${day}.db`,
  fileType: 'Jobdeck history',
  anyFile: 'All files',
};

/** The system's dialog for a handler of the sandbox. */
export const handlerDialogText = {
  title: 'Choose the file with your handler',
  fileType: 'Handlers (Python, JavaScript, TypeScript)',
};

/** The system's dialogs for files with jobs, inputs and outputs. */
export const saveDialogText = {
  exportTitle: 'Export jobs',
  folderTitle: 'Save all to a folder',
  saveHere: 'Save here',
  /** A file whose own name has no letter that every system allows. */
  unnamed: 'jobs',
};

/** What each kind of export is called where the user chooses a file for it. */
export const exportTypeNames: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'NDJSON',
  csv: 'CSV',
  dataset: 'Dataset (NDJSON)',
  report: 'HTML report',
};

/** The same for a table. */
export const tableTypeNames: Readonly<Record<TableFormat, string>> = {
  csv: 'CSV',
  ndjson: 'NDJSON',
  json: 'JSON',
};
