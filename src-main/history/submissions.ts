import type { DatabaseSync } from 'node:sqlite';
import { readBody, writeBody } from './bodies.ts';
import type { StoredSubmission } from './history.ts';
import { readPolicy } from './jobs.ts';
import { numberOrNull, statement, text, textOrNull } from './row.ts';

/** Keeps what was submitted, at the job's birth. */
export function insertSubmission(db: DatabaseSync, job: number, submission: StoredSubmission): void {
  statement(
    db,
    'INSERT INTO submissions (job, policy_json, webhook, wait_ms, s3_profile_id) VALUES (?, ?, ?, ?, ?)',
  ).run(job, JSON.stringify(submission.policy), submission.webhook, submission.waitMs, submission.s3ProfileId);
  writeBody(db, job, 'input', 0, submission.inputText);
}

/** What was submitted, with the whole input. */
export function readSubmission(db: DatabaseSync, job: number): StoredSubmission {
  const row = statement(db, 'SELECT * FROM submissions WHERE job = ?').get(job);
  if (row === undefined) throw new Error('The submission of this job is missing from the history.');
  return {
    inputText: readBody(db, job, 'input', 0, null)?.text ?? '',
    policy: readPolicy(text(row, 'policy_json')),
    webhook: textOrNull(row, 'webhook'),
    waitMs: numberOrNull(row, 'wait_ms'),
    s3ProfileId: textOrNull(row, 's3_profile_id'),
  };
}
