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

/**
 * Why a state file cannot be used: one sentence for the user, naming the file, from what opening or reading it has
 * thrown.
 */
export function sentenceFor(path: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  switch (codeOf(error)) {
    case SQLITE_CODES.busy:
    case SQLITE_CODES.locked:
      return `The state file ${path} is in use by another sandbox: stop that one, or name another file.`;
    case SQLITE_CODES.corrupt:
      return damagedSentence(path, reason);
    case SQLITE_CODES.notADatabase:
      return `${path} is not a state file of the sandbox: name another file; nothing in it was changed.`;
    case SQLITE_CODES.full:
      return fullSentence(path);
    case SQLITE_CODES.readOnly:
      return rightsSentence(path);
    case SQLITE_CODES.cannotOpen:
      return `The state file ${path} cannot be opened: check that its folder exists and may be written.`;
    default:
      return fileSentence(path, error) ?? `The state file ${path} cannot be used: ${reason}.`;
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
