import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import type { HistoryPreparation } from '../../../src-preload/app.ts';
import type { SetAside } from '../records.ts';
import { asideName } from './aside-name.ts';
import { salvageDocuments } from './documents.ts';
import { alwaysCheckedBytes, findDamage, forgetDamage, isCheckDue, storageErrorCode } from './integrity.ts';
import { applicationId, migrate, readVersion, schemaVersion } from './migrations.ts';
import { number, statement } from './row.ts';
import { attachIndex, type AttachedIndex } from './index-file.ts';
import { checkpointLog, maxLogBytes } from './log.ts';
import { returnsSpace } from './free-space.ts';
import { historyRefusalText, unusableText } from '../../messages/history.ts';

/** Another process (a second Jobdeck, a backup) may lock the file for a moment. */
const busyTimeoutMs = 5_000;
/** A migration waits longer. A window shows meanwhile that the start takes time. */
const busyUpgradeMs = 30_000;

const pageBytes = 8_192;

export interface Unusable {
  reason: SetAside['reason'];
  detail: string;
}

export interface OpenedDatabase {
  db: DatabaseSync;
  setAside: SetAside | null;
}

/** A history with its search index. */
export type IndexedDatabase = OpenedDatabase & AttachedIndex;

export interface OpenOptions {
  /** Files up to this size are checked first. */
  checkedBytes?: number;
  /** Called before a larger file is checked, or any is migrated, because both can take seconds. */
  onPreparing?: (preparing: HistoryPreparation) => void;
  /** Whether this connection writes the search index. In the app another thread does (search/serve-index.ts). */
  isIndexWritten?: boolean;
}

/**
 * Opens the history at `path`, created if it does not exist, with the newest schema and its search index attached. A
 * file that cannot be used is set aside under a dated name beside it, with its -wal and -shm, never deleted, and a new
 * one is created. Throws if even a new one cannot be opened (no permission, no space), leaving everything as it is.
 */
export function openDatabase(path: string, nowMs: number, options: OpenOptions = {}): IndexedDatabase {
  const opened = openHistoryFile(path, nowMs, options);
  return { ...opened, ...attachIndex(opened.db, path, { isWritten: options.isIndexWritten ?? true, nowMs }) };
}

/** As `openDatabase`, without a search index. */
export function openHistoryFile(
  path: string,
  nowMs: number,
  { checkedBytes = alwaysCheckedBytes, onPreparing = () => {} }: OpenOptions = {},
): OpenedDatabase {
  mkdirSync(dirname(path), { recursive: true });
  const isChecked = isCheckDue(path, checkedBytes);
  const first = examine(path, { isChecked, checkedBytes, onPreparing }) ?? tryOpen(path);
  if (first instanceof DatabaseSync) {
    if (isChecked) forgetDamage(path);
    return { db: first, setAside: null };
  }
  const aside = moveAside(path, nowMs);
  forgetDamage(path);
  const second = tryOpen(path);
  if (second instanceof DatabaseSync) {
    return {
      db: second,
      setAside: {
        path: aside,
        reason: first.reason,
        detail: first.detail,
        keptDocuments: first === withoutFile ? 0 : salvageDocuments(aside, second),
      },
    };
  }
  throw new Error(historyRefusalText.notCreated(path, second.detail));
}

/**
 * Opens a copy of a history with the newest schema after checking it. Returns why it cannot be used, and leaves it in
 * place. `check` throws on a cancel.
 */
export function openSound(path: string, check: () => void): DatabaseSync | Pick<Unusable, 'reason'> {
  if (!beginsAsDatabase(path)) return notADatabase;
  const db = connect(path, {});
  const unusable = guarded(db, (): Unusable | null => {
    const foreign = foreignTo(db);
    if (foreign !== null) return foreign;
    if (readVersion(db) === 0) return notADatabase;
    const damage = findDamage(db, check);
    return damage === null ? null : { reason: 'damaged', detail: damage };
  });
  if (db.isOpen) db.close();
  return unusable ?? tryOpen(path);
}

/**
 * Why the file at `path` cannot be used, or null. Only reads: closing a writable connection would merge the -wal of a
 * damaged file into it, and both must be set aside unchanged.
 */
function examine(
  path: string,
  { isChecked, checkedBytes, onPreparing }: Required<Omit<OpenOptions, 'isIndexWritten'>> & { isChecked: boolean },
): Unusable | null {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file !== undefined && !file.isFile()) return null;
  // SQLite would delete its log, which may have all that was saved.
  if (file === undefined || file.size === 0) return sizeOf(`${path}-wal`) > 0 ? withoutFile : null;
  if (!beginsAsDatabase(path)) return notADatabase;
  const db = connect(path, { readOnly: true });
  const unusable = guarded(db, (): Unusable | null => {
    const foreign = foreignTo(db);
    if (foreign !== null) return foreign;
    const isUpgraded = readVersion(db) > 0 && readVersion(db) < schemaVersion;
    if (isUpgraded) onPreparing(preparingOf(db, 'upgrade'));
    else if (isChecked && file.size > checkedBytes) onPreparing(preparingOf(db, 'check'));
    if (!isChecked) return null;
    const damage = findDamage(db);
    return damage === null ? null : { reason: 'damaged', detail: damage };
  });
  if (db.isOpen) db.close();
  return unusable;
}

