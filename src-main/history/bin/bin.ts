import { existsSync, rmSync, statSync } from 'node:fs';
import { join, parse as parsePath } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { BinPage, BinPlace, BinUse } from '../../../src-preload/bin.ts';
import type { Job } from '../../../src-preload/job.ts';
import { binRefusalText } from '../../messages/history.ts';
import type { TimeSpan } from '../../time/clock-record.ts';
import { copyJob, hasKey } from '../backup/merge-rows.ts';
import { mergeFrom, mergeKeys, type MergedPage } from '../backup/merge.ts';
import type { MergeConnection } from '../backup/merge-rule.ts';
import { emptyLog } from '../file/free-space.ts';
import { createPrivate } from '../file/in-the-way.ts';
import { isInMemory } from '../file/index-file.ts';
import { isDamage, noteDamage, storageErrorMessage } from '../file/integrity.ts';
import { openHistoryFile } from '../file/open.ts';
import { atomically, number, numberOrNull, statement, text, unflushed } from '../file/row.ts';
import { facetOf } from '../jobs/facets.ts';
import { cellsOf } from '../jobs/job-row.ts';
import { findJob, readJobs } from '../jobs/jobs.ts';
import { removePlaced } from '../jobs/remove.ts';
import { reclaimSpace } from '../storage/usage.ts';

/** The bin of `history.db` is in `history-bin.db`. */
export function binPathOf(historyPath: string): string {
  if (isInMemory(historyPath)) return historyPath;
  const { dir, name, ext } = parsePath(historyPath);
  return join(dir, `${name}-bin${ext}`);
}

/** The bin could not be read or written, with a message for the user. The history is not concerned. */
export class BinRefused extends Error {}

/** How many jobs are deleted for good, or compared with the history, in one step. */
const jobsPerStep = 50;
const comparedPerStep = 500;
/** How long one call restores jobs, because saves are blocked meanwhile: as long as a step of a deletion takes. */
const restoredForMs = 25;

/** What every change of the bin leaves for idle time, which it has none of: nothing in it is searched or counted. */
const idleTables = ['search_dirty', 'search_removed', 'image_unknown', 'failures_unsorted'] as const;

/**
 * Deleted jobs, until they are restored or deleted for good (docs/decisions/114). The bin is a second history in a file
 * of its own: a job is copied there with everything saved of it, and comes back as from any other history, by a merge.
 *
 * Two files cannot be changed in one transaction. So a job is always on disk in one of them: it is in the bin before
 * the history loses it (`commit`), and in the history before the bin loses it (`historyCommitted`). A crash in between
 * leaves it in both, which `compare` finds.
 */
export class Bin {
  readonly #history: DatabaseSync;
  readonly #path: string;
  #db: DatabaseSync | null = null;
  #asidePath: string | null = null;
  /** Copied into the bin, and not yet gone from the history. `wasThere`: the bin had the job before. */
  #taken: { key: string; wasThere: boolean }[] = [];
  /** Merged into the history, and not yet gone from the bin. */
  #restored: string[] = [];
  /** Why what was taken is not in the bin: SQLite ends the whole transaction on a full disk. */
  #lost: unknown = null;
  /** Set while a group of calls is repeated without the bin. */
  #refusal: BinRefused | null = null;
  /** The job up to which the bin was compared with the history. Null when that is done. */
  #comparedTo: string | null = null;

  /** The bin of the open history at `historyPath`. Its file is opened, or created, when it is first needed. */
  constructor(history: DatabaseSync, historyPath: string) {
    this.#history = history;
    this.#path = binPathOf(historyPath);
  }

