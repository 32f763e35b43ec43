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

interface Refusal {
  /** The problem, as the beginning of a sentence that names the file. */
  finding: string;
  /** What the user can do, as the rest of that sentence. */
  advice: string | null;
  /**
   * Whether the content of the file is the problem, so that a new file would work. False for a file that is locked, may
   * not be written, or is on a full disk.
   */
  isContentAtFault: boolean;
}

/** A state file that cannot be used. Its message is one sentence for the user, with the name of the file. */
export class StateFileRefused extends Error {
  readonly finding: string;
  readonly isContentAtFault: boolean;

  constructor({ finding, advice, isContentAtFault }: Refusal, cause?: unknown) {
    super(advice === null ? `${finding}.` : `${finding}: ${advice}.`, { cause });
    this.finding = finding;
    this.isContentAtFault = isContentAtFault;
  }
}

/** A file that is not sound. `reason`: SQLite's message, which may have several lines. */
export function damaged(path: string, reason: string): Refusal {
  const lastLine = reason.split('\n').findLast((line) => line.trim() !== '') ?? reason;
  const finding = `The state file ${path} is damaged (${lastLine})`;
  return { finding, advice: 'move it away to start again; nothing in it was changed', isContentAtFault: true };
}

/** A file that is sound but not ours, or not readable by this version. */
export function foreign(finding: string, advice: string): Refusal {
  return { finding, advice: `${advice}; nothing in it was changed`, isContentAtFault: true };
}

/** A file that is not the problem itself. */
export function unavailable(finding: string, advice: string | null): Refusal {
  return { finding, advice, isContentAtFault: false };
}

/** A link that leads to no file. What it led to may be on a drive that is not connected. */
export function badLink(path: string): Refusal {
  return unavailable(
    `The state file ${path} is a link to a file that is not there`,
    'connect its drive or mend the link',
  );
}

function full(path: string): Refusal {
  return unavailable(
    `The state file ${path} could not be written because the disk is full`,
    'free some space, then start the sandbox again',
  );
}

function withoutRights(path: string): Refusal {
  return unavailable(`The state file ${path} cannot be written`, 'check the rights on it and on its folder');
}

/** Why a state file cannot be used, from an error of opening or reading it. */
export function refusalOf(path: string, error: unknown): StateFileRefused {
  return new StateFileRefused(sqliteRefusal(path, error), error);
}

function sqliteRefusal(path: string, error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  switch (codeOf(error)) {
    case SQLITE_CODES.busy:
    case SQLITE_CODES.locked:
      return unavailable(`The state file ${path} is in use by another sandbox`, 'stop that one, or name another file');
    case SQLITE_CODES.corrupt:
      return damaged(path, reason);
    case SQLITE_CODES.notADatabase:
      return foreign(`${path} is not a state file of the sandbox`, 'name another file');
    case SQLITE_CODES.full:
      return full(path);
    case SQLITE_CODES.readOnly:
      return withoutRights(path);
    case SQLITE_CODES.io:
      return unavailable(`The state file ${path} cannot be read (${reason})`, null);
    case SQLITE_CODES.cannotOpen:
      return unavailable(`The state file ${path} cannot be opened`, 'check that its folder exists and may be written');
    default:
      return (
        systemRefusal(path, error) ?? {
          finding: `The state file ${path} cannot be used: ${reason}`,
          advice: null,
          isContentAtFault: true,
        }
      );
  }
}

/** The refusal of the system itself, or null if it came from SQLite. */
function systemRefusal(path: string, error: unknown): Refusal | null {
  switch (error instanceof Error && 'code' in error ? error.code : null) {
    case 'ENOENT':
    case 'ENOTDIR':
      return unavailable(`The state file ${path} cannot be opened: its folder does not exist`, null);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return withoutRights(path);
    case 'ENOSPC':
      return full(path);
    case 'ELOOP':
      return badLink(path);
    default:
      return null;
  }
}

/** One sentence for the user about a file that cannot be written while the sandbox runs. */
export function troubleSentence(path: string, error: unknown): string {
  const isFull = codeOf(error) === SQLITE_CODES.full;
  const reason = isFull ? 'the disk is full' : error instanceof Error ? error.message : String(error);
  return (
    `The state file ${path} cannot be written (${reason}): new jobs are refused, what happens to the others is ` +
    'kept in memory and written when it can be again.'
  );
}