function tryOpen(path: string): DatabaseSync | Unusable {
  const db = connect(path, {});
  return guarded(db, () => {
    db.exec(`
      -- Only for a new file. A page of 8 KB holds three outputs of two kilobytes, and one of 4 KB only one. Free space
      -- can be returned to the disk.
      PRAGMA page_size = ${pageBytes}; PRAGMA auto_vacuum = INCREMENTAL;
      -- With WAL, synchronous=FULL costs one flush for each commit.
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864`);
    overwriteDeleted(db);
    checkpointLog(db, maxLogBytes);
    db.exec(`PRAGMA busy_timeout = ${busyUpgradeMs}`);
    migrate(db);
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return db;
  });
}

/**
 * What is deleted is overwritten in its page. A page that is deleted as a whole is overwritten only if the file keeps
 * its free pages: others return them to the disk soon (storage/usage.ts), and overwriting them first costs as much as
 * writing them did.
 */
function overwriteDeleted(db: DatabaseSync): void {
  db.exec(`PRAGMA main.secure_delete = ${returnsSpace(db) ? 'FAST' : 'ON'}`);
}

function connect(path: string, options: DatabaseSyncOptions): DatabaseSync {
  return new DatabaseSync(path, { ...options, enableForeignKeyConstraints: true, timeout: busyTimeoutMs });
}

/** Runs `work`. If that fails the database is closed; damage is returned, any other error is thrown. */
function guarded<T>(db: DatabaseSync, work: () => T): T | Unusable {
  try {
    return work();
  } catch (error) {
    db.close();
    const damage = damageOf(error);
    if (damage === null) throw error;
    return damage;
  }
}

const withoutFile: Unusable = { reason: 'damaged', detail: unusableText.onlyLog };
const notADatabase: Unusable = { reason: 'not-a-database', detail: unusableText.noDatabase };

function beginsAsDatabase(path: string): boolean {
  const magic = Buffer.from('SQLite format 3\0');
  const start = Buffer.alloc(magic.length);
  const file = openSync(path, 'r');
  readSync(file, start);
  closeSync(file);
  return start.equals(magic);
}

/** Why a sound file is not ours, or null. An empty one becomes ours. */
function foreignTo(db: DatabaseSync): Unusable | null {
  const version = readVersion(db);
  const application = statement(db, 'PRAGMA application_id').get();
  const owner = application === undefined ? 0 : number(application, 'application_id');
  const tables = statement(db, 'SELECT count(*) AS tables FROM sqlite_schema').get();
  const isEmpty = tables !== undefined && number(tables, 'tables') === 0;
  if (owner !== applicationId && !isEmpty) return { reason: 'not-a-database', detail: unusableText.ofOtherProgram };
  if (version <= schemaVersion) return null;
  return { reason: 'newer', detail: unusableText.newer(version, schemaVersion) };
}

/** SQLITE_CORRUPT and SQLITE_NOTADB concern the file. Other errors (permission, space, busy) are not its fault. */
function damageOf(error: unknown): Unusable | null {
  const code = storageErrorCode(error);
  if (code === 26) return notADatabase;
  return code === 11 ? { reason: 'damaged', detail: error instanceof Error ? error.message : '' } : null;
}

/** Returns where the file is now, or its log if that is all there is. Throws if it cannot be moved: then all stays. */
function moveAside(path: string, nowMs: number): string {
  const aside = asideName(path, 'damaged', nowMs);
  const moved: string[] = [];
  try {
    for (const suffix of ['', '-wal', '-shm'].filter((each) => existsSync(path + each))) {
      renameSync(path + suffix, aside + suffix);
      moved.push(suffix);
    }
  } catch (error) {
    for (const suffix of moved) renameSync(aside + suffix, path + suffix);
    throw error;
  }
  return moved.includes('') ? aside : `${aside}-wal`;
}

/** In bytes. 0 if there is no such file. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * What windows show while the open database, of any version, is prepared. Jobs that cannot be counted are left out: the
 * file may be damaged, which is found later.
 */
function preparingOf(db: DatabaseSync, kind: HistoryPreparation['kind']): HistoryPreparation {
  return { kind, jobs: orElse(() => sumOfJobs(db), null) };
}

/** How many jobs are saved, from the counts of facets. */
function sumOfJobs(db: DatabaseSync): number {
  const row = statement(db, 'SELECT total(jobs) AS jobs FROM facets').get();
  return row === undefined ? 0 : number(row, 'jobs');
}

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
