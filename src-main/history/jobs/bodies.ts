import type { DatabaseSync } from 'node:sqlite';
import type { BodyText } from '../../../src-preload/history.ts';
import { pack, unpack } from '../file/packed.ts';
import { bytes, number, oneOf, statement, type Row } from '../file/row.ts';

const parts = ['input', 'output', 'error', 'reply', 'printed'] as const;
export type BodyPart = (typeof parts)[number];

/**
 * The size of a piece before compression: small enough to read a preview quickly, large enough to compress well. A body
 * of one piece is in its own row. A longer one is in `body_pieces`, as are all bodies of former versions.
 */
const pieceBytes = 1_048_576;

/** Names a body of a job. The input and what was printed have attempt 0. */
export interface BodyName {
  part: BodyPart;
  attempt: number;
}

export const inputBody: BodyName = { part: 'input', attempt: 0 };

/** Saves `text` as a body of a job, replacing the former one. */
export function writeBody(db: DatabaseSync, rowId: number, name: BodyName, text: string): void {
  statement(db, 'DELETE FROM bodies WHERE job = ? AND part = ? AND attempt = ?').run(rowId, name.part, name.attempt);
  insertBody(db, rowId, name, text);
}

/** As `writeBody`, if there is none yet. */
export function insertBody(db: DatabaseSync, rowId: number, { part, attempt }: BodyName, text: string): void {
  const raw = Buffer.from(text, 'utf8');
  const insert = statement(
    db,
    'INSERT INTO bodies (job, part, attempt, bytes, encoding, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  if (raw.byteLength <= pieceBytes) {
    const { encoding, data } = pack(raw);
    insert.run(rowId, part, attempt, raw.byteLength, encoding, data);
    return;
  }
  const { lastInsertRowid: bodyId } = insert.run(rowId, part, attempt, raw.byteLength, null, null);
  for (let at = 0, piece = 0; at < raw.byteLength; at += pieceBytes, piece += 1) {
    const { encoding, data } = pack(raw.subarray(at, at + pieceBytes));
    statement(db, 'INSERT INTO body_pieces (body, number, encoding, data) VALUES (?, ?, ?, ?)').run(
      bodyId,
      piece,
      encoding,
      data,
    );
  }
}

/** Whether such a body is saved. */
export function hasBody(db: DatabaseSync, rowId: number, { part, attempt }: BodyName): boolean {
  const sql = 'SELECT 1 AS found FROM bodies WHERE job = ? AND part = ? AND attempt = ?';
  return statement(db, sql).get(rowId, part, attempt) !== undefined;
}

const bodyColumns = ['id', 'part', 'attempt', 'bytes', 'encoding', 'data'].join(', ');

/** A body, or its first `maxBytes` bytes (null: all), cut between characters. Null if there is none. */
export function readBody(
  db: DatabaseSync,
  rowId: number,
  { part, attempt }: BodyName,
  maxBytes: number | null = null,
): BodyText | null {
  const row = statement(db, `SELECT ${bodyColumns} FROM bodies WHERE job = ? AND part = ? AND attempt = ?`).get(
    rowId,
    part,
    attempt,
  );
  return row === undefined ? null : bodyOf(db, row, maxBytes);
}

/** The text of a row of `bodies`, as `readBody` returns it. */
function bodyOf(db: DatabaseSync, row: Row, maxBytes: number | null): BodyText {
  const total = number(row, 'bytes');
  const wanted = Math.min(total, maxBytes ?? total);
  const raw = row['data'] === null ? piecesOf(db, number(row, 'id'), wanted) : unpackRow(row);
  const end = wanted < total ? characterStart(raw, wanted) : total;
  return { text: raw.toString('utf8', 0, end), bytes: total, isCut: end < total };
}

/** At least the first `wanted` bytes of a body in pieces, up to the end of a piece. */
function piecesOf(db: DatabaseSync, bodyId: number, wanted: number): Buffer {
  return Buffer.concat(
    statement(db, 'SELECT encoding, data FROM body_pieces WHERE body = ? AND number < ? ORDER BY number')
      .all(bodyId, Math.ceil(wanted / pieceBytes))
      .map(unpackRow),
  );
}

function unpackRow(row: Row): Buffer {
  return unpack({ encoding: number(row, 'encoding'), data: bytes(row, 'data') });
}

/** A body and its kind. */
export interface FoundBody extends BodyText {
  part: BodyPart;
}

/** All bodies of a job of these kinds, newest attempt first within a kind. `maxBytes` is as in `readBody`. */
export function findBodies(
  db: DatabaseSync,
  rowId: number,
  wanted: readonly BodyPart[],
  maxBytes: number,
): FoundBody[] {
  return statement(db, `SELECT ${bodyColumns} FROM bodies WHERE job = ? ORDER BY part, attempt DESC`)
    .all(rowId)
    .flatMap((row) => {
      const part = oneOf(row, 'part', parts);
      return wanted.includes(part) ? [{ part, ...bodyOf(db, row, maxBytes) }] : [];
    });
}

/** The nearest place at or before `at` where a UTF-8 character begins. */
function characterStart(raw: Buffer, at: number): number {
  let start = at;
  while (start > 0 && ((raw[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
