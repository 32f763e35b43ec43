import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '../../../src-preload/job.ts';
import type { Forgettable } from '../../../src-preload/storage.ts';
import { removeDocument } from '../file/documents.ts';
import { atomically, flag, number, oneOf, statement, textOrNull, type Row } from '../file/row.ts';
import { phases } from '../jobs/facets.ts';
import { readPlaced, updateJob, type PlacedJob } from '../jobs/jobs.ts';
import { markReread } from '../file/dirty.ts';
import { leftOutChunks } from '../stream/left-out.ts';

/** The position in a walk through ended jobs: after this one. */
export interface EndedPlace {
  endedAtMs: number;
  id: number;
}

/** How many jobs are checked, and how much text is deleted, in one call, because other calls are blocked meanwhile. */
const jobsPerLook = 2_000;
const bytesPerStep = 16_000_000;
const jobsPerStep = 100;

/** One step of the retention rule. */
export interface ForgetStep {
  /** Jobs whose output was deleted. */
  forgotten: Job[];
  /** Null: no job that ended before the moment is left. */
  next: EndedPlace | null;
}

/**
 * Deletes the outputs, streams and raw replies of some jobs that ended before `beforeMs`, after `after`, oldest first.
 * Starred jobs and unfinished ones are skipped. The job itself stays, with its input, its error and its times.
 */
export function forgetOutputs(db: DatabaseSync, beforeMs: number, after: EndedPlace | null, nowMs: number): ForgetStep {
  return atomically(db, () => {
    const looked = endedBefore(db, beforeMs, after);
    const forgotten: Job[] = [];
    let bytes = 0;
    for (const row of looked) {
      const place = placeOf(row);
      if (isForgettable(row)) {
        const [placed] = readPlaced(db, [place.id]);
        if (placed !== undefined) forgotten.push(forgetOutput(db, placed, nowMs));
        bytes += number(row, 'output_bytes');
      }
      if (bytes >= bytesPerStep || forgotten.length >= jobsPerStep) return { forgotten, next: place };
    }
    const last = looked.at(-1);
    return { forgotten, next: looked.length < jobsPerLook || last === undefined ? null : placeOf(last) };
  });
}

/** Adds up what `forgetOutputs` would delete, as far as one call goes. */
export function countForgettable(
  db: DatabaseSync,
  beforeMs: number,
  after: EndedPlace | null,
): Forgettable & { next: EndedPlace | null } {
  const looked = endedBefore(db, beforeMs, after);
  const wanted = looked.filter(isForgettable);
  const last = looked.at(-1);
  return {
    jobs: wanted.length,
    outputBytes: wanted.reduce((sum, row) => sum + number(row, 'output_bytes'), 0),
    next: looked.length < jobsPerLook || last === undefined ? null : placeOf(last),
  };
}

function endedBefore(db: DatabaseSync, beforeMs: number, after: EndedPlace | null): Row[] {
  return statement(
    db,
    `SELECT id, finished_seen_at_ms, phase, is_starred, output_bytes, chunk_count, unsettled_json,
      mark IS NOT NULL OR label IS NOT NULL OR has_note = 1 AS is_judged
    FROM jobs INDEXED BY jobs_by_finish
    WHERE finished_seen_at_ms >= ? AND finished_seen_at_ms < ? AND (finished_seen_at_ms > ? OR id > ?)
    ORDER BY finished_seen_at_ms, id LIMIT ?`,
  ).all(after?.endedAtMs ?? 0, beforeMs, after?.endedAtMs ?? -1, after?.id ?? Number.MIN_SAFE_INTEGER, jobsPerLook);
}

function placeOf(row: Row): EndedPlace {
  return { endedAtMs: number(row, 'finished_seen_at_ms'), id: number(row, 'id') };
}

function isForgettable(row: Row): boolean {
  const phase = oneOf(row, 'phase', phases);
  const unsettled = textOrNull(row, 'unsettled_json') ?? '';
  return (
    (phase === 'finished' || phase === 'gone') &&
    !flag(row, 'is_starred') &&
    !flag(row, 'is_judged') &&
    (number(row, 'output_bytes') > 0 || number(row, 'chunk_count') > 0) &&
    !unsettled.includes('"outputForgottenAtMs"') &&
    !unsettled.includes('"pendingStream"')
  );
}

function forgetOutput(db: DatabaseSync, { id, job }: PlacedJob, nowMs: number): Job {
  statement(db, "DELETE FROM bodies WHERE job = ? AND part IN ('output', 'reply')").run(id);
  for (const table of ['chunk_batches', 'job_images', 'image_unknown'])
    statement(db, `DELETE FROM ${table} WHERE job = ?`).run(id);
  statement(db, 'UPDATE attempts SET has_output = 0, chunk_count = 0 WHERE job = ?').run(id);
  for (let attempt = 1; attempt <= job.attempt; attempt += 1)
    removeDocument(db, leftOutChunks.kind, leftOutChunks.id({ key: job.key, attempt }));
  markReread(db, id);
  return updateJob(db, id, { ...job, chunkCount: 0, outputForgottenAtMs: nowMs }).job;
}
