import { formatBytes, formatCountOf } from '../../../src-preload/format.ts';

/** What became of files that were dropped on an input or chosen for it. */
export const dropText = {
  nothingAdded: 'Nothing was added.',
  emptyFolder: 'The folder has no files.',
  couldNotRead: (names: string): string => `Could not read ${names}.`,
  inputUnchanged: 'It may have been moved or changed since you dropped it. The input is unchanged.',
  isInput: (name: string): string => `${name} is now the input.`,
  isInputs: (name: string, bytes: number): string => `${name} is read as many inputs, ${formatBytes(bytes)}.`,
  fileNotAdded: 'The file was not added.',
  filesNotAdded: 'The files were not added.',
  addedAsText: (name: string): string => `Added ${name} as text.`,
  addedAsBase64: (name: string): string => `Added ${name} as base64.`,
  sizeInInput: (bytes: number, inInput: number): string =>
    `${formatBytes(bytes)}, ${formatBytes(inInput)} in the input.`,
  tooLargeTogether: (bytes: number, max: number): string =>
    `They are ${formatBytes(bytes)} together. Jobdeck reads up to ${formatBytes(max)} at a time.`,
  tooLarge: (name: string, bytes: number, max: number): string =>
    `${name} is ${formatBytes(bytes)}. Jobdeck reads up to ${formatBytes(max)} at a time.`,
  filesSkipped: (names: string): string => `Left out: ${names}.`,
  beyondFirst: 'Files beyond the first 20,000 were left out.',
  files: (count: number): string => formatCountOf(count, 'file'),
  jobPerFile: (files: number, bytes: number): string =>
    `${formatCountOf(files, 'file')}, one job each, ${formatBytes(bytes)}.`,
};

/** A file that is too large beside the input. */
export const fileSizeText = {
  inputTooLarge: (name: string, bytes: number): string =>
    `${name} is ${formatBytes(bytes)}. run accepts less than 10 MB and runsync less than 20 MB.`,
  tooLarge: (name: string, bytes: number, base64Bytes: number): string =>
    `${fileSize(name, bytes, base64Bytes)} run accepts less than 10 MB and runsync less than 20 MB.`,
  tooLargeForRun: (name: string, bytes: number, base64Bytes: number): string =>
    `${fileSize(name, bytes, base64Bytes)} run accepts less than 10 MB; runsync would accept it.`,
};

function fileSize(name: string, bytes: number, base64Bytes: number): string {
  return `${name} is ${formatBytes(bytes)}, as base64 ${formatBytes(base64Bytes)}.`;
}

/** Rows of files that were added to those in the field. */
export const addedRowsText = {
  added: (name: string): string => `Added ${name}.`,
  size: (bytes: number): string => `${formatBytes(bytes)}.`,
  converted: 'The rows that were there are now one JSON object per line.',
  editedSince: 'You edited them after the files were added, and that would be lost. Remove the added rows by hand.',
  fixRowsFirst: 'Fix or remove the invalid rows of the field first, then add the files again.',
  emptyTable: 'The table in the field has no rows yet. Add a row or clear the field, then add the files again.',
};

/** Why files were left out, as a sentence for each reason. */
export const skippedText = {
  kind: (names: string): string => `Left out ${names}: inputs are in .json, .jsonl, .ndjson, .csv, .tsv or .txt files.`,
  size: (names: string, max: number): string => `Left out ${names}: Jobdeck reads up to ${formatBytes(max)} at a time.`,
  unreadable: (names: string): string =>
    `Could not read ${names}. Check that each file still exists and that you may read it.`,
  text: (names: string): string => `Left out ${names}: not UTF-8 text.`,
  empty: (names: string): string => `Left out ${names}: no inputs found.`,
  rows: (name: string, count: number, firstLine: number, problem: string): string =>
    `Skipped ${formatCountOf(count, 'invalid row')} of ${name}. Line ${firstLine}: ${problem}`,
  otherFiles: 'Other files have invalid rows too.',
};
