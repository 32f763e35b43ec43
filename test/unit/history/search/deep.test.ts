import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { commitChunks } from '../../../../src-main/history/jobs/streams.ts';
import type { JobCommit, UnsearchableJobs } from '../../../../src-main/history/records.ts';
import { listJobs } from '../../../../src-main/history/list/list.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { SearchIndexer } from '../../../../src-main/history/search/indexer.ts';
import { tryUnsearchableAgain } from '../../../../src-main/history/search/unsearchable-jobs.ts';
import { proseOfBody } from '../../../../src-main/history/search/body-text.ts';
import { createStreamText } from '../../../../src-main/history/search/stream-text.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { aNewJob, aDatabase, aFolder } from '../a-database.ts';

const nested = (levels: number, inside: string): string => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`;
const nestedObjects = (levels: number, inside: string): string =>
  `${'{"inner":'.repeat(levels)}${inside}${'}'.repeat(levels)}`;

function withOutput(key: string, output: string): JobCommit {
  return { ...aNewJob({ key, title: `job ${key}` }), bodies: [{ part: 'output', attempt: 1, text: output }] };
}

function find(db: DatabaseSync, text: string): string[] {
  return listJobs(db, { ...emptyFilter, text }, { limit: 100, startOfTodayMs: 0 }).jobs.map(({ key }) => key);
}

/** Every idle step there is. */
function indexAll(indexer: SearchIndexer): void {
  while (indexer.idleStep(0));
}

describe('an output that nests deep', () => {
  it.each([[30_000], [100_000]])('is found by its words at %i levels, and so are all other jobs', (levels) => {
    const db = aDatabase();
    commit(db, [
      withOutput('k1', '"lantern"'),
      withOutput('k2', nested(levels, '"needle"')),
      withOutput('k3', nestedObjects(levels, '"needle"')),
      withOutput('k4', '"harbour"'),
    ]);
    commitChunks(
      db,
      { key: 'k1', attempt: 1 },
      [
        { outputJson: nested(levels, '"streamed deep"'), metricsJson: null },
        { outputJson: nestedObjects(levels, '"and deeper"'), metricsJson: null },
      ],
      0,
    );
    const indexer = new SearchIndexer(db);
    indexer.beforeSearch(0);
    expect([find(db, 'lantern'), find(db, 'needle'), find(db, 'harbour')]).toEqual([['k1'], ['k3', 'k2'], ['k4']]);
    expect([find(db, '"streamed deep"'), find(db, '"and deeper"')]).toEqual([['k1'], ['k1']]);
  });

  it('is found in a history whose index it had blocked', () => {
    const path = join(aFolder(), 'history.db');
    // What a run left that could not index the first of them: both still marked as not indexed.
    const former = openDatabase(path, 0).db;
    commit(former, [withOutput('k1', nested(30_000, '"needle"')), withOutput('k2', '"harbour"')]);
    former.close();
    const { db } = openDatabase(path, 0);
    onTestFinished(() => db.close());
    indexAll(new SearchIndexer(db));
    expect([find(db, 'needle'), find(db, 'harbour')]).toEqual([['k1'], ['k2']]);
  });

  it('takes time by its size, not by the square of its depth', () => {
    const keyed = (levels: number): string => `${'{"word":"sun","inner":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const startedAt = performance.now();
    const stream = createStreamText(262_144);
    stream.add(keyed(40_000));
    expect(stream.text()).toContain('sun');
    expect(proseOfBody(keyed(40_000), 1_000)).toMatch(/^word\nsun\ninner\n/);
    // Paths of all places written out would have 8 GB.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('of 20 MB is searched only at its beginning', () => {
    const db = aDatabase();
    commit(db, [withOutput('k1', `["needle",${nested(10_000_000, '')}]`), withOutput('k2', '"harbour"')]);
    commitChunks(
      db,
      { key: 'k2', attempt: 1 },
      [{ outputJson: `["streamed needle",${nested(10_000_000, '')}]`, metricsJson: null }],
      0,
    );
    new SearchIndexer(db).beforeSearch(0);
    expect([find(db, 'needle'), find(db, '"streamed needle"'), find(db, 'harbour')]).toEqual([
      ['k2', 'k1'],
      ['k2'],
      ['k2'],
    ]);
  });
});