  /** Moves a job from the history into the bin, with everything saved of it. Returns whether it existed. */
  take(key: string, nowMs: number): boolean {
    const found = findJob(this.#history, key);
    if (found === null) return false;
    const wasThere = this.#write(nowMs, (bin) => {
      // Only a crash, a restored backup, or a job that was restored just before is in both.
      const isBinned = hasKey(bin, key);
      if (isBinned) mergeFrom(bin, this.#history, key, []);
      else copyJob(bin, this.#history, found, (job) => placeInBin(bin, job, found.id));
      statement(bin, 'INSERT OR REPLACE INTO binned (job, deleted_at_ms) SELECT id, ? FROM jobs WHERE key = ?').run(
        nowMs,
        key,
      );
      return isBinned;
    });
    removePlaced(this.#history, found);
    this.#taken.push({ key, wasThere });
    // It is to stay in the bin now.
    this.#restored = this.#restored.filter((restored) => restored !== key);
    return true;
  }

  /** Some jobs after a place, the last deleted first. */
  page(after: BinPlace | null, limit: number, nowMs: number): BinPage {
    return this.#read(nowMs, { ...nothing, asidePath: this.#asidePath, rows: [], next: null }, (bin) => {
      const found = statement(
        bin,
        `SELECT job, deleted_at_ms FROM binned WHERE (deleted_at_ms, job) < (?, ?)
        ORDER BY deleted_at_ms DESC, job DESC LIMIT ?`,
      )
        .all(after?.deletedAtMs ?? Number.MAX_SAFE_INTEGER, after?.id ?? Number.MAX_SAFE_INTEGER, limit)
        .map((row) => ({ id: number(row, 'job'), deletedAtMs: number(row, 'deleted_at_ms') }));
      const rows = found.flatMap(({ id, deletedAtMs }) => readJobs(bin, [id]).map((job) => ({ job, deletedAtMs })));
      return { ...this.#useOf(bin), rows, next: found.length < limit ? null : (found.at(-1) ?? null) };
    });
  }

  /** How much the bin holds. */
  use(nowMs: number): BinUse {
    return this.#read(nowMs, { ...nothing, asidePath: this.#asidePath }, (bin) => this.#useOf(bin));
  }

  /** Keys of up to `limit` jobs (-1: of all) after `afterKey`, in order. */
  keys(afterKey: string, limit: number, nowMs: number): string[] {
    return this.#read(nowMs, [], (bin) =>
      statement(bin, 'SELECT key FROM jobs WHERE key > ? ORDER BY key LIMIT ?')
        .all(afterKey, limit)
        .map((row) => text(row, 'key')),
    );
  }

