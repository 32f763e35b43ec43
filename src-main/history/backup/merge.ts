import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Job } from '../../../src-preload/job.ts';
import { isLive } from '../../../src-preload/job.ts';
import { titleFromInput } from '../../../src-preload/job-title.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { readDocuments } from '../file/documents.ts';
import { isRefusedForNow } from '../file/integrity.ts';
import { atomically, number, statement, text } from '../file/row.ts';
import { readAttempts } from '../jobs/attempts.ts';
import { missingRequests, readRequests } from '../jobs/requests.ts';
import { readSubmission } from '../jobs/submissions.ts';
import { cellsOf } from '../jobs/job-row.ts';
import { readNote } from '../jobs/judgements.ts';
import { findJob, findPlacedByServiceId, readLiveJobs, type PlacedJob } from '../jobs/jobs.ts';
import { InsertedJobs } from '../jobs/inserted-jobs.ts';
import { copyJob, copyBodies, joinBatch, markMerged, mergeStreams, putMergedJob } from './merge-rows.ts';
import { asComingFrom, mergeJobs, type KnownJob, type MergeConnection } from './merge-rule.ts';
import { backupText } from '../../messages/backup.ts';

/** A page ends after this time, because saves are blocked meanwhile. */
const pageMs = 6;

/** The result of merging a page. */
export interface MergedPage {
  /** Jobs that are new here. */
  added: Job[];
  /** Jobs that were here before and are more complete now. */
  enriched: Job[];
  known: number;
  /** Jobs that are live here, by their key there and here. They are merged one by one, as serialised changes. */
  live: { theirKey: string; key: string }[];
  /** The last job of the page. Null at the end. */
  lastKey: string | null;
}

const opened = new WeakMap<DatabaseSync, { path: string; incoming: DatabaseSync }>();

/** The other history, open for reading until `endMerge`. */
function incomingOf(db: DatabaseSync, path: string): DatabaseSync {
  const known = opened.get(db);
  if (known?.path === path) return known.incoming;
  endMerge(db);
  const incoming = new DatabaseSync(path, { readOnly: true });
  opened.set(db, { path, incoming });
  return incoming;
}

/** Closes the other history. */
export function endMerge(db: DatabaseSync): void {
  opened.get(db)?.incoming.close();
  opened.delete(db);
}

/** Merges the next jobs of the history at `path`, after `afterKey`. */
export function mergePage(
  db: DatabaseSync,
  path: string,
  afterKey: string | null,
  connections: readonly MergeConnection[],
): MergedPage {
  const incoming = incomingOf(db, path);
  return mergeKeys(db, incoming, keysAfter(incoming, afterKey ?? ''), { connections, forMs: pageMs });
}

function* keysAfter(incoming: DatabaseSync, afterKey: string): Generator<string> {
  for (const row of statement(incoming, 'SELECT key FROM jobs WHERE key > ? ORDER BY key').iterate(afterKey))
    yield text(row, 'key');
}

/** Merges jobs of the open history `incoming`, by their keys there, in this order, until `forMs` have passed. */
export function mergeKeys(
  db: DatabaseSync,
  incoming: DatabaseSync,
  keys: Iterable<string>,
  { connections, forMs }: { connections: readonly MergeConnection[]; forMs: number },
): MergedPage {
  const page: MergedPage = { added: [], enriched: [], known: 0, live: [], lastKey: null };
  const endsAtMs = performance.now() + forMs;
  const inserted = new InsertedJobs(db);
  for (const key of keys) {
    const theirs = requirePlaced(incoming, key);
    const here = hereOf(db, theirs.job);
    if (here !== null && isLive(here.job)) page.live.push({ theirKey: key, key: here.job.key });
    else {
      const { kind, job } = mergePlaced(db, incoming, { here, theirs }, connections, inserted);
      if (kind === 'known') page.known += 1;
      else page[kind].push(job);
    }
    page.lastKey = key;
    if (performance.now() >= endsAtMs) break;
  }
  inserted.written();
  return page;
}

/** What became of a job that was merged, and the job as it is here now. */
export interface MergedJob {
  kind: 'added' | 'enriched' | 'known';
  job: Job;
}

/** Merges one job of the history at `path`, even if it is live here. */
export function mergeOne(
  db: DatabaseSync,
  path: string,
  theirKey: string,
  connections: readonly MergeConnection[],
): MergedJob {
  return mergeFrom(db, incomingOf(db, path), theirKey, connections);
}

/** As `mergeOne`, from a history that is open. */
export function mergeFrom(
  db: DatabaseSync,
  incoming: DatabaseSync,
  theirKey: string,
  connections: readonly MergeConnection[],
): MergedJob {
  const theirs = requirePlaced(incoming, theirKey);
  const inserted = new InsertedJobs(db);
  const merged = mergePlaced(db, incoming, { here: hereOf(db, theirs.job), theirs }, connections, inserted);
  inserted.written();
  return merged;
}