describe('a job whose text cannot be indexed', () => {
  /** k2 holds chunks that cannot be read. */
  function aBrokenJob(): DatabaseSync {
    const db = aDatabase();
    commit(db, [withOutput('k1', '"lantern"'), withOutput('k2', '"needle"'), withOutput('k3', '"harbour"')]);
    commitChunks(db, { key: 'k2', attempt: 1 }, [{ outputJson: '"streamed"', metricsJson: null }], 0);
    db.exec("UPDATE chunk_batches SET encoding = 1, data = x'00'");
    return db;
  }
  const dirtyCount = (db: DatabaseSync): unknown =>
    db.prepare('SELECT count(*) AS jobs FROM search_dirty').get()?.['jobs'];
  const unsearchable = { count: 1, first: [{ key: 'k2', title: 'job k2' }] };

  it.each([
    ['before a search', (indexer: SearchIndexer) => indexer.beforeSearch(0)],
    ['in idle moments', indexAll],
  ])('hides no other job %s, is reported once, and is found by its title', (_, index) => {
    const db = aBrokenJob();
    const told: UnsearchableJobs[] = [];
    const indexer = new SearchIndexer(db, { onUnsearchable: (jobs) => told.push(jobs) });
    index(indexer);
    index(indexer);
    expect([find(db, 'lantern'), find(db, 'harbour'), find(db, 'needle'), find(db, '"job k2"')]).toEqual([
      ['k1'],
      ['k3'],
      [],
      ['k2'],
    ]);
    expect(told).toEqual([unsearchable]);
    expect(dirtyCount(db)).toBe(0);
  });

  it('is not tried again at the next start, but by a newer reader', () => {
    const db = aBrokenJob();
    new SearchIndexer(db).beforeSearch(0);
    db.exec('DELETE FROM chunk_batches');
    const again = new SearchIndexer(db);
    indexAll(again);
    again.beforeSearch(0);
    expect(find(db, 'needle')).toEqual([]);

    db.exec('UPDATE search_left_out SET reading = 0');
    tryUnsearchableAgain(db);
    const told: UnsearchableJobs[] = [];
    indexAll(new SearchIndexer(db, { onUnsearchable: (jobs) => told.push(jobs) }));
    expect(find(db, 'needle')).toEqual(['k2']);
    expect(told).toEqual([{ count: 0, first: [] }]);
  });

  it('is tried again when it changes', () => {
    const db = aBrokenJob();
    const indexer = new SearchIndexer(db);
    indexer.beforeSearch(0);
    db.exec('DELETE FROM chunk_batches');
    commit(db, [{ ...withOutput('k2', '"needle again"') }]);
    indexer.beforeSearch(0);
    expect(find(db, 'needle')).toEqual(['k2']);
  });
});

describe('a search while another process locks the index', () => {
  it('uses what is indexed', () => {
    const path = join(aFolder(), 'history.db');
    const { db } = openDatabase(path, 0);
    onTestFinished(() => db.close());
    commit(db, [withOutput('k1', '"lantern"')]);
    const indexer = new SearchIndexer(db);
    indexer.beforeSearch(0);
    commit(db, [withOutput('k2', '"lantern"')]);
    db.exec('PRAGMA busy_timeout = 0');
    const other = new DatabaseSync(path.replace('history.db', 'history-search.db'));
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    indexer.beforeSearch(0);
    expect(find(db, 'lantern')).toEqual(['k1']);
    other.exec('ROLLBACK');
    indexer.beforeSearch(0);
    expect(find(db, 'lantern')).toEqual(['k2', 'k1']);
  });
});
