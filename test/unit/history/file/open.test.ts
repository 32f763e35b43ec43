import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { inputBody, readBody } from '../../../../src-main/history/jobs/bodies.ts';
import { commit, findJob, findJobsByServiceId } from '../../../../src-main/history/jobs/jobs.ts';
import { measureStorage } from '../../../../src-main/history/storage/usage.ts';
import { commitChunks } from '../../../../src-main/history/jobs/streams.ts';
import { noteDamage } from '../../../../src-main/history/file/integrity.ts';
import type { HistoryPreparation } from '../../../../src-preload/app.ts';
import { listJobs } from '../../../../src-main/history/list/list.ts';
import { migrate, readVersion, schemaVersion } from '../../../../src-main/history/file/migrations.ts';
import { stepsTo22 } from '../../../../src-main/history/file/schema-steps-1-to-22.ts';
import { readDocument, writeDocument } from '../../../../src-main/history/file/documents.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import type { OpenOptions } from '../../../../src-main/history/file/open.ts';
import { detachIndex } from '../../../../src-main/history/file/index-file.ts';
import { SearchIndexer } from '../../../../src-main/history/search/indexer.ts';
import { emptyFilter, type JobFilter, type JobSort } from '../../../../src-preload/history.ts';
import { aNewJob, aFolder } from '../a-database.ts';

const atMs = Date.UTC(2026, 10, 20, 16, 30, 0);
/** The last version that kept the text of every body beside its row. */
const beforeBodiesInRows = 25;
const asideName = 'history.damaged-2026-11-20T16-30-00.db';

/** A history with some hundred jobs, closed. */
function aHistoryFile(): { folder: string; path: string } {
  const folder = aFolder();
  const path = join(folder, 'history.db');
  const { db } = openDatabase(path, 0);
  commit(
    db,
    Array.from({ length: 300 }, (_, at) =>
      aNewJob(
        { key: `k${String(at).padStart(4, '0')}`, title: `harbour ${at}` },
        JSON.stringify({ at, filling: 'words '.repeat(100) }),
      ),
    ),
  );
  new SearchIndexer(db).beforeSearch(0);
  db.close();
  return { folder, path };
}

