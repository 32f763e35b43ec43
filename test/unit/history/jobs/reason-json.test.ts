import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { migrate } from '../../../../src-main/history/file/migrations.ts';
import { readReason } from '../../../../src-main/history/jobs/job-row.ts';

it('a reason that this version does not know is shown unchanged', () => {
  expect(readReason(null)).toBeNull();
  expect(readReason('{"kind":"paused"}')).toEqual({ kind: 'paused' });
  for (const json of ['{"kind":"of-tomorrow","said":"x"}', '{"kind":"failed"}', 'no JSON'])
    expect(readReason(json)).toEqual({ kind: 'prose', text: json });
});

/** The version before reasons were data. */
const before = 12;

it('words of a former version are kept: as data if that is certain, otherwise as words', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, before);
  db.exec(
    "INSERT INTO facets (id, connection_id, endpoint_id, phase, word, is_starred, is_seen) VALUES (1, 'c', " +
      "'e', 'finished', 'failed', 0, 1)",
  );
  const insert = db.prepare(`INSERT INTO jobs (id, key, facet, connection_id, base_url, endpoint_id, operation, title,
      tags_json, phase, status, attempt, created_at_ms, policy_json, input_bytes, output_bytes, is_result_saved,
      is_without_output, chunk_count, note, request_count, is_starred, is_seen, is_cancelling)
    VALUES (?, 'k' || ?1, 1, 'c', 'http://127.0.0.1', 'e', 'run', 't', '[]', ?, ?, 1, 5, ?, 2, 0, 1, ?, 0, ?, 0, 0, 1, 0)`);
  const rows = [
    ['finished', 'FAILED', '{}', 0, 'boom'],
    ['finished', 'FAILED', '{"executionTimeout":5000}', 0, 'ExecutionTimeout exceeded'],
    ['finished', 'TIMED_OUT', '{}', 0, 'executionTimeout exceeded: it ran longer than 10 min'],
    ['finished', 'COMPLETED', '{}', 1, 'Completed, no output returned'],
    ['active', 'IN_PROGRESS', '{}', 0, 'half way'],
    ['active', 'IN_PROGRESS', '{}', 0, 'Not cancelled: too late'],
    ['waiting', null, '{}', 0, 'Not sent yet: Jobdeck is paused'],
    ['finished', 'COMPLETED', '{}', 0, null],
    ['left-behind', 'IN_QUEUE', '{}', 0, 'No longer tracked: its connection was removed'],
  ] as const;
  rows.forEach((row, index) => insert.run(index + 1, ...row));
  migrate(db);
  const kept = db.prepare('SELECT reason_json FROM jobs ORDER BY id').all();
  expect(kept.map((row) => readReason(row['reason_json'] === null ? null : String(row['reason_json'])))).toEqual([
    { kind: 'prose', text: 'boom' },
    { kind: 'timed-out', limitMs: 5_000, said: 'ExecutionTimeout exceeded' },
    { kind: 'timed-out', limitMs: 600_000, said: 'executionTimeout exceeded: it ran longer than 10 min' },
    { kind: 'no-output' },
    { kind: 'progress', said: 'half way' },
    { kind: 'prose', text: 'Not cancelled: too late' },
    { kind: 'prose', text: 'Not sent yet: Jobdeck is paused' },
    null,
    { kind: 'prose', text: 'No longer tracked: its connection was removed' },
  ]);
  expect(db.prepare('SELECT phase FROM jobs ORDER BY id DESC LIMIT 1').get()).toEqual({ phase: 'orphaned' });
});
