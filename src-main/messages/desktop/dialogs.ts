import type { TableFormat } from '../../../src-preload/batch-table.ts';
import type { ExportFormat } from '../../../src-preload/export.ts';

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
