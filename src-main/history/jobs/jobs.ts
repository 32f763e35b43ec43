import type { DatabaseSync } from 'node:sqlite';
import { tagBounds } from '../../../src-preload/bounds.ts';
import { isLive, type Job, type RequestRecord } from '../../../src-preload/job.ts';
import { number, statement, text, atomically } from '../file/row.ts';
import { countChunks } from '../stream/chunks.ts';
import { InsertedJobs } from './inserted-jobs.ts';
import { facetOf, readFacets } from './facets.ts';
import { jobsOfBlocks } from './id-blocks.ts';
import { noteImages } from './images.ts';
import { hashOfInput } from './input-hash.ts';
import { cellNames, cellsOf, jobOf } from './job-row.ts';
import { isFailure, statusWordOf } from '../../../src-preload/history.ts';
import { withOwnFields } from '../own-fields.ts';
import type { JobCommit } from '../records.ts';
import { markDirty } from '../file/unindexed-jobs.ts';
import { hasBody, insertBody, writeBody } from './bodies.ts';
import { insertAttempt, writeAttempt } from './attempts.ts';
import { insertRequests, missingRequests, readRequests } from './requests.ts';
import { insertSubmission } from './submissions.ts';

/** A job with the database's own id. */
export interface PlacedJob {
  id: number;
  job: Job;
}

/** The job with this `key`, or null. */
export function findJob(db: DatabaseSync, key: string): PlacedJob | null {
  const row = statement(db, 'SELECT * FROM jobs WHERE key = ?').get(key);
  return row === undefined ? null : { id: number(row, 'id'), job: jobOf(row) };
}

/** The database's id of a job that must exist. */
export function requireJob(db: DatabaseSync, key: string): PlacedJob {
  const found = findJob(db, key);
  if (found === null) throw new Error(`There is no job ${key} in the history.`);
  return found;
}

/** Jobs by id, in the order of the ids. */
export function readJobs(db: DatabaseSync, ids: readonly number[]): Job[] {
  return readPlaced(db, ids).map(({ job }) => job);
}

/** As `readJobs`, each with its id. */
export function readPlaced(db: DatabaseSync, ids: readonly number[]): PlacedJob[] {
  const read = statement(db, 'SELECT * FROM jobs WHERE id = ?');
  return ids.flatMap((id) => {
    const row = read.get(id);
    return row === undefined ? [] : [{ id, job: jobOf(row) }];
  });
}

/** Jobs whose retry waits to be sent, in the order of the requests. */
export function readJobsToRetry(db: DatabaseSync): Job[] {
  return statement(
    db,
    'SELECT * FROM jobs INDEXED BY jobs_to_retry WHERE retry_asked_at_ms IS NOT NULL ORDER BY retry_asked_at_ms',
  )
    .all()
    .map(jobOf);
}

/**
 * Jobs in the phases waiting, submitting and active, oldest first. Read in one query, because there may be tens of
 * thousands.
 */
export function readLiveJobs(db: DatabaseSync): Job[] {
  const facets = readFacets(db).filter(isLive);
  return statement(
    db,
    'SELECT * FROM jobs INDEXED BY jobs_by_facet WHERE facet IN (SELECT value FROM json_each(?)) ORDER BY id',
  )
    .all(JSON.stringify(facets.map(({ id }) => id)))
    .map(jobOf);
}

/** The keys of the live jobs, and of those whose outcome is unknown. */
export function readUnendedKeys(db: DatabaseSync): string[] {
  const facets = readFacets(db).filter((facet) => isLive(facet) || facet.phase === 'outcome-unknown');
  return statement(
    db,
    'SELECT key FROM jobs INDEXED BY jobs_by_facet WHERE facet IN (SELECT value FROM json_each(?)) ORDER BY id',
  )
    .all(JSON.stringify(facets.map(({ id }) => id)))
    .map((row) => text(row, 'key'));
}

