import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { dayMs, minuteMs } from '../../../../src-preload/durations.ts';
import { openIndexToWrite } from '../../../../src-main/history/file/index-file.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { settleIndexed } from '../../../../src-main/history/file/unindexed-jobs.ts';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { removeJob } from '../../../../src-main/history/jobs/remove.ts';
import { Erasure } from '../../../../src-main/history/search/erasure.ts';
import { SearchIndexer } from '../../../../src-main/history/search/indexer.ts';
import { aFolder, aNewJob } from '../a-database.ts';

const secret = 'zq7xw93bztpasted';
/** The index leaves out what a word begins with if the word before it begins so too. */
const inIndex = 'w93bztpasted';

interface Scene {
  history: DatabaseSync;
  index: DatabaseSync;
  erasure: Erasure;
  /** Indexes what was committed. */
  catchUp: () => void;
  /** Whether a file of the index has the secret. */
  isHeld: () => boolean;
}

function aScene(path = join(aFolder(), 'history.db')): Scene {
  const { db: history } = openDatabase(path, 0, { isIndexWritten: false });
  const index = openIndexToWrite(path);
  onTestFinished(() => {
    index.close();
    history.close();
  });
  const erasure = new Erasure(index);
  const indexer = new SearchIndexer(index, {
    onRemoved: () => erasure.note(),
    onIndexed: (runs) => settleIndexed(history, runs),
  });
  return {
    history,
    index,
    erasure,
    catchUp() {
      while (indexer.idleStep(0));
    },
    isHeld: () =>
      readdirSync(dirname(path))
        .filter((name) => name.startsWith('history-search'))
        .some((name) => readFileSync(join(dirname(path), name)).includes(inIndex)),
  };
}

function submitted({ history, catchUp }: Scene, key: string, title: string): void {
  commit(history, [aNewJob({ key, title })]);
  catchUp();
}

function deleted({ history, catchUp }: Scene, key: string): void {
  removeJob(history, key);
  catchUp();
}

/** As the thread of the index does. Returns what the last step answered. */
function rewritten({ erasure }: Scene, nowMs: number): number | null {
  let afterMs: number | null = 0;
  while (afterMs === 0) afterMs = erasure.step(nowMs);
  return afterMs;
}

test('the words of a deleted job leave the files of the index, and those of the others stay', () => {
  const scene = aScene();
  for (let at = 0; at < 30; at += 1) submitted(scene, `k${at}`, at === 7 ? `a ${secret}` : `harbour ${at}`);
  expect(scene.erasure.dueAtMs(5_000)).toBeNull();
  deleted(scene, 'k7');
  expect(scene.isHeld()).toBe(true);
  expect(scene.erasure.dueAtMs(5_000)).toBe(5_000);
  expect(rewritten(scene, 5_000)).toBeNull();
  expect(scene.isHeld()).toBe(false);
  expect(scene.erasure.dueAtMs(5_000)).toBeNull();
  const found = scene.index.prepare("SELECT count(*) AS jobs FROM words.search WHERE search MATCH 'harbour'").get();
  expect(found).toEqual({ jobs: 29 });
});

test('after one rewrite the next one waits, the longer the larger the index is; not for a clock that was ahead', () => {
  const scene = aScene();
  for (const key of ['k1', 'k2', 'k3']) submitted(scene, key, `a ${secret}`);
  deleted(scene, 'k1');
  rewritten(scene, 10 * dayMs);
  deleted(scene, 'k2');
  const dueAtMs = scene.erasure.dueAtMs(10 * dayMs) ?? 0;
  expect(dueAtMs).toBeGreaterThan(10 * dayMs);
  expect(dueAtMs).toBeLessThan(10 * dayMs + minuteMs);
  expect(scene.erasure.dueAtMs(9 * dayMs)).toBe(9 * dayMs);
});

test('a deletion during a rewrite is followed by another one, and one that a crash ended is begun again', () => {
  const path = join(aFolder(), 'history.db');
  const scene = aScene(path);
  // Of a few jobs, the words of one are merged away immediately.
  for (let at = 0; at < 40; at += 1) submitted(scene, `h${at}`, `harbour ${at}`);
  for (const key of ['k1', 'k2', 'k3']) submitted(scene, key, `a ${secret}`);
  deleted(scene, 'k1');
  expect(scene.erasure.step(1_000)).toBe(0);
  deleted(scene, 'k2');
  rewritten(scene, 1_000);
  expect(scene.erasure.dueAtMs(1_000 + dayMs)).not.toBeNull();
  expect(scene.erasure.step(1_000 + dayMs)).toBe(0);
  const next = aScene(path);
  expect(next.erasure.dueAtMs(2 * dayMs)).not.toBeNull();
  deleted(next, 'k3');
  rewritten(next, 2 * dayMs);
  expect(next.isHeld()).toBe(false);
});

test('an index that is being read keeps its log for a minute', () => {
  const scene = aScene();
  submitted(scene, 'k1', `a ${secret}`);
  scene.history.exec('BEGIN; SELECT count(*) FROM words.search_data');
  scene.index.exec('DELETE FROM words.search');
  scene.erasure.note();
  expect(rewritten(scene, 1_000)).toBe(minuteMs);
  expect(scene.isHeld()).toBe(true);
  scene.history.exec('COMMIT');
  expect(rewritten(scene, 2_000)).toBeNull();
  expect(scene.isHeld()).toBe(false);
});