function changeIndex(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

/** Opens the file, and shows that the app can continue with it. */
function reopened(
  path: string,
  options: OpenOptions = {},
): { setAside: ReturnType<typeof openDatabase>['setAside']; jobs: number } {
  const { db, setAside } = openDatabase(path, atMs, options);
  const jobs = listJobs(db, emptyFilter, { limit: 1, startOfTodayMs: 0 }).allTotal;
  commit(db, [aNewJob({ key: 'zz-new' })]);
  expect(findJob(db, 'zz-new')).not.toBeNull();
  db.close();
  return { setAside, jobs };
}

describe('opening', () => {
  it('creates the file and its folder, and finds it unchanged later', () => {
    const path = join(aFolder(), 'deep', 'down', 'history.db');
    expect(reopened(path)).toEqual({ setAside: null, jobs: 0 });
    expect(reopened(path)).toEqual({ setAside: null, jobs: 1 });
  });

  it('writes with WAL and full flushes, and keeps references', () => {
    const { db } = openDatabase(join(aFolder(), 'history.db'), 0);
    const value = (pragma: string): unknown => Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
    expect([value('journal_mode'), value('synchronous'), value('foreign_keys'), value('busy_timeout')]).toEqual([
      'wal',
      2,
      1,
      5_000,
    ]);
    db.close();
  });

  it('refuses without touching anything if the path cannot be a file', () => {
    const folder = aFolder();
    mkdirSync(join(folder, 'history.db'));
    expect(() => openDatabase(join(folder, 'history.db'), atMs)).toThrow(/unable to open/);
    expect(readdirSync(folder)).toEqual(['history.db']);
  });
});

describe('an unusable file is set aside, whole, and the app continues', () => {
  it('when bytes in the middle were overwritten', () => {
    const { folder, path } = aHistoryFile();
    const bytes = readFileSync(path);
    let seed = 7;
    for (let at = 8_192; at < bytes.length - 8_192; at += 1)
      bytes[at] = (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) >>> 24;
    writeFileSync(path, bytes);
    const { setAside, jobs } = reopened(path);
    expect(setAside).toMatchObject({ path: join(folder, asideName), reason: 'damaged' });
    expect(setAside?.detail).not.toBe('');
    expect(jobs).toBe(0);
    expect(readFileSync(join(folder, asideName)).equals(bytes)).toBe(true);
  });

  it('and its connections and settings are imported if they can still be read', () => {
    const { folder, path } = aHistoryFile();
    const { db } = openDatabase(path, 0);
    writeDocument(db, 'connection', 'c1', '{"name":"Production"}');
    writeDocument(db, 'settings', 'settings', '{"theme":"dark"}');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const jobsRoot = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'jobs'").get()?.['rootpage']);
    const pageSize = Number(db.prepare('PRAGMA page_size').get()?.['page_size']);
    db.close();
    const bytes = readFileSync(path);
    bytes.fill(0xee, (jobsRoot - 1) * pageSize, jobsRoot * pageSize);
    writeFileSync(path, bytes);

    const opened = openDatabase(path, atMs);
    expect(opened.setAside).toMatchObject({ path: join(folder, asideName), reason: 'damaged', keptDocuments: 2 });
    expect(readDocument(opened.db, 'connection', 'c1')).toBe('{"name":"Production"}');
    expect(readDocument(opened.db, 'settings', 'settings')).toBe('{"theme":"dark"}');
    opened.db.close();
    expect(readFileSync(join(folder, asideName)).equals(bytes)).toBe(true);
  });

  it('with the contents of its -wal, when the app was killed before', () => {
    const { folder, path } = aHistoryFile();
    const { db } = openDatabase(path, 0);
    commit(db, [aNewJob({ key: 'kz', title: 'only in the -wal' })]);
    const [main, wal] = [readFileSync(path), readFileSync(`${path}-wal`)];
    db.close();
    main.fill(0xee, 20_000, main.length);
    writeFileSync(path, main);
    writeFileSync(`${path}-wal`, wal);
    expect(reopened(path).setAside?.reason).toBe('damaged');
    expect(readFileSync(join(folder, asideName)).equals(main)).toBe(true);
    expect(readFileSync(join(folder, `${asideName}-wal`)).equals(wal)).toBe(true);
  });

  it.each([
    ['was emptied', (path: string) => truncateSync(path)],
    ['is missing', (path: string) => rmSync(path)],
  ])('when it %s and only its -wal is left, which SQLite would delete', (_how, harm) => {
    const { folder, path } = aHistoryFile();
    const { db } = openDatabase(path, 0);
    commit(db, [aNewJob({ key: 'kz', title: 'only in the -wal' })]);
    const wal = readFileSync(`${path}-wal`);
    db.close();
    harm(path);
    writeFileSync(`${path}-wal`, wal);
    const { setAside, jobs } = reopened(path);
    expect([setAside?.reason, jobs]).toEqual(['damaged', 0]);
    expect(setAside?.path.startsWith(join(folder, asideName))).toBe(true);
    expect(existsSync(setAside?.path ?? '')).toBe(true);
    expect(readFileSync(join(folder, `${asideName}-wal`)).equals(wal)).toBe(true);
    // What is set aside later in the same second is beside it.
    writeFileSync(path, 'x'.repeat(5_000));
    writeFileSync(`${path}-wal`, 'of the other');
    expect(reopened(path).setAside?.path).not.toBe(setAside?.path);
    expect(readFileSync(join(folder, `${asideName}-wal`)).equals(wal)).toBe(true);
  });

  it.skipIf(process.platform === 'win32')(
    'or not at all: if its -wal cannot be moved, both stay where they are',
    () => {
      const folder = aFolder();
      // Under a dated name it is as long as a name may be, and its -wal is longer.
      const name = `${'h'.repeat(223)}.db`;
      writeFileSync(join(folder, name), 'x'.repeat(5_000));
      writeFileSync(join(folder, `${name}-wal`), 'its last changes');
      expect(() => openDatabase(join(folder, name), atMs)).toThrow('ENAMETOOLONG');
      expect(readdirSync(folder).toSorted()).toEqual([name, `${name}-wal`]);
    },
  );

  it('when it was cut short', () => {
    const { folder, path } = aHistoryFile();
    truncateSync(path, 50_000);
    expect(reopened(path).setAside).toMatchObject({ path: join(folder, asideName), reason: 'damaged' });
    expect(readFileSync(join(folder, asideName))).toHaveLength(50_000);
  });

  it('when it is not a database, with its -wal and -shm', () => {
    const folder = aFolder();
    const path = join(folder, 'history.db');
    writeFileSync(path, 'this is a shopping list, not a database. '.repeat(200));
    writeFileSync(`${path}-wal`, 'left over');
    const { setAside } = reopened(path);
    expect(setAside).toMatchObject({ reason: 'not-a-database' });
    expect(readFileSync(join(folder, asideName), 'utf8')).toContain('shopping list');
    expect(readFileSync(join(folder, `${asideName}-wal`), 'utf8')).toBe('left over');
  });

  it('when it is another program’s database', () => {
    const path = join(aFolder(), 'history.db');
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')");
    other.close();
    const { setAside } = reopened(path);
    expect(setAside?.reason).toBe('not-a-database');
    const kept = new DatabaseSync(setAside?.path ?? '');
    expect(kept.prepare('SELECT name FROM recipes').get()).toEqual({ name: 'soup' });
    kept.close();
  });

  it('when a newer Jobdeck wrote it', () => {
    const { path } = aHistoryFile();
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
    db.close();
    const { setAside } = reopened(path);
    expect(setAside).toMatchObject({ reason: 'newer' });
    expect(setAside?.detail).toContain(`schema ${schemaVersion + 1}`);
  });

  it('under a name of its own, if that of the second is in use', () => {
    const { folder, path } = aHistoryFile();
    writeFileSync(join(folder, asideName), 'an earlier one');
    writeFileSync(path, 'x'.repeat(5_000));
    expect(reopened(path).setAside?.path).toBe(join(folder, 'history.damaged-2026-11-20T16-30-00-2.db'));
    expect(readFileSync(join(folder, asideName), 'utf8')).toBe('an earlier one');
  });
});

describe('a large file', () => {
  it('in which damage is found is still used if that cannot be noted, as on a full disk', () => {
    expect(() => noteDamage(join(aFolder(), 'no folder', 'history.db'))).not.toThrow();
  });

  it('is checked only after damage was found in it', () => {
    const { path } = aHistoryFile();
    const root = new DatabaseSync(path, { readOnly: true });
    const page = Number(
      root.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'health_samples'").get()?.['page'],
    );
    const pageSize = Number(root.prepare('PRAGMA page_size').get()?.['page_size']);
    root.close();
    const bytes = readFileSync(path);
    bytes.fill(0xee, (page - 1) * pageSize, page * pageSize);
    writeFileSync(path, bytes);
    const told: HistoryPreparation[] = [];
    const reopenedLarge = (): ReturnType<typeof reopened> =>
      reopened(path, { checkedBytes: 1_000, onPreparing: (preparing) => told.push(preparing) });
    expect(reopenedLarge().setAside).toBeNull();
    expect(told).toEqual([]);
    noteDamage(path);
    expect(reopenedLarge().setAside?.reason).toBe('damaged');
    expect(told).toEqual([{ kind: 'check', jobs: 301 }]);
    expect(reopenedLarge()).toEqual({ setAside: null, jobs: 1 });
    expect(told).toHaveLength(1);
    expect(existsSync(`${path}-damage-met`)).toBe(false);
  });
});

describe('the search index', () => {
  const found = (path: string): number => {
    const { db } = openDatabase(path, 0);
    const indexer = new SearchIndexer(db);
    while (indexer.idleStep(0));
    const { total } = listJobs(db, { ...emptyFilter, text: 'harbour' }, { limit: 10, startOfTodayMs: 0 });
    db.close();
    return total;
  };

  it.each([
    ['is lost', (path: string) => rmSync(path)],
    ['is not a database', (path: string) => writeFileSync(path, 'something else, and long enough to be looked at')],
    ['is empty', (path: string) => writeFileSync(path, '')],
    ['belongs to another history', (path: string) => changeIndex(path, "UPDATE search_origin SET history = 'another'")],
    ['is of another version', (path: string) => changeIndex(path, 'PRAGMA user_version = 99')],
  ])('is built again if it %s, and every job is found again', (_, harm) => {
    const { path } = aHistoryFile();
    harm(path.replace('history.db', 'history-search.db'));
    expect(found(path)).toBe(300);
  });

  it('is used unchanged if it is sound', () => {
    const { path } = aHistoryFile();
    const { db } = openDatabase(path, 0);
    expect(db.prepare('SELECT count(*) AS jobs FROM search_dirty').get()).toEqual({ jobs: 0 });
    db.close();
  });

  it('of a history that was replaced by a copy is built again', () => {
    const { path } = aHistoryFile();
    const { db } = openDatabase(path, 0);
    detachIndex(db);
    db.close();
    expect(found(path)).toBe(300);
  });
});

describe('migration', () => {
  it('upgrades a file of version 1 to the newest, keeps its jobs and makes them searchable', () => {
    const path = join(aFolder(), 'history.db');
    const old = new DatabaseSync(path);
    migrate(old, 1);
    old.exec(`
      INSERT INTO facets (id, connection_id, endpoint_id, phase, word, is_starred, is_seen) VALUES (1, 'c', 'text', 'finished', 'completed', 0, 0);
      INSERT INTO jobs (id, key, facet, job_id, connection_id, base_url, endpoint_id, operation, title, tags_json, phase, status, attempt, created_at_ms, policy_json, input_bytes, output_bytes,
        is_result_saved, is_without_output, chunk_count, request_count, is_starred, is_seen, is_cancelling)
      VALUES (65536, 'k1', 1, 'job-1', 'c', 'http://127.0.0.1', 'text', 'run', 'Old harbour', '["eval"]', 'finished', 'COMPLETED', 1, 5, '{}', 2, 2, 1, 0, 0, 0, 0, 0, 0);
      INSERT INTO submissions (job, policy_json) VALUES (65536, '{}');
    `);
    expect(readVersion(old)).toBe(1);
    old.close();
    const { db, setAside } = openDatabase(path, atMs);
    expect([setAside, readVersion(db)]).toEqual([null, schemaVersion]);
    new SearchIndexer(db).beforeSearch(0);
    const page = listJobs(db, { ...emptyFilter, text: 'harbour' }, { limit: 10, startOfTodayMs: 0 });
    expect(page.jobs).toEqual([
      expect.objectContaining({ key: 'k1', title: 'Old harbour', tags: ['eval'], status: 'COMPLETED' }),
    ]);
    commitChunks(db, { key: 'k1', attempt: 1 }, [{ outputJson: '"new"', metricsJson: null }], 0);
    expect(findJob(db, 'k1')?.job.chunkCount).toBe(1);
    db.close();
  });

  it('leaves old bodies in place beside new ones, and puts its jobs in every order', () => {
    const path = join(aFolder(), 'history.db');
    const old = new DatabaseSync(path);
    migrate(old, beforeBodiesInRows);
    old.exec(`
      INSERT INTO facets (id, connection_id, endpoint_id, phase, word, is_starred, is_seen, jobs) VALUES (1, 'c', 'text', 'finished', 'completed', 0, 0, 1);
      INSERT INTO jobs (id, key, facet, job_id, connection_id, base_url, endpoint_id, operation, title, tags_json, phase, status, attempt, created_at_ms, delay_time_ms, execution_time_ms, policy_json,
        input_bytes, output_bytes, is_result_saved, is_without_output, chunk_count, request_count, is_starred, is_seen, is_cancelling)
      VALUES (65536, 'k1', 1, 'job-1', 'c', 'http://127.0.0.1', 'text', 'run', 'Old harbour', '[]', 'finished', 'COMPLETED', 1, 5, 40, 50, '{}', 2, 9, 1, 0, 0, 0, 0, 0, 0);
      INSERT INTO submissions (job, policy_json) VALUES (65536, '{}');
      INSERT INTO bodies (id, job, part, attempt, bytes) VALUES (1, 65536, 'input', 0, 2), (2, 65536, 'output', 1, 9);
      INSERT INTO body_pieces (body, number, encoding, data) VALUES (1, 0, 0, CAST('{}' AS BLOB)), (2, 0, 0, CAST('"lantern"' AS BLOB));
      INSERT INTO search_dirty (job, change, is_urgent, is_reread) VALUES (65536, 1, 1, 0);
    `);
    old.close();
    const { db } = openDatabase(path, atMs);
    expect(readBody(db, 65_536, { part: 'output', attempt: 1 })).toEqual({ text: '"lantern"', bytes: 9, isCut: false });
    commit(db, [
      {
        ...aNewJob({ key: 'k2', jobId: 'job-2', title: 'new', delayTimeMs: 4, executionTimeMs: 5 }),
        bodies: [{ part: 'output', attempt: 1, text: '"lantern too"' }],
      },
    ]);
    expect(readBody(db, 131_072, { part: 'output', attempt: 1 })?.text).toBe('"lantern too"');
    expect(db.prepare('SELECT count(*) AS pieces FROM body_pieces').get()).toEqual({ pieces: 2 });
    new SearchIndexer(db).beforeSearch(0);
    const keys = (filter: Partial<JobFilter>, column: JobSort['column'] = 'created'): string[] =>
      listJobs(
        db,
        { ...emptyFilter, ...filter },
        { limit: 10, startOfTodayMs: 0, sort: { column, isDescending: true } },
      ).jobs.map(({ key }) => key);
    expect(keys({ text: 'lantern' })).toEqual(['k2', 'k1']);
    expect([keys({}, 'title'), keys({}, 'id'), keys({}, 'wait'), keys({}, 'execution')]).toEqual([
      ['k1', 'k2'],
      ['k2', 'k1'],
      ['k1', 'k2'],
      ['k1', 'k2'],
    ]);
    expect([keys({ idStart: 'job-1' }), keys({ waited: { over: 10, under: null } })]).toEqual([['k1'], ['k1']]);
    expect(findJobsByServiceId(db, 'http://127.0.0.1', 'text', 'job-1').map(({ key }) => key)).toEqual(['k1']);
    let step = measureStorage(db, null);
    while (!step.isDone) step = measureStorage(db, step);
    // `{}` twice, and the two outputs.
    expect(step.use.bodyBytes).toBe(2 + 9 + 2 + 13);
    db.close();
  });

  /** A file of this version with one job, its input and its output. */
  const anOldFile = (path: string, version: number): DatabaseSync => {
    const old = new DatabaseSync(path);
    old.exec('PRAGMA journal_mode = WAL');
    migrate(old, version);
    old.exec(`
      INSERT INTO facets (id, connection_id, endpoint_id, phase, word, is_starred, is_seen)
      VALUES (1, 'c', 'text', 'finished', 'completed', 0, 0);
      INSERT INTO jobs (id, key, facet, job_id, connection_id, base_url, endpoint_id, operation, title, tags_json,
        phase, status, attempt, created_at_ms, delay_time_ms, execution_time_ms, policy_json, input_bytes, output_bytes,
        is_result_saved, is_without_output, chunk_count, request_count, is_starred, is_seen, is_cancelling)
      VALUES (65536, 'k1', 1, 'job-1', 'c', 'http://127.0.0.1', 'text', 'run', 'Old harbour', '["quay"]',
        'finished', 'COMPLETED', 1, 5, 40, 50, '{}', 2, 9, 1, 0, 0, 0, 0, 0, 0);
      UPDATE facets SET jobs = 1;
      INSERT INTO submissions (job, policy_json) VALUES (65536, '{}');
      INSERT INTO bodies (id, job, part, attempt, bytes) VALUES (1, 65536, 'input', 0, 2), (2, 65536, 'output', 1, 9);
      INSERT INTO body_pieces (body, number, encoding, data)
      VALUES (1, 0, 0, CAST('{}' AS BLOB)), (2, 0, 0, CAST('"lantern"' AS BLOB));
    `);
    // Later versions save it with the job.
    if (old.prepare("SELECT 1 FROM pragma_table_info('jobs') WHERE name = 'first_tag'").get() !== undefined)
      old.exec("UPDATE jobs SET first_tag = 'quay'");
    return old;
  };
  const expectWhole = (path: string): void => {
    const { db, setAside } = openDatabase(path, atMs);
    expect([setAside, readVersion(db)]).toEqual([null, schemaVersion]);
    expect(findJob(db, 'k1')?.job).toMatchObject({ jobId: 'job-1', title: 'Old harbour', executionTimeMs: 50 });
    expect(readBody(db, 65_536, inputBody)?.text).toBe('{}');
    expect(readBody(db, 65_536, { part: 'output', attempt: 1 })?.text).toBe('"lantern"');
    for (const column of ['id', 'title', 'wait', 'execution', 'cost'] as const)
      expect(
        listJobs(db, emptyFilter, { limit: 10, startOfTodayMs: 0, sort: { column, isDescending: true } }).total,
      ).toBe(1);
    expect(db.prepare('SELECT first_tag FROM jobs').all()).toEqual([{ first_tag: 'quay' }]);
    expect(findJobsByServiceId(db, 'http://127.0.0.1', 'text', 'job-1')).toHaveLength(1);
    expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    db.close();
  };

  it('has a closed first list of steps, because a step added there would renumber all later ones', () => {
    expect(stepsTo22).toHaveLength(22);
  });

  it('keeps a job with its texts from any version on', () => {
    const folder = aFolder();
    for (let version = 1; version < schemaVersion; version += 1) {
      const path = join(folder, `${version}.db`);
      anOldFile(path, version).close();
      expectWhole(path);
    }
  });

  it('restarts a step that a crash interrupted', () => {
    const folder = aFolder();
    const path = join(folder, 'history.db');
    const old = anOldFile(path, beforeBodiesInRows);
    // So small that changes are written out before the transaction ends.
    old.exec(`
      PRAGMA cache_size = 1; BEGIN IMMEDIATE;
      ALTER TABLE bodies ADD COLUMN encoding INTEGER; ALTER TABLE bodies ADD COLUMN data BLOB;
      DROP INDEX jobs_by_facet; DROP INDEX jobs_by_execution; DROP INDEX jobs_by_job_id`);
    const crashed = join(folder, 'crashed.db');
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, crashed + suffix);
    old.close();
    expectWhole(crashed);
  });

  it('is reported before it begins, with what a window needs in the meantime', () => {
    const path = join(aFolder(), 'history.db');
    const old = new DatabaseSync(path);
    migrate(old, 1);
    old.exec(`
      INSERT INTO facets (connection_id, endpoint_id, phase, word, is_starred, is_seen, jobs) VALUES ('c', 'text', 'finished', 'completed', 0, 0, 300), ('c', 'text', 'finished', 'failed', 0, 0, 7);
      INSERT INTO documents (kind, id, json) VALUES ('settings', 'settings', '{"theme":"light"}'), ('window', 'main', '{}'), ('draft', 'new', '"text"');
    `);
    old.close();
    const told: [HistoryPreparation, number][] = [];
    const onPreparing = (preparing: HistoryPreparation): void => {
      const db = new DatabaseSync(path, { readOnly: true });
      told.push([preparing, readVersion(db)]);
      db.close();
    };
    openDatabase(path, atMs, { onPreparing }).db.close();
    expect(told).toEqual([
      [
        {
          kind: 'upgrade',
          jobs: 307,
        },
        1,
      ],
    ]);
    // A file at the newest version, and one that is not there yet, are opened without a word.
    openDatabase(path, atMs, { onPreparing }).db.close();
    openDatabase(join(aFolder(), 'history.db'), atMs, { onPreparing }).db.close();
    expect(told).toHaveLength(1);
  });

  it('leaves the older version intact when a step fails', () => {
    const path = join(aFolder(), 'history.db');
    const old = new DatabaseSync(path);
    migrate(old, 1);
    old.exec('CREATE TABLE search_dirty (in_the_way TEXT)');
    expect(() => migrate(old)).toThrow(/search_dirty already exists/);
    expect(readVersion(old)).toBe(1);
    expect(old.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'search'").get()).toEqual({
      tables: 0,
    });
    old.close();
  });

  it('does nothing the second time', () => {
    const { path } = aHistoryFile();
    const { db } = openDatabase(path, 0);
    migrate(db);
    expect([readVersion(db), listJobs(db, emptyFilter, { limit: 1, startOfTodayMs: 0 }).allTotal]).toEqual([
      schemaVersion,
      300,
    ]);
    db.close();
  });
});
