import type { DatabaseSync } from 'node:sqlite';
import type { Attempt, Job, RequestRecord } from '../../../src-preload/job.ts';
import { bytes, number, numberOrNull, statement, text } from '../file/row.ts';
import { insertRequests } from '../jobs/requests.ts';
import { writeAttempt } from '../jobs/attempts.ts';
import { readNote, writeNote } from '../jobs/judgements.ts';
import { findJob, requireJob, setTags, updateJob, insertPlaced, type PlacedJob } from '../jobs/jobs.ts';
import { markReread } from '../file/unindexed-jobs.ts';
import { countChunks, readChunks, replaceChunks, mergeChunks } from '../stream/chunks.ts';
import { readInputHash } from '../jobs/input-hash.ts';

/** What is saved of a job beside its own row, its tags and its bodies. */
const rowTables = ['submissions', 'attempts', 'chunk_batches', 'requests', 'job_notes'] as const;

/** Adds a job to its batch. The batch's own row is copied if it is not here. */
export function joinBatch(db: DatabaseSync, incoming: DatabaseSync, id: string): void {
  const row = statement(incoming, 'SELECT * FROM batches WHERE id = ?').get(id);
  if (row === undefined) return;
  statement(
    db,
    'INSERT OR IGNORE INTO batches (id, name, connection_id, endpoint_id, operation, created_at_ms, total, ' +
      'is_paused, most_live, stop_after_failures, stop_at_failures) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?)',
  ).run(
    id,
    text(row, 'name'),
    text(row, 'connection_id'),
    text(row, 'endpoint_id'),
    text(row, 'operation'),
    number(row, 'created_at_ms'),
    numberOrNull(row, 'most_live'),
    numberOrNull(row, 'stop_after_failures'),
    numberOrNull(row, 'stop_at_failures'),
  );
  // A batch whose last row was deleted has lost its name (jobs/remove.ts).
  statement(db, 'UPDATE batches SET name = iif(total = 0, ?, name), total = total + 1 WHERE id = ?').run(
    text(row, 'name'),
    id,
  );
}

export interface MergedRows {
  job: Job;
  attempts: readonly Attempt[];
  note: string;
  /** The requests to add. */
  requests: readonly RequestRecord[];
}

/** Writes a merged job whose bodies and streams are here. Returns it. */
export function putMergedJob(db: DatabaseSync, id: number, { job, attempts, note, requests }: MergedRows): Job {
  for (const attempt of attempts) writeAttempt(db, id, attempt);
  insertRequests(db, id, requests);
  // Each writes the whole job. Most have the same tags and no note.
  if (JSON.stringify(requireJob(db, job.key).job.tags) !== JSON.stringify(job.tags)) setTags(db, job.key, job.tags);
  if (readNote(db, id) !== note) writeNote(db, job.key, note);
  const count = statement(db, 'SELECT count(*) AS requests FROM requests WHERE job = ?').get(id);
  const requestCount = count === undefined ? job.requestCount : number(count, 'requests');
  updateJob(db, id, { ...job, requestCount, chunkCount: countChunks(db, { rowId: id, attempt: job.attempt }) });
  markMerged(db, id);
  return findJob(db, job.key)?.job ?? job;
}

/** Notes that a job is to be indexed again, and that its images and its cause are determined in idle time. */
export function markMerged(db: DatabaseSync, id: number): void {
  markReread(db, id);
  for (const table of ['image_unknown', 'failures_unsorted'])
    statement(db, `INSERT OR IGNORE INTO ${table} (job) VALUES (?)`).run(id);
}

