import type { DatabaseSync } from 'node:sqlite';
import { hasImage, hasImageAddress } from '../../../src-preload/base64-images.ts';
import { number, statement } from '../file/row.ts';
import { readChunks } from '../stream/chunks.ts';
import { findBodies } from './bodies.ts';

/** How much of a long answer is searched. */
const searchedChars = 4_194_304;
/** A part of a stream that is searched in one go: as much as a page of it. */
const partChunks = 4_000;
const partChars = 524_288;
/** An idle step ends after this many bodies or parts of a stream, or when it has read `searchedChars`. */
const partsPerStep = 8;

/** Whether an answer in JSON contains an image or links to one, as the Output tab shows them. */
function holdsImage(json: string): boolean {
  const text = json.length > searchedChars ? json.slice(0, searchedChars) : json;
  return hasImage(text) || hasImageAddress(text);
}

/** Notes that the job's answer has an image, if one of these texts does. Returns whether one does. */
export function noteImages(db: DatabaseSync, job: number, answers: readonly string[]): boolean {
  const isFound = answers.some(holdsImage);
  if (isFound) statement(db, 'INSERT OR IGNORE INTO job_images (job) VALUES (?)').run(job);
  return isFound;
}

/**
 * Searches some answers that were saved before images were noted: first the bodies of a job, then its streams, part by
 * part. Returns whether there may be more.
 */
export function findImages(db: DatabaseSync): boolean {
  let chars = 0;
  for (let parts = 0; parts < partsPerStep && chars < searchedChars; parts += 1) {
    const row = statement(db, 'SELECT job, attempt, from_seq FROM image_unknown ORDER BY job DESC LIMIT 1').get();
    if (row === undefined) return false;
    chars += searchOn(db, number(row, 'job'), number(row, 'attempt'), number(row, 'from_seq'));
  }
  return true;
}

/** Searches the bodies of a job (attempt 0), or a part of an attempt's stream. Returns how many characters it read. */
function searchOn(db: DatabaseSync, job: number, attempt: number, fromSeq: number): number {
  const chunks =
    attempt === 0 ? [] : readChunks(db, { rowId: job, attempt }, { fromSeq, limit: partChunks, maxChars: partChars });
  const answers =
    attempt === 0
      ? findBodies(db, job, ['output'], searchedChars).map(({ text }) => text)
      : chunks.map(({ outputJson }) => outputJson);
  const next = chunks.length > 0 ? { attempt, fromSeq: fromSeq + chunks.length } : nextStream(db, job, attempt);
  if (noteImages(db, job, answers) || next === null) statement(db, 'DELETE FROM image_unknown WHERE job = ?').run(job);
  else
    statement(db, 'UPDATE image_unknown SET attempt = ?, from_seq = ? WHERE job = ?').run(
      next.attempt,
      next.fromSeq,
      job,
    );
  return answers.reduce((chars, answer) => chars + answer.length, 0);
}

/** The beginning of the stream of the next attempt that has one. Null if there is none. */
function nextStream(db: DatabaseSync, job: number, attempt: number): { attempt: number; fromSeq: number } | null {
  const row = statement(db, 'SELECT min(attempt) AS next FROM chunk_batches WHERE job = ? AND attempt > ?').get(
    job,
    attempt,
  );
  return row === undefined || row['next'] === null ? null : { attempt: number(row, 'next'), fromSeq: 0 };
}
