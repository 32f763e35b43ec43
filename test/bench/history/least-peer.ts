import Database from 'better-sqlite3';
import { unlinkSync } from 'node:fs';
import type { JobCommit } from '../../../src-main/history/records.ts';
import type { BenchResult } from '../run.ts';
import { round, timed } from './measure.ts';

/** A part of what a history does, as simple as possible. */
interface Part {
  name: string;
  db: Database.Database;
  insert(db: Database.Database, firstId: number, changes: readonly JobCommit[]): void;
  tookMs: number;
  cpuUs: number;
}

/**
 * What SQLite does with the same jobs when it has less to do, with better-sqlite3, each part in a file of its own: the
 * rows with no index but the primary key, plain indexes for the orders of lists, and the words (no texts, no beginnings
 * of words, no parts of ids). Each transaction is flushed, as ours is. A comparison, not an upper bound.
 */
export class LeastPeer {
  readonly #parts: readonly Part[];
  readonly #paths: readonly string[];
  #jobs = 0;

  constructor(path: string) {
    const parts = [
      { name: 'rows alone', sql: rowsSql, insert: insertRows },
      { name: 'orders alone', sql: ordersSql, insert: insertOrders },
      { name: 'words alone', sql: wordsSql, insert: insertWords },
    ];
    this.#paths = parts.map(({ name }) => `${path}-${name.replaceAll(' ', '-')}`);
    this.#parts = parts.map(({ name, sql, insert }, at) => {
      const db = new Database(this.#paths[at]);
      db.exec(`PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        PRAGMA cache_size = -262144; PRAGMA wal_autocheckpoint = 8192; ${sql}`);
      return { name, db, insert, tookMs: 0, cpuUs: 0 };
    });
  }

  /** Inserts into each, in one transaction. */
  async insert(changes: readonly JobCommit[]): Promise<void> {
    const firstId = this.#jobs + 1;
    this.#jobs += changes.length;
    for (const part of this.#parts) {
      const { db } = part;
      const before = process.cpuUsage();
      part.tookMs += await timed(() => db.transaction(() => part.insert(db, firstId, changes))());
      const { user, system } = process.cpuUsage(before);
      part.cpuUs += user + system;
    }
  }

  /** Closes the files and deletes them. */
  result(): BenchResult {
    for (const { db } of this.#parts) db.close();
    for (const path of this.#paths) unlinkSync(path);
    const all = this.#parts.reduce((sum, { tookMs }) => sum + tookMs, 0);
    return {
      ...Object.fromEntries(
        this.#parts.flatMap(({ name, tookMs, cpuUs }) => [
          [`least: ${name}, jobs a second`, Math.round((this.#jobs / tookMs) * 1_000)],
          [`least: ${name}, CPU a job µs`, round(cpuUs / this.#jobs)],
        ]),
      ),
      'least: all three, jobs a second': Math.round((this.#jobs / all) * 1_000),
    };
  }
}

const rowsSql = `CREATE TABLE jobs (id INTEGER PRIMARY KEY, key TEXT, job_id TEXT, connection TEXT, endpoint TEXT,
  status TEXT, title TEXT, tags TEXT, created_at REAL, finished_at REAL, took REAL, waited REAL, input TEXT,
  output TEXT)`;

function insertRows(db: Database.Database, firstId: number, changes: readonly JobCommit[]): void {
  const insert = db.prepare('INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const [at, { job, submission, bodies }] of changes.entries())
    insert.run(
      firstId + at,
      job.key,
      job.jobId,
      job.connectionId,
      job.endpointId,
      job.status,
      job.title,
      job.tags.join(' '),
      job.createdAtMs,
      job.finishedSeenAtMs,
      job.executionTimeMs,
      job.delayTimeMs,
      submission?.inputText ?? '',
      bodies?.[0]?.text ?? '',
    );
}

const ordersSql = `
  CREATE TABLE orders (id INTEGER PRIMARY KEY, key TEXT, job_id TEXT, facet INTEGER, title TEXT, finished_at REAL,
    took REAL, waited REAL);
  CREATE UNIQUE INDEX by_key ON orders (key);
  CREATE INDEX by_job_id ON orders (job_id, id);
  CREATE INDEX by_facet ON orders (facet, id);
  CREATE INDEX by_finish ON orders (finished_at, facet);
  CREATE INDEX by_took ON orders (took, id);
  CREATE INDEX by_wait ON orders (waited, id);
  CREATE INDEX by_title ON orders (title COLLATE NOCASE, id)`;

function insertOrders(db: Database.Database, firstId: number, changes: readonly JobCommit[]): void {
  const insert = db.prepare('INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const [at, { job }] of changes.entries())
    insert.run(
      firstId + at,
      job.key,
      job.jobId,
      job.endpointId.length,
      job.title,
      job.finishedSeenAtMs,
      job.executionTimeMs,
      job.delayTimeMs,
    );
}

const wordsSql = `
  CREATE VIRTUAL TABLE texts USING fts5 (words, content = '', tokenize = 'ascii');
  INSERT INTO texts (texts, rank) VALUES ('automerge', 16), ('hashsize', 268435456)`;

function insertWords(db: Database.Database, firstId: number, changes: readonly JobCommit[]): void {
  const insert = db.prepare('INSERT INTO texts (rowid, words) VALUES (?, ?)');
  for (const [at, { job, submission, bodies }] of changes.entries())
    insert.run(firstId + at, `${job.title}\n${submission?.inputText ?? ''}\n${bodies?.[0]?.text ?? ''}`);
}
