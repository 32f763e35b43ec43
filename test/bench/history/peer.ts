import Database from 'better-sqlite3';
import type { JobCommit } from '../../../src-main/history/records.ts';
import type { BenchResult } from '../run.ts';
import { both, latencies, timed } from './measure.ts';

/** The usual way: better-sqlite3, one table, one index, LIKE. The same rows, as durable. */
export class PlainPeer {
  readonly #db: Database.Database;
  #jobs = 0;
  #insertMs = 0;

  constructor(path: string) {
    this.#db = new Database(path);
    this.#db.exec(`
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768;
      CREATE TABLE jobs (id INTEGER PRIMARY KEY, job_id TEXT, connection TEXT, endpoint TEXT, status TEXT, title TEXT,
        tags TEXT, created_at REAL, finished_at REAL, took REAL, input TEXT, output TEXT);
      CREATE INDEX jobs_by_endpoint ON jobs (endpoint, status);
    `);
  }

  /** Inserts in one transaction. */
  async insert(changes: readonly JobCommit[]): Promise<void> {
    const insert = this.#db.prepare('INSERT INTO jobs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#jobs += changes.length;
    this.#insertMs += await timed(() => {
      this.#db.exec('BEGIN');
      for (const { job, submission, bodies } of changes)
        insert.run(
          job.jobId,
          job.connectionId,
          job.endpointId,
          job.status,
          job.title,
          job.tags.join(' '),
          job.createdAtMs,
          job.finishedSeenAtMs,
          job.executionTimeMs,
          submission?.inputText ?? '',
          bodies?.[0]?.text ?? '',
        );
      this.#db.exec('COMMIT');
    });
  }

  async measure(common: string, rare: string, sinceMs: number): Promise<BenchResult> {
    const ask = (sql: string, ...values: (string | number)[]) =>
      latencies(5, async () => this.#db.prepare(sql).all(...values)).then(both);
    const like = 'title LIKE ? OR input LIKE ? OR output LIKE ?';
    const found = (word: string): string[] => [`%${word}%`, `%${word}%`, `%${word}%`];
    const result: BenchResult = {
      'peer: inserts a second': Math.round((this.#jobs / this.#insertMs) * 1_000),
      'peer: first list of 100 p50 / p95 ms': await ask('SELECT * FROM jobs ORDER BY id DESC LIMIT 100'),
      'peer: list failed p50 / p95 ms': await ask(
        "SELECT * FROM jobs WHERE status = 'FAILED' ORDER BY id DESC LIMIT 100",
      ),
      'peer: list since, counted p50 / p95 ms': await ask('SELECT count(*) FROM jobs WHERE created_at >= ?', sinceMs),
      'peer: counts p50 / p95 ms': await ask('SELECT endpoint, status, count(*) FROM jobs GROUP BY 1, 2'),
      'peer: LIKE common word p50 / p95 ms': await ask(
        `SELECT id FROM jobs WHERE ${like} ORDER BY id DESC LIMIT 50`,
        ...found(common),
      ),
      'peer: LIKE rare word p50 / p95 ms': await ask(
        `SELECT id FROM jobs WHERE ${like} ORDER BY id DESC LIMIT 50`,
        ...found(rare),
      ),
    };
    this.#db.close();
    return result;
  }
}
