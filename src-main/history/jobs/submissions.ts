import type { DatabaseSync } from 'node:sqlite';
import { numberOrNull, statement, text, textOrNull } from '../file/row.ts';
import type { StoredSubmission } from '../records.ts';
import { inputBody, insertBody, readBody } from './bodies.ts';
import { readPolicy } from './job-row.ts';

/** Saves the submission of a new job. */
export function insertSubmission(db: DatabaseSync, rowId: number, submission: StoredSubmission): void {
  statement(
    db,
    'INSERT INTO submissions (job, policy_json, webhook, wait_ms, s3_profile_id) VALUES (?, ?, ?, ?, ?)',
  ).run(rowId, JSON.stringify(submission.policy), submission.webhook, submission.waitMs, submission.s3ProfileId);
  insertBody(db, rowId, inputBody, submission.inputText);
}

/** The submission, with the whole input. */
export function readSubmission(db: DatabaseSync, rowId: number): StoredSubmission {
  const row = statement(db, 'SELECT * FROM submissions WHERE job = ?').get(rowId);
  if (row === undefined) throw new Error('The submission of this job is missing from the history.');
  return {
    inputText: readBody(db, rowId, inputBody)?.text ?? '',
    policy: readPolicy(text(row, 'policy_json')),
    webhook: textOrNull(row, 'webhook'),
    waitMs: numberOrNull(row, 'wait_ms'),
    s3ProfileId: textOrNull(row, 's3_profile_id'),
  };
}
