import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '../../../src-preload/job.ts';
import type { Forgettable } from '../../../src-preload/storage.ts';
import type { TimeSpan } from '../../time/clock-record.ts';
import { removeDocument } from '../file/documents.ts';
import { atomically, flag, number, oneOf, statement, textOrNull, type Row } from '../file/row.ts';
import { phases } from '../jobs/facets.ts';
import { readPlaced, updateJob, type PlacedJob } from '../jobs/jobs.ts';
import { markReread } from '../file/unindexed-jobs.ts';
import { suspectedRepeats } from '../stream/suspected-repeats.ts';
import { usedBytesWithIndex } from './usage.ts';

/** The position in a walk through ended jobs: after this one. */
export interface EndedPlace {
  endedAtMs: number;
  id: number;
}

/** What to delete of the jobs that ended, oldest first. */
export interface ForgetOrder {
  /** Whatever ended before; null: none is too old. */
  tooOldMs: number | null;
  /** Their inputs as well. */
  areInputsDeleted: boolean;
  /** While the history uses more than `maxBytes`, also of jobs that ended before `beforeMs`; null: it may grow. */
  size: { maxBytes: number; beforeMs: number } | null;
  /** What ended in these spans is kept: the clock was doubted then. */
  excludedSpans: readonly TimeSpan[];
}

/** How many jobs are checked, and how much text is deleted, in one call, because other calls are blocked meanwhile. */
const jobsPerCall = 2_000;
const bytesPerStep = 16_000_000;
const jobsPerStep = 100;

/** One step of the retention rule. */
export interface ForgetStep {
  /** The jobs that something was deleted of, as they are now. */
  forgotten: Job[];
  /** Null: the order is carried out. */
  next: EndedPlace | null;
}

/**
 * Deletes the outputs, streams, raw replies and printed lines of some jobs, and their inputs if the order says so,
 * after `after`, oldest first. Jobs with a star, mark, label or note and unfinished ones are skipped. The job itself
 * stays, with its error and its times.
 */
export function forgetBodies(
  db: DatabaseSync,
  order: ForgetOrder,
  after: EndedPlace | null,
  nowMs: number,
): ForgetStep {
  return atomically(db, () => {
    const checked = endedBefore(db, order, after);
    const forgotten: Job[] = [];
    let bytes = 0;
    for (const row of checked) {
      const place = placeOf(row);
      if (!isTooOld(order, place) && usedBytesWithIndex(db) <= (order.size?.maxBytes ?? Infinity))
        return { forgotten, next: null };
      const found = isExcluded(order, place) ? null : bodiesToDelete(db, row, order);
      if (found !== null) {
        const [placed] = readPlaced(db, [place.id]);
        if (placed !== undefined) forgotten.push(deleteBodies(db, placed, found, nowMs));
        bytes += found.bytes;
      }
      if (bytes >= bytesPerStep || forgotten.length >= jobsPerStep) return { forgotten, next: place };
    }
    return { forgotten, next: nextOf(checked) };
  });
}

/** The sum of what `forgetBodies` would delete, up to the job after which counting continues. */
export interface CountedSoFar {
  would: Forgettable;
  after: EndedPlace | null;
  isDone: boolean;
}

/** Continues to add up what `forgetBodies` would delete, as far as one call goes; null: from the beginning. */
export function countForgettable(db: DatabaseSync, order: ForgetOrder, from: CountedSoFar | null): CountedSoFar {
  const would = { ...(from?.would ?? { jobs: 0, freedBytes: 0, usedBytes: usedBytesWithIndex(db) }) };
  const checked = endedBefore(db, order, from?.after ?? null);
  for (const row of checked) {
    const left = would.usedBytes - would.freedBytes;
    if (!isTooOld(order, placeOf(row)) && left <= (order.size?.maxBytes ?? Infinity))
      return { would, after: placeOf(row), isDone: true };
    const found = isExcluded(order, placeOf(row)) ? null : bodiesToDelete(db, row, order);
    if (found === null) continue;
    would.jobs += 1;
    would.freedBytes += found.bytes;
  }
  const after = nextOf(checked);
  return { would, after, isDone: after === null };
}

function endedBefore(db: DatabaseSync, { tooOldMs, size }: ForgetOrder, after: EndedPlace | null): Row[] {
  return statement(
    db,
    `SELECT id, finished_seen_at_ms, phase, is_starred, unsettled_json, retry_asked_at_ms,
      mark IS NOT NULL OR label IS NOT NULL OR note_line IS NOT NULL AS is_judged
    FROM jobs INDEXED BY jobs_by_finish
    WHERE finished_seen_at_ms >= ? AND finished_seen_at_ms < ? AND (finished_seen_at_ms > ? OR id > ?)
    ORDER BY finished_seen_at_ms, id LIMIT ?`,
  ).all(
    after?.endedAtMs ?? 0,
    Math.max(tooOldMs ?? 0, size?.beforeMs ?? 0),
    after?.endedAtMs ?? -1,
    after?.id ?? Number.MIN_SAFE_INTEGER,
    jobsPerCall,
  );
}

