import { asSentence } from '../../src-preload/messages/sentence.ts';

/** Things that are asked of the history. */
export const historyText = {
  noJob: 'This job is not in the history on this computer.',
  noteChanged: 'Another window has changed this note. What you entered here is not saved yet.',
  tooManyTags: (max: number): string =>
    `A job has at most ${max} tags, and with these this one would have more. Nothing was changed.`,
  noBody: 'Nothing is saved here.',
  noCause: 'This cause is no longer in the history.',
  notFailed: 'This job did not fail.',
  noCommonRows: 'These two batches have no rows in common on this computer.',
};

/** The thread that reads and writes the history. */
export const historyThreadText = {
  closed: 'The history is closed.',
  noReason: 'it ended without a reason',
  notCarried: 'Could not pass on the history’s answer.',
  lost: (detail: string): string =>
    `The history’s thread ended unexpectedly, and work in progress may not be saved: ${asSentence(detail)} It is ` +
    'restarting; try again.',
  givenUp: (times: number, detail: string): string =>
    `The history’s thread ended ${times} times within a minute and is not started again: ${asSentence(detail)} ` +
    'Nothing more will be saved. Restart Jobdeck.',
};

/** Calls that the history refuses. They are thrown in its thread, and windows show them. */
export const historyRefusalText = {
  diskRefused: 'The disk refused the change; nothing was saved.',
  notInPlace:
    'The file of the history was moved or deleted while Jobdeck was using it; nothing was saved. Put its folder back ' +
    'before you close Jobdeck.',
  rowsGone: 'Some of its rows are no longer available; nothing was saved. Submit it again.',
  searchDamaged: 'The search index was damaged and is being rebuilt. Search again in a moment.',
  savingNow: 'Something was being saved at this moment. Try again.',
  notCreated: (path: string, detail: string): string =>
    `Could not create a new history at ${path}: ${asSentence(detail)}`,
};

/** The bin of deleted jobs, beside the history. `detail` is a sentence of `databaseErrorText`. */
export const binRefusalText = {
  refused: (detail: string): string => `The bin of deleted jobs cannot be used. ${detail}`,
};

/** Errors of the database: what happened, and what can be done. */
export const databaseErrorText = {
  held: 'Another program is using the history file; nothing was saved. Close it and try again.',
  notWritable: 'Could not write the history file; nothing was saved. Check its permissions and those of its folder.',
  notOpened: 'Could not open the history file. Check its permissions and those of its folder.',
  disk: 'The disk returned an error; nothing was saved. Check the disk and try again.',
  fullDisk: 'The disk is full; nothing was saved. Free some space and try again.',
  damaged:
    'The history file is damaged; nothing was saved. Restart Jobdeck: it sets the file aside and starts a new one.',
  noDatabase: 'The history file is no longer a database. Restart Jobdeck: it sets the file aside and starts a new one.',
  other: (detail: string): string => `The history returned an error; nothing was saved: ${asSentence(detail)}`,
  unknown: (thrown: string): string => `The history returned an error: ${asSentence(thrown)}`,
  isFolder: (path: string): string =>
    `A folder is in the place of Jobdeck’s file ${path}. Move the folder elsewhere, then try again.`,
  isNoFile: (path: string): string =>
    `Something that is not a file is in the place of Jobdeck’s file ${path}. Move it elsewhere, then try again.`,
  linkToNothing: (path: string, target: string): string =>
    `Jobdeck’s file ${path} is a link to ${target}, which does not exist. If it is on a drive, connect that, or put ` +
    'the file back; then try again.',
  badLink: (path: string, detail: string): string =>
    `Could not follow the link in the place of Jobdeck’s file ${path}: ${asSentence(detail)} Check the link, then ` +
    'try again.',
};

/** What a history that cannot be used is, beside what is kept of it. */
export const unusableText = {
  noDatabase: 'The file is not a database.',
  ofOtherProgram: 'The file is a database of another program.',
  onlyLog: 'Only the log of its last changes (-wal) is left; the file itself is empty or missing.',
  newer: (schema: number, known: number): string =>
    `The file was written by a newer version of Jobdeck (schema ${schema}; this one knows ${known}).`,
  /** The content of a file beside the damaged one. */
  damageNote: 'Jobdeck found damage in the file beside this one and checks it at the next start.',
};

/** Causes of failures that have no message of their own. */
export const causeText = {
  timeLimit: 'Execution limit reached',
  noMessage: 'Failed without a message',
};
