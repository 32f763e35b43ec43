import type { DatabaseSync } from 'node:sqlite';
import type { BodyText } from '../../../src-preload/history.ts';
import { bytes, number, numberOrNull, pack, statement, text, textOrNull, unpack } from '../file/row.ts';
import type { StoredSubmission } from '../records.ts';
import { readPolicy } from './job-row.ts';

export type BodyPart = 'input' | 'output' | 'error' | 'reply';

/** A piece before compression. Small enough to read a preview quickly, large enough to compress well. */
const pieceBytes = 1_048_576;

/** Keeps `text` as one body of a job, in place of the one there was. The input has attempt 0. */
export function writeBody(db: DatabaseSync, job: number, part: BodyPart, attempt: number, text: string): void {
  const raw = Buffer.from(text, 'utf8');
  statement(db, 'DELETE FROM bodies WHERE job = ? AND part = ? AND attempt = ?').run(job, part, attempt);
  const { lastInsertRowid: body } = statement(
    db,
    'INSERT INTO bodies (job, part, attempt, bytes) VALUES (?, ?, ?, ?)',
  ).run(job, part, attempt, raw.byteLength);
  for (let at = 0, piece = 0; at < raw.byteLength; at += pieceBytes, piece += 1) {
    const { encoding, data } = pack(raw.subarray(at, at + pieceBytes));
    statement(db, 'INSERT INTO body_pieces (body, number, encoding, data) VALUES (?, ?, ?, ?)').run(
      body,
      piece,
      encoding,
      data,
    );
  }
}

/** One body, or its first `maxBytes` bytes cut between two characters. Null when there is none. */
export function readBody(
  db: DatabaseSync,
  job: number,
  part: BodyPart,
  attempt: number,
  maxBytes: number | null,
): BodyText | null {
  const row = statement(db, 'SELECT id, bytes FROM bodies WHERE job = ? AND part = ? AND attempt = ?').get(
    job,
    part,
    attempt,
  );
  if (row === undefined) return null;
  const total = number(row, 'bytes');
  const wanted = Math.min(total, maxBytes ?? total);
  const pieces = statement(
    db,
    'SELECT encoding, data FROM body_pieces WHERE body = ? AND number < ? ORDER BY number',
  ).all(number(row, 'id'), Math.ceil(wanted / pieceBytes));
  const raw = Buffer.concat(
    pieces.map((piece) => unpack({ encoding: number(piece, 'encoding'), data: bytes(piece, 'data') })),
  );
  const end = wanted < total ? characterStart(raw, wanted) : total;
  return { text: raw.toString('utf8', 0, end), bytes: total, isCut: end < total };
}

/** The nearest place at or before `at` where a UTF-8 character begins. */
function characterStart(raw: Buffer, at: number): number {
  let start = at;
  while (start > 0 && ((raw[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

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
