import Database from 'better-sqlite3';
import type { JobCommit } from '../../../src-main/history/records.ts';
import type { BenchResult } from '../run.ts';
import { timed } from './measure.ts';

/**
 * The least that can list and search like ours, with better-sqlite3: one table with an index for each order of a list,
 * and an FTS5 of the words alone (no text, no beginnings of words, no parts of ids). Nothing is counted, compressed or
 * flushed. No history with SQLite can insert and index faster on this machine.
 */
export class LeastPeer {
  readonly #db: Database.Database;
  #jobs = 0;
  #insertMs = 0;
  #indexMs = 0;

  constructor(path: string) {
    this.#db = new Database(path);
    this.#db.exec(`
      PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;
      CREATE TABLE jobs (id INTEGER PRIMARY KEY, key TEXT, job_id TEXT, facet INTEGER, title TEXT, created_at REAL,
        finished_at REAL, took REAL, waited REAL, input TEXT, output TEXT);
      CREATE UNIQUE INDEX by_key ON jobs (key);
      CREATE INDEX by_job_id ON jobs (job_id, id);
      CREATE INDEX by_facet ON jobs (facet, id);
      CREATE INDEX by_finish ON jobs (finished_at, facet);
      CREATE INDEX by_took ON jobs (took, id);
      CREATE INDEX by_wait ON jobs (waited, id);
      CREATE INDEX by_title ON jobs (title COLLATE NOCASE, id);
      CREATE VIRTUAL TABLE words USING fts5 (words, content = '', tokenize = 'ascii');
      INSERT INTO words (words, rank) VALUES ('automerge', 16), ('hashsize', 268435456);
    `);
  }

  /** Inserts in one transaction, then indexes in another. */
  async insert(changes: readonly JobCommit[]): Promise<void> {
    const firstId = this.#jobs + 1;
    this.#jobs += changes.length;
    const insert = this.#db.prepare('INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#insertMs += await timed(() =>
      this.#db.transaction(() => {
        for (const [at, { job, submission, bodies }] of changes.entries())
          insert.run(
            firstId + at,
            job.key,
            job.jobId,
            job.endpointId.length,
            job.title,
            job.createdAtMs,
            job.finishedSeenAtMs,
            job.executionTimeMs,
            job.delayTimeMs,
            submission?.inputText ?? '',
            bodies?.[0]?.text ?? '',
          );
      })(),
    );
    const index = this.#db.prepare('INSERT INTO words (rowid, words) VALUES (?, ?)');
    this.#indexMs += await timed(() =>
      this.#db.transaction(() => {
        for (const [at, { job, submission, bodies }] of changes.entries())
          index.run(firstId + at, `${job.title}\n${submission?.inputText ?? ''}\n${bodies?.[0]?.text ?? ''}`);
      })(),
    );
  }

  result(): BenchResult {
    this.#db.close();
    return {
      'least: inserts a second': Math.round((this.#jobs / this.#insertMs) * 1_000),
      'least: jobs indexed a second': Math.round((this.#jobs / this.#indexMs) * 1_000),
    };
  }
}