  /**
   * Merges jobs into the history, in this order, until a page's time is over. Those that are in the bin no longer are
   * left out of the answer.
   */
  restore(keys: readonly string[], connections: readonly MergeConnection[], nowMs: number): MergedPage {
    const none: MergedPage = { added: [], enriched: [], known: 0, live: [], lastKey: keys.at(-1) ?? null };
    const bin = this.#read<DatabaseSync | null>(nowMs, null, (opened) => opened);
    if (bin === null) return none;
    const merged: string[] = [];
    const page = mergeKeys(this.#history, bin, presentOf(bin, keys, merged), { connections, forMs: restoredForMs });
    const live = new Set(page.live.map(({ theirKey }) => theirKey));
    this.#restored.push(...merged.filter((key) => !live.has(key)));
    return page.lastKey === null ? none : page;
  }

  /** Merges a job that is live in the history. Null if it had nothing new. */
  restoreLive(key: string, connections: readonly MergeConnection[], nowMs: number): Job | null {
    const bin = this.#read<DatabaseSync | null>(nowMs, null, (opened) => opened);
    if (bin === null || findJob(bin, key) === null) return null;
    const { kind, job } = mergeFrom(this.#history, bin, key, connections);
    this.#restored.push(key);
    return kind === 'known' ? null : job;
  }

  /**
   * Deletes jobs for good. Those that this transaction restores leave the bin when it is committed: until then they are
   * in no other file.
   */
  remove(keys: readonly string[], nowMs: number): void {
    const restored = new Set(this.#restored);
    const removed = keys.filter((key) => !restored.has(key));
    if (this.#exists()) this.#write(nowMs, (bin) => removed.forEach((key) => removeBinned(bin, key)));
  }

  /**
   * Deletes all jobs for good, by deleting the file: its space is free immediately. If this transaction restores some,
   * the others are deleted one by one, as by `remove`.
   */
  empty(nowMs: number): void {
    if (this.#restored.length > 0) return this.remove(this.keys('', -1, nowMs), nowMs);
    if (this.#db?.isTransaction === true) this.#db.exec('ROLLBACK');
    this.close();
    this.#taken = [];
    this.#restored = [];
    if (!isInMemory(this.#path))
      for (const suffix of ['-wal', '-shm', '']) rmSync(this.#path + suffix, { force: true });
  }

  /**
   * Deletes some of the jobs that were deleted before `tooOldMs`, for good, except those that were deleted while the
   * clock was wrong. Returns whether there may be more, and when the oldest of the others was deleted.
   */
  expire(tooOldMs: number, excluded: readonly TimeSpan[], nowMs: number): ExpiredStep {
    const none: ExpiredStep = { removed: 0, isMore: false, oldestMs: null };
    const spans = JSON.stringify(excluded.map(({ fromMs, toMs }) => [fromMs, toMs]));
    const old = this.#read(nowMs, [], (bin) =>
      statement(
        bin,
        `SELECT job FROM binned WHERE deleted_at_ms < ? AND NOT EXISTS (
          SELECT 1 FROM json_each(?) AS span WHERE deleted_at_ms BETWEEN span.value ->> 0 AND span.value ->> 1
        ) ORDER BY deleted_at_ms LIMIT ?`,
      )
        .all(tooOldMs, spans, jobsPerStep)
        .map((row) => number(row, 'job')),
    );
    if (old.length > 0) this.#write(nowMs, (bin) => readJobs(bin, old).forEach(({ key }) => removeBinned(bin, key)));
    return this.#read(nowMs, none, (bin) => {
      const row = statement(bin, 'SELECT min(deleted_at_ms) AS oldest FROM binned WHERE deleted_at_ms >= ?').get(
        tooOldMs,
      );
      const oldestMs = row === undefined ? null : numberOrNull(row, 'oldest');
      return { removed: old.length, isMore: old.length === jobsPerStep, oldestMs };
    });
  }

  /** Returns some of the file's free space to the disk. Returns whether there is more. */
  reclaimSpace(nowMs: number): boolean {
    return this.#read(nowMs, false, reclaimSpace);
  }

  /** Empties SQLite's log, as `emptyLog` of the history. A bin that is not open has none. */
  emptyLog(): boolean {
    return this.#db === null || emptyLog(this.#db);
  }

  /**
   * Puts what was taken on disk. Call it at the end of a transaction of the history: when that is committed, the jobs
   * are in the bin already. Throws `BinRefused`.
   */
  commit(): void {
    if (this.#lost !== null) throw this.#refused(this.#lost);
    if (this.#db?.isTransaction !== true) return;
    try {
      for (const table of idleTables) this.#db.exec(`DELETE FROM ${table}`);
      this.#db.exec('COMMIT');
    } catch (error) {
      throw this.#refused(error);
    }
  }

  /** The history's transaction is committed: what was restored leaves the bin. */
  historyCommitted(): void {
    this.#taken = [];
    const db = this.#db;
    if (db === null || this.#restored.length === 0) return;
    try {
      // A power failure may undo this, and `compare` finds it.
      unflushed(db, () =>
        atomically(db, () => {
          for (const key of this.#restored) removeBinned(db, key);
          for (const table of idleTables) db.exec(`DELETE FROM ${table}`);
        }),
      );
      this.#restored = [];
    } catch (error) {
      // They are in both now. It is tried again after the next change, or found by `compare`.
      this.#noteDamage(error);
    }
  }

  /** The history's transaction was undone: what was taken leaves the bin again, and what was there before stays. */
  historyRolledBack(): void {
    const added = this.#taken.filter(({ wasThere }) => !wasThere);
    this.#taken = [];
    this.#restored = [];
    this.#lost = null;
    const db = this.#db;
    if (db === null) return;
    try {
      if (db.isTransaction) db.exec('ROLLBACK');
      else atomically(db, () => added.forEach(({ key }) => removeBinned(db, key)));
    } catch (error) {
      this.#noteDamage(error);
    }
  }

  /** Runs `work` with a bin that takes nothing, for this reason. */
  refusing<T>(refusal: BinRefused, work: () => T): T {
    this.#refusal = refusal;
    try {
      return work();
    } finally {
      this.#refusal = null;
    }
  }

  /**
   * Continues to look for jobs that a crash left in the history and in the bin, and deletes those from the bin that are
   * the same. Returns whether there are more to compare.
   */
  compare(nowMs: number): boolean {
    const after = this.#comparedTo;
    if (after === null || this.#db === null) return false;
    const keys = this.keys(after, comparedPerStep, nowMs);
    const doubles = this.#read(nowMs, [], (bin) => keys.filter((key) => isSame(findJob(bin, key), this.#hereOf(key))));
    if (doubles.length > 0) {
      this.#write(nowMs, (bin) => doubles.forEach((key) => removeBinned(bin, key)));
      this.commit();
    }
    this.#comparedTo = keys.length < comparedPerStep ? null : (keys.at(-1) ?? null);
    return this.#comparedTo !== null;
  }

  /** Closes the file, which the next use opens again. */
  close(): void {
    this.#db?.close();
    this.#db = null;
  }

  #hereOf(key: string): ReturnType<typeof findJob> {
    return findJob(this.#history, key);
  }

  #useOf(bin: DatabaseSync): BinUse {
    const counted = statement(bin, 'SELECT count(*) AS jobs FROM binned').get();
    const jobs = counted === undefined ? 0 : number(counted, 'jobs');
    const bytes = isInMemory(this.#path) ? 0 : sizeOf(this.#path) + sizeOf(`${this.#path}-wal`);
    return { jobs, bytes: jobs === 0 ? 0 : bytes, asidePath: this.#asidePath };
  }

  #exists(): boolean {
    return this.#db !== null || (!isInMemory(this.#path) && existsSync(this.#path));
  }

  /** Without a bin, `none`: reading creates nothing. */
  #read<T>(nowMs: number, none: T, work: (bin: DatabaseSync) => T): T {
    if (!this.#exists()) return none;
    try {
      return work(this.#open(nowMs));
    } catch (error) {
      throw this.#refused(error);
    }
  }

  /** Runs `work` in the bin's transaction, which `commit` or `historyRolledBack` ends. */
  #write<T>(nowMs: number, work: (bin: DatabaseSync) => T): T {
    if (this.#refusal !== null) throw this.#refusal;
    try {
      const bin = this.#open(nowMs);
      if (!bin.isTransaction) bin.exec('BEGIN IMMEDIATE');
      return atomically(bin, () => work(bin));
    } catch (error) {
      if (this.#db?.isTransaction !== true && this.#taken.length > 0) this.#lost = error;
      throw this.#refused(error);
    }
  }

  #open(nowMs: number): DatabaseSync {
    if (this.#db !== null) return this.#db;
    if (!isInMemory(this.#path)) createPrivate(this.#path);
    const { db, setAside } = openHistoryFile(this.#path, nowMs);
    if (setAside !== null) this.#asidePath = setAside.path;
    db.exec(`
      CREATE TABLE IF NOT EXISTS binned (job INTEGER PRIMARY KEY, deleted_at_ms REAL NOT NULL) STRICT;
      CREATE INDEX IF NOT EXISTS binned_by_time ON binned (deleted_at_ms, job)`);
    this.#comparedTo = '';
    this.#db = db;
    return db;
  }

  #refused(error: unknown): BinRefused {
    if (error instanceof BinRefused) return error;
    this.#noteDamage(error);
    return new BinRefused(binRefusalText.refused(storageErrorMessage(error)), { cause: error });
  }

  #noteDamage(error: unknown): void {
    if (isDamage(error) && !isInMemory(this.#path)) noteDamage(this.#path);
  }
}

/** What a step of deleting old jobs has left. */
export interface ExpiredStep {
  removed: number;
  isMore: boolean;
  /** When the oldest job that is not too old was deleted. Null if there is none. */
  oldestMs: number | null;
}

const nothing = { jobs: 0, bytes: 0 };

/** Those of the keys that are in the bin. Each is noted when it is asked for. */
function* presentOf(bin: DatabaseSync, keys: readonly string[], asked: string[]): Generator<string> {
  for (const key of keys) {
    if (!hasKey(bin, key)) continue;
    asked.push(key);
    yield key;
  }
}

function removeBinned(bin: DatabaseSync, key: string): void {
  const found = findJob(bin, key);
  if (found === null) return;
  statement(bin, 'DELETE FROM binned WHERE job = ?').run(found.id);
  removePlaced(bin, found);
}

/**
 * The place of a new job of the bin: its id in the history, if that is free. Nothing in the bin is listed by ids, so
 * they need no order.
 */
function placeInBin(bin: DatabaseSync, job: Job, idInHistory: number): { id: number; facet: number } {
  const facet = facetOf(bin, job);
  statement(bin, 'UPDATE facets SET jobs = jobs + 1 WHERE id = ?').run(facet);
  if (statement(bin, 'SELECT 1 AS used FROM jobs WHERE id = ?').get(idInHistory) === undefined)
    return { id: idInHistory, facet };
  const last = statement(bin, 'SELECT max(id) AS id FROM jobs').get();
  return { id: last === undefined ? idInHistory : number(last, 'id') + 1, facet };
}

/** Whether a job of the bin is in the history as well, unchanged. */
function isSame(binned: ReturnType<typeof findJob>, here: ReturnType<typeof findJob>): boolean {
  return binned !== null && here !== null && JSON.stringify(cellsOf(binned.job)) === JSON.stringify(cellsOf(here.job));
}

/** In bytes. 0 if there is no such file. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
