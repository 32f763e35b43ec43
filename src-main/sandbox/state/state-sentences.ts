const SQLITE_CODES = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

function codeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;
}

/** A state file that cannot be used. Its message is one sentence for the user, and names the file. */
export class StateFileRefused extends Error {
  /**
   * Whether the fault lies in what the file holds, so that a new file in its place would do. False for a file that is
   * locked, may not be written, or lies on a full disk.
   */
  readonly isContentAtFault: boolean;

  constructor(sentence: string, { isContentAtFault, cause }: { isContentAtFault: boolean; cause?: unknown }) {
    super(sentence, { cause });
    this.isContentAtFault = isContentAtFault;
  }
}

/** For a file that is not sound. `reason`: as SQLite words it, which may take several lines. */
export function damagedSentence(path: string, reason: string): string {
  const finding = reason.split('\n').findLast((line) => line.trim() !== '') ?? reason;
  return `The state file ${path} is damaged (${finding}): move it away to start anew; nothing in it was changed.`;
}

function fullSentence(path: string): string {
  return (
    `The state file ${path} could not be written because the disk is full: free some space, then start the ` +
    'sandbox again.'
  );
}

function rightsSentence(path: string): string {
  return `The state file ${path} cannot be written: check the rights on it and on its folder.`;
}

/** Why a state file cannot be used, from what opening or reading it has thrown. */
export function refusalOf(path: string, error: unknown): StateFileRefused {
  const reason = error instanceof Error ? error.message : String(error);
  const because = (sentence: string, isContentAtFault: boolean): StateFileRefused =>
    new StateFileRefused(sentence, { isContentAtFault, cause: error });
  switch (codeOf(error)) {
    case SQLITE_CODES.busy:
    case SQLITE_CODES.locked:
      return because(
        `The state file ${path} is in use by another sandbox: stop that one, or name another file.`,
        false,
      );
    case SQLITE_CODES.corrupt:
      return because(damagedSentence(path, reason), true);
    case SQLITE_CODES.notADatabase:
      return because(`${path} is not a state file of the sandbox: name another file; nothing in it was changed.`, true);
    case SQLITE_CODES.full:
      return because(fullSentence(path), false);
    case SQLITE_CODES.readOnly:
      return because(rightsSentence(path), false);
    case SQLITE_CODES.io:
      return because(`The state file ${path} cannot be read: ${reason}.`, false);
    case SQLITE_CODES.cannotOpen:
      return because(
        `The state file ${path} cannot be opened: check that its folder exists and may be written.`,
        false,
      );
    default: {
      const sentence = fileSentence(path, error);
      return sentence === null
        ? because(`The state file ${path} cannot be used: ${reason}.`, true)
        : because(sentence, false);
    }
  }
}

/** What the system, rather than SQLite, had against the file; null when it was something else. */
function fileSentence(path: string, error: unknown): string | null {
  switch (error instanceof Error && 'code' in error ? error.code : null) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `The state file ${path} cannot be opened: its folder does not exist.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return rightsSentence(path);
    case 'ENOSPC':
      return fullSentence(path);
    default:
      return null;
  }
}

/** One sentence for the user about a file that refuses to be written while the sandbox runs. */
export function troubleSentence(path: string, error: unknown): string {
  const isFull = codeOf(error) === SQLITE_CODES.full;
  const reason = isFull ? 'the disk is full' : error instanceof Error ? error.message : String(error);
  return (
    `The state file ${path} cannot be written (${reason}): new jobs are refused, what happens to the others is ` +
    'kept in memory and written when it can be again.'
  );
}
