import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openIndexToWrite, maxUnmerged } from '../../../../src-main/history/file/index-file.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { removeJob } from '../../../../src-main/history/jobs/remove.ts';
import { listJobs } from '../../../../src-main/history/list/list.ts';
import { SearchIndexer } from '../../../../src-main/history/search/indexer.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { aNewJob, aDatabase, aFolder } from '../a-database.ts';

const countIn = (db: DatabaseSync, query: string): unknown => db.prepare(query).get()?.['count'];
/** Each segment has a number, which its rows begin with. The first rows are of the whole index. */
const segmentsOf = (db: DatabaseSync): unknown =>
  countIn(db, 'SELECT count(DISTINCT id >> 37) AS count FROM words.search_data WHERE id >> 37 > 0');
const foundIn = (db: DatabaseSync, text: string): number =>
  listJobs(db, { ...emptyFilter, text }, { limit: 1, startOfTodayMs: 0 }).total;

/** Saves and indexes jobs one after the other. */
function indexOneByOne(db: DatabaseSync, indexer: SearchIndexer, count: number): void {
  for (let at = 0; at < count; at += 1) {
    commit(db, [aNewJob({ key: `k${at}`, title: `harbour number${at}` })]);
    indexer.beforeSearch(0);
  }
}

it('indexed text is found immediately, and its segments are merged only in idle steps', () => {
  const db = aDatabase();
  const indexer = new SearchIndexer(db);
  indexOneByOne(db, indexer, 40);
  expect(segmentsOf(db)).toBe(40);
  expect([foundIn(db, 'harbour'), foundIn(db, 'number39')]).toEqual([40, 1]);
  removeJob(db, 'k39');
  while (indexer.idleStep(0));
  expect(Number(segmentsOf(db))).toBeLessThan(16);
  expect([foundIn(db, 'harbour'), foundIn(db, 'number38'), foundIn(db, 'number39')]).toEqual([39, 1, 0]);
});

it('after many writes they are merged even while jobs wait, which are indexed in turn', () => {
  const db = aDatabase();
  const indexer = new SearchIndexer(db);
  indexOneByOne(db, indexer, maxUnmerged);
  commit(db, [aNewJob({ key: 'next', title: 'harbour' })]);
  indexer.idleStep(0);
  expect(foundIn(db, 'harbour')).toBe(maxUnmerged + 1);
  const segments = Number(segmentsOf(db));
  expect(segments).toBe(maxUnmerged + 1);
  commit(db, [aNewJob({ key: 'last', title: 'harbour' })]);
  indexer.idleStep(0);
  expect(Number(segmentsOf(db))).toBeLessThan(segments);
  expect(foundIn(db, 'harbour')).toBe(maxUnmerged + 1);
  indexer.idleStep(0);
  expect(foundIn(db, 'harbour')).toBe(maxUnmerged + 2);
});

it('an index that a former version configured is merged in idle steps as well', () => {
  const path = join(aFolder(), 'history.db');
  const { db } = openDatabase(path, 0);
  onTestFinished(() => db.close());
  const setting = (): unknown =>
    db.prepare("SELECT v AS count FROM words.search_config WHERE k = 'automerge'").get()?.['count'];
  const former = openIndexToWrite(path);
  former.exec("INSERT INTO words.search (search, rank) VALUES ('automerge', 16)");
  former.close();
  expect(setting()).toBe(16);
  openIndexToWrite(path).close();
  expect(setting()).toBe(0);
});