/** Whether any job has this id at its service. */
export function isJobIdKnown(db: DatabaseSync, jobId: string): boolean {
  const sql = `SELECT 1 AS found FROM ${jobsOfBlocks('jobs_by_job_id')} AND j.job_id = ? LIMIT 1`;
  return statement(db, sql).get(jobId) !== undefined;
}

/** The newest job of any service with this id, or null. */
export function findNewestByServiceId(db: DatabaseSync, jobId: string): PlacedJob | null {
  const sql = `SELECT j.key FROM ${jobsOfBlocks('jobs_by_job_id')} AND j.job_id = ? ORDER BY j.id DESC LIMIT 1`;
  const row = statement(db, sql).get(jobId);
  return row === undefined ? null : findJob(db, text(row, 'key'));
}

/** Jobs with the service's id on one endpoint of one service, newest first. */
export function findJobsByServiceId(db: DatabaseSync, baseUrl: string, endpointId: string, jobId: string): Job[] {
  return statement(
    db,
    `SELECT j.* FROM ${jobsOfBlocks('jobs_by_job_id')} AND j.job_id = ? AND j.base_url = ? AND j.endpoint_id = ?
    ORDER BY j.id DESC`,
  )
    .all(jobId, baseUrl, endpointId)
    .map(jobOf);
}

/** The newest of `findJobsByServiceId` with its id, or null. */
export function findPlacedByServiceId(
  db: DatabaseSync,
  baseUrl: string,
  endpointId: string,
  jobId: string,
): PlacedJob | null {
  const [newest] = findJobsByServiceId(db, baseUrl, endpointId, jobId);
  return newest === undefined ? null : findJob(db, newest.key);
}

const insertSql = `INSERT INTO jobs (id, key, facet, input_hash, ${cellNames.join(', ')})
  VALUES (?, ?, ?, ?${', ?'.repeat(cellNames.length)})`;
const updateSql = `UPDATE jobs SET facet = ?, ${cellNames.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`;

/** Inserts a new job. It is not counted yet. */
function insertJob(db: DatabaseSync, job: Job, inputText: string, inserted: InsertedJobs): PlacedJob {
  const fresh: Job = { ...job, tags: uniqueTags(job.tags), chunkCount: 0, requestCount: 0 };
  const { id, facet } = inserted.place(fresh);
  return insertPlaced(db, { id, job: fresh }, facet, hashOfInput(inputText));
}

/** Inserts the row of a new job and its tags, unchanged. The caller, which placed it, counts it too. */
export function insertPlaced(db: DatabaseSync, placed: PlacedJob, facet: number, inputHash: number | null): PlacedJob {
  const { id, job } = placed;
  statement(db, insertSql).run(id, job.key, facet, inputHash, ...cellsOf(job));
  writeTagRows(db, id, uniqueTags(job.tags));
  return placed;
}

/**
 * Replaces a job, except for what others own: the user's fields (own-fields.ts) and the counts of what is stored stay
 * as they are.
 */
function replaceJob(db: DatabaseSync, kept: PlacedJob, job: Job): PlacedJob {
  const { outputForgottenAtMs: _output, inputForgottenAtMs: _input, ...own } = withOwnFields(job, kept.job);
  return updateJob(db, kept.id, {
    ...own,
    requestCount: kept.job.requestCount,
    chunkCount: countChunks(db, { rowId: kept.id, attempt: job.attempt }),
    ...forgottenOf(kept.job, job),
  });
}

/** What the retention rule deleted stays deleted, even if the caller still has it. A new attempt gets a new output. */
function forgottenOf(
  { attempt, outputForgottenAtMs, inputForgottenAtMs }: Job,
  job: Job,
): Pick<Job, 'outputForgottenAtMs' | 'inputForgottenAtMs'> {
  return {
    ...(outputForgottenAtMs === undefined || attempt !== job.attempt ? {} : { outputForgottenAtMs }),
    ...(inputForgottenAtMs === undefined ? {} : { inputForgottenAtMs }),
  };
}

