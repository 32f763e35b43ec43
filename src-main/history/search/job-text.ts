import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '../../../src-preload/job.ts';
import { packText, unpackText, type Packed } from '../file/packed.ts';
import { bytes, number, numberOrNull, statement } from '../file/row.ts';
import { attemptTexts } from '../jobs/attempts.ts';
import { findBodies, type BodyPart, type FoundBody } from '../jobs/bodies.ts';
import type { PlacedJob } from '../jobs/jobs.ts';
import { readNote } from '../jobs/judgements.ts';
import { readChunks } from '../stream/chunks.ts';
import { proseOfBody } from './body-text.ts';
import { marksOf, nameStartsOf } from './query.ts';
import { createStreamText, type StreamText } from './stream-text.ts';
import { codeWords, fieldBorder, indexBorder, indexText, partChars, partsForm, partsText } from './words.ts';

/** How much text of a job is searchable. The rest is saved, but not found by its words. */
export const indexedChars = 262_144;
const inputChars = 98_304;
const errorChars = 32_768;
const noteChars = 32_768;
/** How much of a body is read for the index. */
const readBytes = 4_194_304;
const chunksAtOnce = 2_000;

/** How far a stream was read for the index. */
export interface StreamProgress {
  attempt: number;
  nextSeq: number;
  stream: StreamText;
}

/** Reads the chunks since its last call. Returns the text of all of them. */
export function gather(db: DatabaseSync, id: number, progress: StreamProgress): StreamText {
  while (progress.stream.chars() < indexedChars) {
    const chunks = readChunks(
      db,
      { rowId: id, attempt: progress.attempt },
      { fromSeq: progress.nextSeq, limit: chunksAtOnce },
    );
    for (const chunk of chunks) progress.stream.add(chunk.outputJson);
    progress.nextSeq += chunks.length;
    if (chunks.length < chunksAtOnce) break;
  }
  return progress.stream;
}

/** What a job is found by, apart from its title, ids and tags. */
export interface Prose {
  /** The user's note. */
  note: string;
  /** What the error says in one line, apart from the record it came in, so that a snippet shows it alone. */
  message: string;
  error: string;
  input: string;
  /** Borders separate the parts. */
  output: string;
  workerIds: string[];
}

export const nothingRead: Prose = { note: '', message: '', error: '', input: '', output: '', workerIds: [] };

/** Reads what a job is found by. `streamed` is the text of its current stream. */
export function readProse(db: DatabaseSync, id: number, job: Job, streamed: string): Prose {
  let left = indexedChars;
  const take = (prose: string): string => {
    const kept = prose.slice(0, left);
    left -= kept.length;
    return kept;
  };
  const note = job.noteLine !== undefined ? take(readNote(db, id).slice(0, noteChars)) : '';
  const bodies = findBodies(db, id, ['error', 'input', 'output'], readBytes);
  const { errors, workerIds } = attemptTexts(db, id);
  const message = take(job.reason === null ? '' : reasonText(job.reason).slice(0, errorChars));
  const error = take(
    [...errors.map((raw) => proseOfBody(raw, errorChars)), ...proseOf(bodies, 'error', errorChars)]
      .join('\n')
      .slice(0, errorChars),
  );
  const input = take(proseOf(bodies, 'input', inputChars).join('\n'));
  const output = take(
    [streamed, ...(job.attempt > 1 ? earlierStreams(db, id, job.attempt) : []), ...proseOf(bodies, 'output', left)]
      .filter((prose) => prose !== '')
      .join('\n'),
  );
  return { note, message, error, input, output, workerIds };
}

/** The row of a job in the index. */
export interface IndexRow {
  /** In the form of the full-text index. */
  words: string;
  /** What a snippet is cut from. Null if that is read again from the bodies. */
  text: Packed | null;
}

/** Makes the row of a job in the index. */
export function indexRowOf(job: Job, read: Prose): IndexRow {
  const { note, message, error, input, output } = read;
  const ids = idsOf(job, read);
  const title = titleOf(job);
  const words = [title, wordsOfIds(job, ids), note, message, error, input, ...output.split(fieldBorder)]
    .map(indexText)
    .filter((field) => field !== '');
  const parts = partsText([
    ...ids,
    ...job.tags,
    ...codeWords(`${title}\n${note}\n${message}\n${error}\n${input}\n${output}`),
  ]);
  return {
    words: [...words, parts, nameStartsOf(title), ...marksOf(job)].join(indexBorder),
    text: isReadAgain(job) && read !== nothingRead ? null : packText(searchText(job, read)),
  };
}

