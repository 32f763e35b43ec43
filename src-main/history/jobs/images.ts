import type { DatabaseSync } from 'node:sqlite';
import { hasImage, hasImageAddress } from '../../../src-preload/base64-images.ts';
import { number, statement } from '../file/row.ts';
import { readChunks } from '../stream/chunks.ts';
import { findBodies } from './job-details.ts';

/** How much of a long answer is searched. */
const searchedChars = 4_194_304;
const chunksLookedAt = 500;
/** How many answers of former versions are searched in one idle step. */
const jobsPerStep = 8;

/** Whether an answer in JSON contains an image or links to one, as the Output tab shows them. */
function holdsImage(json: string): boolean {
  const text = json.length > searchedChars ? json.slice(0, searchedChars) : json;
  return hasImage(text) || hasImageAddress(text);
}

/** Notes that the job's answer has an image, if one of these texts does. */
export function noteImages(db: DatabaseSync, job: number, answers: readonly string[]): void {
  if (answers.some(holdsImage)) statement(db, 'INSERT OR IGNORE INTO job_images (job) VALUES (?)').run(job);
}

/** Searches some answers that were saved before images were noted. Returns whether there may be more. */
export function findImages(db: DatabaseSync): boolean {
  const jobs = statement(db, 'SELECT job FROM image_unknown ORDER BY job DESC LIMIT ?')
    .all(jobsPerStep)
    .map((row) => number(row, 'job'));
  for (const job of jobs) {
    noteImages(db, job, [
      ...findBodies(db, job, ['output'], searchedChars).map(({ text }) => text),
      ...chunksOf(db, job),
    ]);
    statement(db, 'DELETE FROM image_unknown WHERE job = ?').run(job);
  }
  return jobs.length === jobsPerStep;
}

function chunksOf(db: DatabaseSync, job: number): string[] {
  return statement(db, 'SELECT DISTINCT attempt FROM chunk_batches WHERE job = ?')
    .all(job)
    .flatMap((row) => readChunks(db, job, number(row, 'attempt'), 0, chunksLookedAt))
    .map(({ outputJson }) => outputJson);
}
