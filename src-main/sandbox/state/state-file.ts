import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { JobStore } from '../queue/job-store.ts';
import { createJobRows } from './job-rows.ts';
import { number, text } from './row.ts';
import { STATE_APPLICATION_ID, STATE_MIGRATIONS } from './state-schema.ts';
import { createTransactions, type InTransaction } from './transaction.ts';

/** JSON texts kept by name, for what is not a job (management). */
export interface Documents {
  read(name: string): string | null;
  write(name: string, text: string): void;
}

export interface StateFile {
  /** Latest service time seen; null in a new file. A time that runs faster than the world's must not go back to it. */
  readonly clockMs: number | null;
  readonly documents: Documents;
  jobStore(endpointId: string): JobStore;
  close(): void;
}

const SQLITE_CODES = { busy: 5, locked: 6, readOnly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const;

function codeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

/** `reason`: as SQLite words it, which may take several lines. */
function damagedSentence(path: string, reason: string): string {
  const finding = reason.split('\n').findLast((line) => line.trim() !== '') ?? reason;
  return `The state file ${path} is damaged (${finding}): move it away to start anew; nothing in it was changed.`;
}

/** One sentence for the user, naming the file; the file itself is left as it is. */
function sentenceFor(path: string, error: unknown): string {
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
      return `The state file ${path} could not be written because the disk is full: free some space, then start the sandbox again.`;
    case SQLITE_CODES.readOnly:
      return `The state file ${path} cannot be written: check the rights on it and on its folder.`;
    case SQLITE_CODES.cannotOpen:
      return `The state file ${path} cannot be opened: check that its folder exists and may be written.`;
    default:
      return `The state file ${path} cannot be used: ${reason}.`;
  }
}

/** What a file that is sound for SQLite lacks to be ours. Its text ends up in {@link sentenceFor}'s place. */
class UnusableFile extends Error {}

function within<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnusableFile) throw error;
    throw new Error(sentenceFor(path, error), { cause: error });
  }
}

function pragma(db: DatabaseSync, name: string): number {
  const row = db.prepare(`PRAGMA ${name}`).get();
  return row === undefined ? 0 : number(row, name);
}

/**
 * Throws when the file is not one to go on with. On a connection that only reads: one that may write would, when
 * closed, fold what lies beside a damaged file into it.
 */
function examine(path: string): void {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    if (pragma(db, 'application_id') !== STATE_APPLICATION_ID) {
      throw new UnusableFile(`${path} is a database of another program: name another file; nothing in it was changed.`);
    }
    const version = pragma(db, 'user_version');
    if (version > STATE_MIGRATIONS.length) {
      throw new UnusableFile(
        `The state file ${path} was written by a newer sandbox (version ${version}, this one knows ${STATE_MIGRATIONS.length}): use that one, or name another file; nothing in it was changed.`,
      );
    }
    const finding = db.prepare('PRAGMA quick_check(1)').get();
    const found = finding === undefined ? 'ok' : text(finding, 'quick_check');
    if (found !== 'ok') throw new UnusableFile(damagedSentence(path, found));
  } finally {
    db.close();
  }
}

/** True when there is a file with something in it. An absent one is made, for nobody else to read. */
function prepareFile(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) closeSync(openSync(path, 'wx', 0o600));
  else if (!file.isFile()) throw new UnusableFile(`The state file ${path} is not a file: name another one.`);
  return file !== undefined && file.size > 0;
}

/**
 * The connection for as long as the sandbox runs. It locks the file for itself, which also spares SQLite the index
 * shared between processes. WAL with synchronous=NORMAL: what was written outlives the process, however it ends;
 * only a power cut may lose the last moments.
 */
function connect(path: string): { db: DatabaseSync; inTransaction: InTransaction } {
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864');
    const inTransaction = createTransactions(db);
    // Also where there is no step to take: only a transaction takes the lock.
    inTransaction(() => {
      const version = pragma(db, 'user_version');
      if (version === STATE_MIGRATIONS.length) return;
      for (const step of STATE_MIGRATIONS.slice(version)) db.exec(step);
      db.exec(`PRAGMA application_id = ${STATE_APPLICATION_ID}; PRAGMA user_version = ${STATE_MIGRATIONS.length}`);
    });
    return { db, inTransaction };
  } catch (error) {
    db.close();
    throw error;
  }
}

function firstNumber(db: DatabaseSync, sql: string): number | null {
  const value = db.prepare(sql).get()?.['value'];
  return typeof value === 'number' ? value : null;
}

/**
 * Opens the file that keeps the sandbox's jobs and documents over restarts, made when absent. Throws an Error with one
 * sentence naming the file when it cannot be used (damaged, of a newer sandbox, in use, no right); such a file is left
 * as it was found. The calls of what it gives throw such an Error too, when the disk fails them.
 *
 * Submissions are kept as received, to be handed to a worker, and so are the s3Config secrets in them, until the job
 * cannot run any more. The file is therefore readable for its owner only (mode 0600). No API key is ever in it.
 */
export function openStateFile(path: string): StateFile {
  const { db, inTransaction } = within(path, () => {
    if (prepareFile(path)) examine(path);
    chmodSync(path, 0o600);
    return connect(path);
  });
  let lastNumber = firstNumber(db, 'SELECT max(number) AS value FROM jobs') ?? 0;
  const readDocument = db.prepare('SELECT json FROM documents WHERE name = ?');
  const writeDocument = db.prepare('INSERT INTO documents (name, json) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET json = excluded.json');

  return {
    clockMs: firstNumber(db, 'SELECT max(clock_ms) AS value FROM endpoints'),
    documents: {
      read: (name) =>
        within(path, () => {
          const row = readDocument.get(name);
          return row === undefined ? null : text(row, 'json');
        }),
      write: (name, json) => void within(path, () => writeDocument.run(name, json)),
    },
    jobStore: (endpointId) => {
      within(path, () => db.prepare('INSERT INTO endpoints (id, clock_ms) VALUES (?, 0) ON CONFLICT (id) DO NOTHING').run(endpointId));
      const nextNumber = (): number => (lastNumber += 1);
      return createJobRows({ db, endpointId, nextNumber, inTransaction: (work) => within(path, () => inTransaction(work)) });
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}
