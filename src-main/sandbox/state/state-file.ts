import { chmodSync, closeSync, existsSync, lstatSync, openSync, renameSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock, type Clock } from '../clock.ts';
import type { Documents } from '../documents.ts';
import type { JobStore, WebhookStore } from '../queue/store.ts';
import { JobRows } from './job-rows.ts';
import {
  createTransactions,
  number,
  text,
  type InTransaction,
  STATE_APPLICATION_ID,
  STATE_MIGRATIONS,
} from './state-schema.ts';
import {
  badLink,
  damaged,
  foreign,
  refusalOf,
  StateFileRefused,
  troubleSentence,
  unavailable,
} from './state-refusal.ts';
import { createStateWrites, type OnStateTrouble, type StateWrites } from './state-writes.ts';
import { createWebhookRows } from './webhook-rows.ts';

export interface StateFile {
  /**
   * The latest service time seen. Null in a new file. The service's time may run faster than real time and must not
   * fall back to it.
   */
  readonly clockMs: number | null;
  readonly documents: Documents;
  readonly webhooks: WebhookStore;
  jobStore(endpointId: string): JobStore;
  /** Why it could not be written the last time. Null if it could. */
  trouble(): string | null;
  close(): void;
}

function within<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof StateFileRefused ? error : refusalOf(path, error);
  }
}

function pragma(db: DatabaseSync, name: string): number {
  const row = db.prepare(`PRAGMA ${name}`).get();
  return row === undefined ? 0 : number(row, name);
}

/**
 * Throws if the file cannot be continued. Uses a read-only connection: closing a writable one would merge the
 * companions of a damaged file into it.
 */
function examine(path: string): void {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    if (pragma(db, 'application_id') !== STATE_APPLICATION_ID) {
      throw new StateFileRefused(foreign(`${path} is a database of another program`, 'name another file'));
    }
    const version = pragma(db, 'user_version');
    if (version > STATE_MIGRATIONS.length) {
      const versions = `version ${version}, this one knows ${STATE_MIGRATIONS.length}`;
      const finding = `The state file ${path} was written by a newer sandbox (${versions})`;
      throw new StateFileRefused(foreign(finding, 'use that one, or name another file'));
    }
    const finding = db.prepare('PRAGMA quick_check(1)').get();
    const found = finding === undefined ? 'ok' : text(finding, 'quick_check');
    if (found !== 'ok') throw new StateFileRefused(damaged(path, found));
  } finally {
    db.close();
  }
}

/** True if there is a file with content. A missing one is created, readable by this user only. */
function prepareFile(path: string): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new StateFileRefused(badLink(path));
  if (file === undefined) closeSync(openSync(path, 'wx', 0o600));
  else if (!file.isFile())
    throw new StateFileRefused(
      unavailable(`The state file ${path} is not a file`, 'move it away, or name another one'),
    );
  return file !== undefined && file.size > 0;
}

/**
 * The connection for as long as the sandbox runs. It locks the file, which also saves SQLite the index shared between
 * processes. WAL with synchronous=NORMAL: what was written survives any end of the process; only a power failure may
 * lose the last moments.
 */
function connect(path: string): { db: DatabaseSync; inTransaction: InTransaction } {
  const db = new DatabaseSync(path);
  try {
    db.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA ' +
        'journal_size_limit = 67108864',
    );
    const inTransaction = createTransactions(db);
    // Even if there is no step to take, because only a transaction takes the lock.
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

export interface StateFileOptions {
  /** Real time. */
  clock?: Clock;
  onTrouble?: OnStateTrouble;
  /** False: the s3Config of submissions is not written. Default: true, so that the worker of a later start has it. */
  keepsSecrets?: boolean;
}

/**
 * Opens the file that keeps the sandbox's jobs and documents over restarts. It is created if missing. Throws a {@link
 * StateFileRefused} if it cannot be used (damaged, of a newer sandbox, in use, no permission); such a file is left
 * unchanged. state-writes.ts handles a disk that fails later.
 *
 * Submissions are saved as received, to be passed to a worker, including their s3Config secrets, until the job can no
 * longer run, unless `keepsSecrets` is false. So the file is readable by its owner only (mode 0600). No API key is ever
 * in it.
 */
export function openStateFile(
  path: string,
  { clock = systemClock, onTrouble = () => undefined, keepsSecrets = true }: StateFileOptions = {},
): StateFile {
  return within(path, () => {
    if (prepareFile(path)) examine(path);
    chmodSync(path, 0o600);
    const { db, inTransaction } = connect(path);
    try {
      const writes = createStateWrites({
        inTransaction,
        clock,
        sentenceFor: (error) => troubleSentence(path, error),
        onTrouble,
      });
      return stateIn(path, db, writes, keepsSecrets);
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function stateIn(path: string, db: DatabaseSync, writes: StateWrites, keepsSecrets: boolean): StateFile {
  let lastNumber = firstNumber(db, 'SELECT max(number) AS value FROM jobs') ?? 0;
  const readDocument = db.prepare('SELECT json FROM documents WHERE name = ?');
  const insertDocument = db.prepare(
    'INSERT INTO documents (name, json) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET json = excluded.json',
  );
  /** Those written since the start, which the file may not have yet. */
  const writtenDocuments = new Map<string, string>();

  return {
    clockMs: firstNumber(db, 'SELECT max(clock_ms) AS value FROM endpoints'),
    documents: {
      read: (name) =>
        writtenDocuments.get(name) ??
        within(path, () => {
          const row = readDocument.get(name);
          return row === undefined ? null : text(row, 'json');
        }),
      write: (name, json) => {
        writtenDocuments.set(name, json);
        const write = (): void => void insertDocument.run(name, json);
        writes.keep([{ name: `document ${name}`, write, rewrite: write }]);
      },
    },
    webhooks: createWebhookRows({ db, writes }),
    jobStore: (endpointId) => {
      within(path, () =>
        db.prepare('INSERT INTO endpoints (id, clock_ms) VALUES (?, 0) ON CONFLICT (id) DO NOTHING').run(endpointId),
      );
      const nextNumber = (): number => (lastNumber += 1);
      return new JobRows({ db, endpointId, nextNumber, writes, keepsSecrets, reading: (read) => within(path, read) });
    },
    trouble: writes.trouble,
    close: () => {
      if (!db.isOpen) return;
      writes.close();
      db.close();
    },
  };
}

/**
 * Moves a state file that cannot be used to a dated name beside it, with SQLite's companions, and returns the new path.
 * Nothing is deleted. Throws what the system throws if it may not be moved.
 */
export function setStateFileAside(path: string, nowMs: number): string {
  const { dir, name, ext } = parse(path);
  const date = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  const named = (count: number): string =>
    join(dir, `${name}.set-aside-${date}${count === 1 ? '' : `-${count}`}${ext}`);
  let count = 1;
  while (existsSync(named(count))) count += 1;
  const aside = named(count);
  renameSync(path, aside);
  for (const suffix of ['-wal', '-shm']) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  return aside;
}
