import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../../src-main/history/file/migrations.ts';

/**
 * Replaces the history at `path` by a file of the first version: its documents, and one finished job, "Old harbour".
 * Returns it open: an open transaction in it keeps the app from upgrading it.
 */
export function putOldHistory(path: string): DatabaseSync {
  const newest = new DatabaseSync(path);
  const documents = newest.prepare('SELECT kind, id, json FROM documents').all();
  newest.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const old = new DatabaseSync(path);
  old.exec('PRAGMA journal_mode = WAL');
  migrate(old, 1);
  for (const { kind, id, json } of documents)
    old.prepare('INSERT INTO documents (kind, id, json) VALUES (?, ?, ?)').run(String(kind), String(id), String(json));
  const connection = documents.find(({ kind }) => kind === 'connection')?.['id'];
  old
    .prepare(
      "INSERT INTO facets (id, connection_id, endpoint_id, phase, word, is_starred, is_seen) VALUES (1, ?, 'echo', 'finished', 'completed', 0, 1)",
    )
    .run(String(connection));
  old
    .prepare(`INSERT INTO jobs (id, key, facet, job_id, connection_id, base_url, endpoint_id, operation, title, tags_json, phase, status, attempt, created_at_ms, finished_seen_at_ms, policy_json, input_bytes, output_bytes,
      is_result_saved, is_without_output, chunk_count, request_count, is_starred, is_seen, is_cancelling)
    VALUES (65536, 'k1', 1, 'job-1', ?, 'http://127.0.0.1', 'echo', 'run', 'Old harbour', '[]', 'finished', 'COMPLETED', 1, 5, 6, '{}', 2, 2, 1, 0, 0, 0, 0, 1, 0)`)
    .run(String(connection));
  old.exec("INSERT INTO submissions (job, policy_json) VALUES (65536, '{}')");
  return old;
}