/** Writes a job unchanged. */
export function updateJob(db: DatabaseSync, id: number, job: Job): PlacedJob {
  statement(db, updateSql).run(facetOf(db, job), ...cellsOf(job), id);
  return { id, job };
}

/** As `updateJob`, by its key. */
export function updateJobByKey(db: DatabaseSync, job: Job): void {
  updateJob(db, requireJob(db, job.key).id, job);
}

/** Writes only the two counts, because chunks are appended far more often than anything else changes. */
export function writeCounts(db: DatabaseSync, id: number, chunkCount: number, requestCount: number): void {
  statement(db, 'UPDATE jobs SET chunk_count = ?, request_count = ? WHERE id = ?').run(chunkCount, requestCount, id);
}

/** Replaces the user's tags of a job, without duplicates. */
function writeTags(db: DatabaseSync, { id, job }: PlacedJob, tags: readonly string[]): PlacedJob {
  const remove = statement(db, 'DELETE FROM job_tags WHERE tag = ? AND job = ?');
  for (const tag of job.tags) remove.run(tag, id);
  const kept = uniqueTags(tags);
  writeTagRows(db, id, kept);
  return updateJob(db, id, { ...job, tags: kept });
}

function writeTagRows(db: DatabaseSync, id: number, tags: readonly string[]): void {
  for (const tag of tags) statement(db, 'INSERT INTO job_tags (tag, job) VALUES (?, ?)').run(tag, id);
}

function uniqueTags(tags: readonly string[]): string[] {
  return [...new Set(tags)];
}

/** The least id after every job whose key is below `key`: where a page before `key` begins. */
export function idBefore(db: DatabaseSync, key: string): number {
  const at = statement(db, 'SELECT id FROM jobs WHERE key = ?').get(key);
  if (at !== undefined) return number(at, 'id');
  const below = statement(db, 'SELECT id FROM jobs WHERE key < ? ORDER BY key DESC LIMIT 1').get(key);
  return below === undefined ? Number.MIN_SAFE_INTEGER : number(below, 'id') + 1;
}

/** Applies all changes or none. Returns the jobs afterwards. */
export function commit(db: DatabaseSync, changes: readonly JobCommit[]): Job[] {
  return atomically(db, () => {
    const inserted = new InsertedJobs(db);
    const jobs = changes.map((change) => applyChange(db, change, inserted));
    inserted.written();
    return jobs;
  });
}

function applyChange(db: DatabaseSync, change: JobCommit, inserted: InsertedJobs): Job {
  const kept = inserted.isNewest(change.job.key) ? null : findJob(db, change.job.key);
  const inputText = change.submission?.inputText ?? '';
  const placed = kept === null ? insertJob(db, change.job, inputText, inserted) : replaceJob(db, kept, change.job);
  const { id } = placed;
  if (kept === null) {
    insertSubmission(
      db,
      id,
      change.submission ?? { inputText: '', policy: change.job.policy, webhook: null, waitMs: null, s3ProfileId: null },
    );
  }
  const isAttemptReworded =
    change.attempt !== undefined &&
    (kept === null ? insertAttempt(db, id, change.attempt) : writeAttempt(db, id, change.attempt));
  const saveBody = kept === null ? insertBody : writeBody;
  for (const { text, replacesNothing, ...name } of change.bodies ?? [])
    if (replacesNothing !== true || !hasBody(db, id, name)) saveBody(db, id, name, text);
  noteImages(
    db,
    id,
    (change.bodies ?? []).filter(({ part }) => part === 'output').map(({ text: json }) => json),
  );
  const requests = newRequests(db, id, change.requests ?? [], change.isAgain);
  const job = requests.length === 0 ? placed.job : addRequests(db, id, placed.job, requests);
  // New jobs after all others are marked together (inserted-jobs.ts).
  if (
    kept === null
      ? !inserted.isNoted(id)
      : isAttemptReworded || change.bodies !== undefined || isReworded(kept.job, job)
  )
    markDirty(db, id, true, inserted.change);
  // In the next idle time it is assigned to its cause, or removed from it.
  if (isFailedJob(job) || (kept !== null && isFailedJob(kept.job)))
    statement(db, 'INSERT OR IGNORE INTO failures_unsorted (job) VALUES (?)').run(id);
  return job;
}

