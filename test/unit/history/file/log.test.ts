import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PageCache } from '../../../../src-main/history/file/cache.ts';
import { openIndexToWrite } from '../../../../src-main/history/file/index-file.ts';
import { HistoryLog } from '../../../../src-main/history/file/log.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import type { JobCommit } from '../../../../src-main/history/records.ts';
import { SearchIndexer } from '../../../../src-main/history/search/indexer.ts';
import { aNewJob, aDatabase, aFolder } from '../a-database.ts';

function aHistory(): { path: string; db: DatabaseSync } {
  const path = join(aFolder(), 'history.db');
  const { db } = openDatabase(path, 0, { isIndexWritten: false });
  onTestFinished(() => db.close());
  return { path, db };
}

function aLog(path: string): HistoryLog {
  const log = new HistoryLog(path);
  onTestFinished(() => log.close());
  return log;
}

/** Pages that stand in the log, and how many of them are not folded in yet. */
function logOf(db: DatabaseSync): { all: number; unfolded: number } {
  const row = db.prepare('PRAGMA main.wal_checkpoint(NOOP)').get();
  const all = Number(row?.['log']);
  return { all, unfolded: all - Number(row?.['checkpointed']) };
}

/** Megabytes that can hardly be compressed. */
const noise = randomBytes(3_600_000).toString('base64');
const large = (key: string): JobCommit => ({
  ...aNewJob({ key }),
  bodies: [{ part: 'output', attempt: 1, text: noise }],
});

describe('the log of the history', () => {
  it('is left alone while it is short, and folded in when it is long, even during writes', () => {
    const { path, db } = aHistory();
    const log = aLog(path);
    commit(db, [aNewJob({ key: 'k0' })]);
    log.fold({ isQuiet: true });
    expect(logOf(db).unfolded).toBeGreaterThan(0);
    for (let at = 1; at <= 10; at += 1) commit(db, [large(`k${at}`)]);
    // No commit of this size folded it.
    expect(logOf(db).unfolded).toBe(logOf(db).all);
    db.exec('BEGIN IMMEDIATE');
    log.fold({ isQuiet: false });
    db.exec('COMMIT');
    expect(logOf(db).unfolded).toBe(0);
    // It starts over.
    commit(db, [aNewJob({ key: 'k99' })]);
    expect(logOf(db).all).toBeLessThan(100);
  });

  it('restarts at a quiet time, even if a commit came while it was folded in', () => {
    const { path, db } = aHistory();
    const log = aLog(path);
    for (let at = 1; at <= 10; at += 1) commit(db, [large(`k${at}`)]);
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    // It still reads what was there before the next commit, so that one cannot be folded in.
    other.exec('BEGIN; SELECT count(*) FROM jobs');
    commit(db, [aNewJob({ key: 'k98' })]);
    log.fold({ isQuiet: false });
    other.exec('COMMIT');
    expect(logOf(db).unfolded).toBeGreaterThan(0);
    log.fold({ isQuiet: false });
    expect(logOf(db).unfolded).toBeGreaterThan(0);
    log.fold({ isQuiet: true });
    expect(logOf(db).unfolded).toBe(0);
    commit(db, [aNewJob({ key: 'k99' })]);
    expect(logOf(db).all).toBeLessThan(100);
  });

  it('restarts even while the index is written', () => {
    const { path, db } = aHistory();
    commit(
      db,
      Array.from({ length: 300 }, (_, at) => aNewJob({ key: `k${at}` })),
    );
    const index = openIndexToWrite(path);
    onTestFinished(() => index.close());
    const indexer = new SearchIndexer(index, { onIndexed: () => {} });
    const other = new DatabaseSync(path, { timeout: 0 });
    onTestFinished(() => other.close());
    let wasHeld = 0;
    let looked = 0;
    index.function('look', () => {
      looked += 1;
      wasHeld += Number(other.prepare('PRAGMA wal_checkpoint(RESTART)').get()?.['busy']);
      return null;
    });
    index.exec('CREATE TEMP TRIGGER looking AFTER INSERT ON search_done BEGIN SELECT look(); END');
    indexer.idleStep(0);
    expect([looked, wasHeld]).toEqual([300, 0]);
  });
});

it('large batches have more memory until they are over', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const db = aDatabase();
  const cache = new PageCache(db);
  const roomKiB = (): number => -Number(db.prepare('PRAGMA cache_size').get()?.['cache_size']);
  expect(roomKiB()).toBe(32_768);
  cache.forBatch(10);
  expect(roomKiB()).toBe(32_768);
  cache.forBatch(5_000);
  const large = roomKiB();
  expect(large).toBeGreaterThan(32_768);
  expect(large).toBeLessThanOrEqual(262_144);
  vi.advanceTimersByTime(8_000);
  cache.forBatch(5_000);
  vi.advanceTimersByTime(8_000);
  expect(roomKiB()).toBe(large);
  vi.advanceTimersByTime(8_000);
  expect(roomKiB()).toBe(32_768);
  cache.close();
});