/** `inserted` counts the jobs that are new here, and its `written` is called by the caller. */
function mergePlaced(
  db: DatabaseSync,
  incoming: DatabaseSync,
  { here, theirs: placed }: { here: PlacedJob | null; theirs: PlacedJob },
  connections: readonly MergeConnection[],
  inserted: InsertedJobs,
): MergedJob {
  const theirs = { ...placed, job: withOriginHere(db, incoming, placed.job) };
  if (here !== null) return enrich(db, incoming, here, theirs, connections);
  const coming = { ...theirs, job: asComingFrom(theirs.job, connections) };
  const { id, job } = copyJob(db, incoming, coming, (copied) => inserted.place(copied));
  markMerged(db, id);
  return { kind: 'added', job };
}

function requirePlaced(db: DatabaseSync, key: string): PlacedJob {
  const found = findJob(db, key);
  if (found === null) throw new Error(backupText.jobLost(key));
  return found;
}

/** The same job here: by the service's id if it has one, otherwise by Jobdeck's own key. */
function hereOf(db: DatabaseSync, theirs: Job): PlacedJob | null {
  const byKey = findJob(db, theirs.key);
  if (byKey !== null && isSame(byKey.job, theirs)) return byKey;
  if (theirs.jobId === null) return null;
  return findPlacedByServiceId(db, theirs.baseUrl, theirs.endpointId, theirs.jobId);
}

/** They have the same key and are not two different jobs of the service. */
function isSame(mine: Job, theirs: Job): boolean {
  return mine.jobId === null || theirs.jobId === null || mine.jobId === theirs.jobId;
}

function withOriginHere(db: DatabaseSync, incoming: DatabaseSync, job: Job): Job {
  if (job.originKey === undefined) return job;
  const origin = findJob(incoming, job.originKey);
  const here = origin === null ? null : hereOf(db, origin.job);
  return here === null ? job : { ...job, originKey: here.job.key };
}

function knownOf(db: DatabaseSync, { id }: PlacedJob, job: Job, inputText: string): KnownJob {
  const automaticTitle = titleFromInput(inputText, job.endpointId);
  return { job, attempts: readAttempts(db, id), note: readNote(db, id), automaticTitle };
}

function enrich(
  db: DatabaseSync,
  incoming: DatabaseSync,
  here: PlacedJob,
  theirs: PlacedJob,
  connections: readonly MergeConnection[],
): { kind: 'enriched' | 'known'; job: Job } {
  const submission = readSubmission(incoming, theirs.id);
  const mine = knownOf(db, here, here.job, readSubmission(db, here.id).inputText);
  const merged = mergeJobs(mine, knownOf(incoming, theirs, theirs.job, submission.inputText), connections);
  const isInputNew = copyBodies(db, here.id, incoming, theirs.id);
  const isStreamNew = mergeStreams(db, here.id, incoming, theirs.id);
  const requests = missingRequests(readRequests(db, here.id), readRequests(incoming, theirs.id));
  const isRicher = isInputNew || isStreamNew || requests.length > 0;
  const stateOf = ({ job, attempts, note }: Omit<KnownJob, 'automaticTitle'>): string =>
    JSON.stringify([cellsOf(job), attempts, note]);
  // If there is nothing new, nothing is written and nothing is indexed again.
  if (!isRicher && stateOf(merged) === stateOf(mine)) return { kind: 'known', job: here.job };
  if (merged.job.batchId !== here.job.batchId && merged.job.batchId !== null)
    joinBatch(db, incoming, merged.job.batchId);
  return { kind: 'enriched', job: putMergedJob(db, here.id, { ...merged, requests }) };
}

/**
 * Merges the history at `path` into one that is to take its place, as far as its jobs are needed there: those that the
 * service has or may have, which are tracked again as soon as their connection is known, and those of `keys`, because
 * it knows how they went on. Damage there is often why it is replaced, so what cannot be read is left out. Returns the
 * jobs of the first kind that this one lacks now. Null: it is not known which these are. Throws, changing nothing, if
 * the disk refuses.
 */
export function mergePresent(db: DatabaseSync, path: string, keys: readonly string[]): Job[] | null {
  const connections = readDocuments(db, 'connection').flatMap(({ json }) => {
    const read = mergeConnection.safeParse(parseJson(json));
    return read.success ? [read.data] : [];
  });
  try {
    return atomically(db, () => {
      const incoming = orUnread(() => incomingOf(db, path));
      const sent = incoming === null ? null : orUnread(() => readSentJobs(incoming));
      if (incoming === null || sent === null) return null;
      const known = keys.filter((key) => orUnread(() => findJob(incoming, key)) !== null);
      for (const key of new Set([...known, ...sent.map(({ key }) => key)]))
        orUnread(() => atomically(db, () => mergeOne(db, path, key, connections)));
      return sent.filter((job) => hereOf(db, job) === null);
    });
  } finally {
    endMerge(db);
  }
}

/** The jobs that the service has or may have. */
function readSentJobs(db: DatabaseSync): Job[] {
  return readLiveJobs(db).filter(({ phase }) => phase !== 'waiting');
}

/** Null if `read` fails for a reason that stays. */
function orUnread<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isRefusedForNow(error)) throw error;
    return null;
  }
}

const mergeConnection = z.object({ id: z.string(), baseUrl: z.string() });

/** How many jobs the history at `path` has. */
export function countIncoming(db: DatabaseSync, path: string): number {
  const row = statement(incomingOf(db, path), 'SELECT count(*) AS jobs FROM jobs').get();
  return row === undefined ? 0 : number(row, 'jobs');
}