function placeOf(row: Row): EndedPlace {
  return { endedAtMs: number(row, 'finished_seen_at_ms'), id: number(row, 'id') };
}

/** Null where these were the last. */
function nextOf(checked: readonly Row[]): EndedPlace | null {
  const last = checked.at(-1);
  return checked.length < jobsPerCall || last === undefined ? null : placeOf(last);
}

function isTooOld({ tooOldMs }: ForgetOrder, { endedAtMs }: EndedPlace): boolean {
  return tooOldMs !== null && endedAtMs < tooOldMs;
}

function isExcluded({ excludedSpans }: ForgetOrder, { endedAtMs }: EndedPlace): boolean {
  return excludedSpans.some(({ fromMs, toMs }) => fromMs <= endedAtMs && endedAtMs <= toMs);
}

interface Bodies {
  hasOutput: boolean;
  hasInput: boolean;
  /** As they are in the file, compressed. */
  bytes: number;
}

/** What there is to delete of a job; null where it keeps everything, or has nothing left. */
function bodiesToDelete(db: DatabaseSync, row: Row, { areInputsDeleted }: ForgetOrder): Bodies | null {
  const phase = oneOf(row, 'phase', phases);
  if ((phase !== 'finished' && phase !== 'gone') || flag(row, 'is_starred') || flag(row, 'is_judged')) return null;
  const unsettled = textOrNull(row, 'unsettled_json') ?? '';
  // A retry that waits to be sent, and a stream that is still being read, are not over.
  if (row['retry_asked_at_ms'] !== null || unsettled.includes('"pendingStream"')) return null;
  // The run of an hour ago has deleted most of them.
  const isDone =
    unsettled.includes('"outputForgottenAtMs"') && (!areInputsDeleted || unsettled.includes('"inputForgottenAtMs"'));
  return isDone ? null : readBodies(db, number(row, 'id'), areInputsDeleted);
}

function readBodies(db: DatabaseSync, id: number, areInputsDeleted: boolean): Bodies | null {
  const parts = statement(
    db,
    `SELECT part, total(length(coalesce(bodies.data, body_pieces.data))) AS size
    FROM bodies LEFT JOIN body_pieces ON body = bodies.id
    WHERE job = ? AND bytes > 0 AND (part IN ('output', 'reply', 'printed') OR (part = 'input' AND ?)) GROUP BY part`,
  ).all(id, Number(areInputsDeleted));
  const stream = statement(
    db,
    'SELECT count(*) AS n, total(length(data)) AS size FROM chunk_batches WHERE job = ?',
  ).get(id);
  const hasStream = stream !== undefined && number(stream, 'n') > 0;
  if (parts.length === 0 && !hasStream) return null;
  return {
    hasOutput: hasStream || parts.some((row) => row['part'] === 'output'),
    hasInput: parts.some((row) => row['part'] === 'input'),
    bytes: [...parts, ...(stream === undefined ? [] : [stream])].reduce((sum, row) => sum + number(row, 'size'), 0),
  };
}

function deleteBodies(db: DatabaseSync, { id, job }: PlacedJob, { hasOutput, hasInput }: Bodies, nowMs: number): Job {
  statement(db, "DELETE FROM bodies WHERE job = ? AND part IN ('output', 'reply', 'printed')").run(id);
  if (hasInput) statement(db, "DELETE FROM bodies WHERE job = ? AND part = 'input'").run(id);
  for (const table of ['chunk_batches', 'job_images', 'image_unknown'])
    statement(db, `DELETE FROM ${table} WHERE job = ?`).run(id);
  statement(db, 'UPDATE attempts SET has_output = 0, chunk_count = 0 WHERE job = ?').run(id);
  for (let attempt = 1; attempt <= job.attempt; attempt += 1)
    removeDocument(db, suspectedRepeats.kind, suspectedRepeats.id({ key: job.key, attempt }));
  markReread(db, id);
  return updateJob(db, id, {
    ...job,
    chunkCount: 0,
    ...(hasOutput ? { outputForgottenAtMs: nowMs } : {}),
    ...(hasInput ? { inputForgottenAtMs: nowMs } : {}),
  }).job;
}