/** Copies the bodies that are longer there, or missing here. Returns whether there was one. */
export function copyBodies(db: DatabaseSync, id: number, incoming: DatabaseSync, theirId: number): boolean {
  let isAny = false;
  for (const row of statement(incoming, 'SELECT * FROM bodies WHERE job = ?').all(theirId)) {
    const [part, attempt, size] = [text(row, 'part'), number(row, 'attempt'), number(row, 'bytes')];
    const here = statement(db, 'SELECT id, bytes FROM bodies WHERE job = ? AND part = ? AND attempt = ?').get(
      id,
      part,
      attempt,
    );
    if (here !== undefined && number(here, 'bytes') >= size) continue;
    isAny = true;
    statement(db, 'DELETE FROM bodies WHERE job = ? AND part = ? AND attempt = ?').run(id, part, attempt);
    const { lastInsertRowid: body } = statement(
      db,
      'INSERT INTO bodies (job, part, attempt, bytes, encoding, data) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(id, part, attempt, size, numberOrNull(row, 'encoding'), row['data'] === null ? null : bytes(row, 'data'));
    const insert = statement(db, 'INSERT INTO body_pieces (body, number, encoding, data) VALUES (?, ?, ?, ?)');
    const pieces = statement(incoming, 'SELECT number, encoding, data FROM body_pieces WHERE body = ? ORDER BY number');
    for (const piece of pieces.iterate(number(row, 'id')))
      insert.run(body, number(piece, 'number'), number(piece, 'encoding'), bytes(piece, 'data'));
  }
  return isAny;
}

/** Adds the chunks that are missing here, for each attempt. Returns whether there was one. */
export function mergeStreams(db: DatabaseSync, id: number, incoming: DatabaseSync, theirId: number): boolean {
  if (statement(db, 'SELECT 1 AS found FROM chunk_batches WHERE job = ? LIMIT 1').get(id) === undefined)
    return copyRows({ db: incoming, rowId: theirId }, { db, rowId: id }, 'chunk_batches');
  let isAny = false;
  const attempts = statement(incoming, 'SELECT DISTINCT attempt FROM chunk_batches WHERE job = ?').all(theirId);
  for (const attempt of attempts.map((row) => number(row, 'attempt'))) {
    const all = (of: DatabaseSync, job: number) =>
      readChunks(of, { rowId: job, attempt }).map(({ seq: _seq, ...chunk }) => chunk);
    const merged = mergeChunks(all(db, id), all(incoming, theirId));
    if (merged === null) continue;
    isAny = true;
    replaceChunks(db, { rowId: id, attempt }, merged);
  }
  return isAny;
}

/** A job in one of two histories, by the id of its row there. */
interface JobIn {
  db: DatabaseSync;
  rowId: number;
}

/**
 * Copies the rows that a table has of a job, which has none there yet, unchanged: chunks stay compressed. Returns
 * whether there was one.
 */
function copyRows(from: JobIn, to: JobIn, table: (typeof rowTables)[number]): boolean {
  let isAny = false;
  for (const row of statement(from.db, `SELECT * FROM ${table} WHERE job = ?`).iterate(from.rowId)) {
    isAny = true;
    const { id: _id, job: _job, ...rest } = row;
    const columns = Object.keys(rest);
    const sql = `INSERT INTO ${table} (job, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`;
    statement(to.db, sql).run(to.rowId, ...Object.values(rest));
  }
  return isAny;
}

/** Whether a job has this key. */
export function hasKey(db: DatabaseSync, key: string): boolean {
  return statement(db, 'SELECT 1 AS found FROM jobs WHERE key = ?').get(key) !== undefined;
}

/**
 * Copies a job, as it is given, with everything saved of it, row by row as it is saved there: texts stay compressed.
 * `place` gives it the id and the facet that it has here. Search, images and causes do not know of it yet.
 */
export function copyJob(
  db: DatabaseSync,
  incoming: DatabaseSync,
  theirs: PlacedJob,
  place: (job: Job) => { id: number; facet: number },
): PlacedJob {
  const job: Job = { ...theirs.job, key: freeKey(db, theirs.job.key) };
  if (job.batchId !== null) joinBatch(db, incoming, job.batchId);
  const { id, facet } = place(job);
  insertPlaced(db, { id, job }, facet, inputHashOf(incoming, theirs.id));
  for (const table of rowTables) copyRows({ db: incoming, rowId: theirs.id }, { db, rowId: id }, table);
  copyBodies(db, id, incoming, theirs.id);
  return { id, job };
}

/** Two histories never make the same key. If a file was manipulated, both jobs are kept. */
function freeKey(db: DatabaseSync, key: string): string {
  let free = key;
  while (hasKey(db, free)) free += 'x';
  return free;
}

/** The saved hash. A job of a former version may have none yet. */
function inputHashOf(db: DatabaseSync, id: number): number | null {
  const row = statement(db, 'SELECT input_hash FROM jobs WHERE id = ?').get(id);
  return (row === undefined ? null : numberOrNull(row, 'input_hash')) ?? readInputHash(db, id);
}