/** Writes a job's row in the index, replacing the former one. `isNew`: there is none. */
export function writeIndex(db: DatabaseSync, id: number, { words, text }: IndexRow, isNew: boolean): void {
  if (!isNew) removeIndexed(db, id);
  statement(db, 'INSERT INTO search (rowid, words) VALUES (?, ?)').run(id, words);
  if (text !== null)
    statement(db, 'INSERT INTO search_texts (job, encoding, data) VALUES (?, ?, ?)').run(id, text.encoding, text.data);
}

/** Removes a job from the full-text index, if it is in it. */
export function removeIndexed(db: DatabaseSync, id: number): void {
  statement(db, 'DELETE FROM search WHERE rowid = ?').run(id);
  statement(db, 'DELETE FROM search_texts WHERE job = ?').run(id);
}

/** The last job in the index, or null. */
export function lastIndexed(db: DatabaseSync): number | null {
  const row = statement(db, 'SELECT max(id) AS last FROM search_docsize').get();
  return row === undefined ? null : numberOrNull(row, 'last');
}

/**
 * If its bodies have this many bytes together, they are read again for a snippet, because keeping their text costs
 * more.
 */
const readAgainBytes = 65_536;

/** Whether the text of a job is read again from its bodies when a snippet is wanted. */
function isReadAgain(job: Job): boolean {
  return job.attempt === 1 && job.chunkCount === 0 && job.inputBytes + job.outputBytes <= readAgainBytes;
}

function idsOf(job: Job, { workerIds }: Prose): string[] {
  return [job.key, job.jobId ?? '', job.endpointId, ...workerIds].filter((word) => word !== '');
}

/**
 * The ids that are in the index as words: the endpoint's, and those too short for parts. All are found by their parts;
 * words that no other job has would be a third of all words that a transaction adds to the index (docs/decisions/148).
 */
function wordsOfIds(job: Job, ids: readonly string[]): string {
  return [job.endpointId, ...ids.filter((id) => partsForm(id).length < partChars)].join('\n');
}

const namesOf = (job: Job): string[] => [...job.tags, ...(job.label === undefined ? [] : [job.label])];
const titleOf = (job: Job): string => [job.title, ...namesOf(job)].join('\n');

/** What a snippet is cut from, with borders between fields: everything but the title, which is in the row. */
function searchText(job: Job, read: Prose): string {
  return [
    read.note,
    read.message,
    read.error,
    read.output,
    read.input,
    idsOf(job, read).join('\n'),
    namesOf(job).join('\n'),
  ]
    .filter((field) => field !== '')
    .join(fieldBorder);
}

function proseOf(bodies: readonly FoundBody[], wanted: BodyPart, cap: number): string[] {
  return bodies.flatMap(({ part, text }) => (part === wanted ? [proseOfBody(text, cap)] : []));
}

/** Streamed text of the attempts before a retry. */
function earlierStreams(db: DatabaseSync, id: number, currentAttempt: number): string[] {
  return statement(
    db,
    'SELECT DISTINCT attempt FROM chunk_batches WHERE job = ? AND attempt <> ? ORDER BY attempt DESC',
  )
    .all(id, currentAttempt)
    .map((row) => {
      const attempt = number(row, 'attempt');
      return gather(db, id, { attempt, nextSeq: 0, stream: createStreamText(indexedChars) }).text();
    });
}

/** The text a job is found by, apart from its title, with borders between fields. Empty if it could not be read. */
export function readSearchText(db: DatabaseSync, { id, job }: PlacedJob): string {
  const row = statement(db, 'SELECT encoding, data FROM search_texts WHERE job = ?').get(id);
  if (row !== undefined) return unpackText({ encoding: number(row, 'encoding'), data: bytes(row, 'data') });
  return isReadAgain(job) ? searchText(job, readProse(db, id, job, '')) : '';
}