function isFailedJob(job: Job): boolean {
  return isFailure(statusWordOf(job));
}

/** True if other words or filters would find the job now. */
function isReworded(before: Job, after: Job): boolean {
  return (
    before.title !== after.title ||
    JSON.stringify(before.reason) !== JSON.stringify(after.reason) ||
    before.jobId !== after.jobId ||
    isLive(before) !== isLive(after) ||
    statusWordOf(before) !== statusWordOf(after)
  );
}

function newRequests(
  db: DatabaseSync,
  id: number,
  requests: readonly Omit<RequestRecord, 'id'>[],
  isAgain: true | undefined,
): readonly Omit<RequestRecord, 'id'>[] {
  return isAgain === true ? missingRequests(readRequests(db, id), requests) : requests;
}

function addRequests(db: DatabaseSync, id: number, job: Job, requests: readonly Omit<RequestRecord, 'id'>[]): Job {
  insertRequests(db, id, requests);
  const requestCount = job.requestCount + requests.length;
  writeCounts(db, id, job.chunkCount, requestCount);
  return { ...job, requestCount };
}

/** Adds request records to a job. If it was deleted meanwhile, they are dropped. `isAgain` as in `JobCommit`. */
export function recordRequests(
  db: DatabaseSync,
  key: string,
  requests: readonly Omit<RequestRecord, 'id'>[],
  isAgain?: true,
): void {
  atomically(db, () => {
    const found = findJob(db, key);
    if (found !== null) addRequests(db, found.id, found.job, newRequests(db, found.id, requests, isAgain));
  });
}

/** Sets or removes the user's star. Null if there is no such job. */
export function setStarred(db: DatabaseSync, key: string, isStarred: boolean): Job | null {
  return atomically(db, () => {
    const kept = findJob(db, key);
    if (kept === null || kept.job.isStarred === isStarred) return kept?.job ?? null;
    markDirty(db, kept.id, true);
    return updateJob(db, kept.id, { ...kept.job, isStarred }).job;
  });
}

/** Replaces the user's tags. Null when there is no such job. */
export function setTags(db: DatabaseSync, key: string, tags: readonly string[]): Job | null {
  return atomically(db, () => {
    const kept = findJob(db, key);
    if (kept === null) return null;
    markDirty(db, kept.id, true);
    return writeTags(db, kept, tags).job;
  });
}

/** Tags that a job gets, and tags that it loses. */
export interface TagChange {
  add: readonly string[];
  remove: readonly string[];
}

/**
 * Adds and removes tags; the job's others stay. Null when there is no such job. If it would have more than
 * `tagBounds.max`, nothing changes.
 */
export function changeTags(db: DatabaseSync, key: string, { add, remove }: TagChange): Job | null | 'too-many' {
  return atomically(db, () => {
    const kept = findJob(db, key);
    if (kept === null) return null;
    const tags = [...new Set([...kept.job.tags.filter((tag) => !remove.includes(tag)), ...add])];
    if (tags.length > tagBounds.max) return 'too-many';
    markDirty(db, kept.id, true);
    return writeTags(db, kept, tags).job;
  });
}

/** Marks jobs as seen or not seen. Returns those that change. */
export function markSeen(db: DatabaseSync, keys: readonly string[], isSeen = true): Job[] {
  return atomically(db, () =>
    keys.flatMap((key) => {
      const kept = findJob(db, key);
      return kept === null || kept.job.isSeen === isSeen ? [] : [updateJob(db, kept.id, { ...kept.job, isSeen }).job];
    }),
  );
}
