import { closeSync, openSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { attemptsOf, estimateCost, type EndpointCost } from '../../../src-preload/cost.ts';
import type { ExportFormat } from '../../../src-preload/export.ts';
import type { JobFilter, JobSort } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { idsOfBatch } from '../jobs/batches.ts';
import { readNote } from '../jobs/judgements.ts';
import { readAttempts } from '../jobs/attempts.ts';
import { readBody } from '../jobs/bodies.ts';
import { findJob, idBefore, readJobs } from '../jobs/jobs.ts';
import { newestIds } from '../list/list.ts';
import { sortedIds } from '../list/sorted.ts';
import { prepareQuery, type ListQuery } from '../list/sources.ts';
import { chunkPages } from '../stream/chunks.ts';
import type { ExportedJob } from './exported-job.ts';
import { formatWriters } from './formats.ts';
import { tableRow, type SavedTable } from './table.ts';

/** A page ends after this many jobs, or this many characters, because other calls are blocked meanwhile. */
const pageJobs = 100;
const pageChars = 2_000_000;
/** A stream is written in pieces of about this many characters. */
const pieceChars = 524_288;

/** Where the next page of an export begins: after `after`, where the page before it ended. Null: at the beginning. */
export type ExportPageSource =
  /** These, in the given order. */
  | { kind: 'jobs'; keys: string[] }
  | { kind: 'filter'; filter: JobFilter; sort: JobSort | null; after: string | null }
  | { kind: 'batch'; id: string; after: string | null };

/** One page to append to a file. */
export interface ExportPage {
  path: string;
  format: ExportFormat | SavedTable;
  source: ExportPageSource;
  /** How many jobs the pages before it have written. */
  before: number;
  /** Names of connections by id. */
  connectionNames: Record<string, string>;
  costs: Pick<EndpointCost, 'connectionId' | 'endpointId' | 'rates'>[];
}

/** What was appended. */
export interface WrittenPage {
  jobs: number;
  /** How many jobs of the source were processed, including missing ones. 0 at the end. */
  passed: number;
  /** Where it ended. */
  place: string | null;
}

/**
 * Appends the next jobs of the source to the file. Throws if the disk refuses; part of them may then be in the file.
 */
export function writeExportPage(
  db: DatabaseSync,
  page: ExportPage,
  { nowMs, startOfTodayMs }: { nowMs: number; startOfTodayMs: number },
): WrittenPage {
  const { ids, placeAfter } = jobsOf(db, page.source, startOfTodayMs);
  const written: WrittenPage = { jobs: 0, passed: 0, place: null };
  if (ids.length === 0) return written;
  let last: Job | null = null;
  const file = openSync(page.path, 'a');
  try {
    let chars = 0;
    for (const id of ids) {
      if (chars >= pageChars) break;
      written.passed += 1;
      const [job] = id === null ? [] : readJobs(db, [id]);
      if (id === null || job === undefined) continue;
      const exported = {
        ...textsOf(db, id, job),
        connection: page.connectionNames[job.connectionId] ?? '',
        cost: costOf(db, id, job, page.costs, nowMs),
      };
      const parts =
        typeof page.format === 'string'
          ? formatWriters[page.format].parts(exported)
          : tableRow(page.format, exported, page.before + written.jobs === 0);
      chars += writeParts(file, parts);
      written.jobs += 1;
      last = job;
    }
  } finally {
    closeSync(file);
  }
  return { ...written, place: placeAfter(written.passed, last) };
}

/** Some jobs as lines of a dataset. Ends early if more than `maxChars` would be read. */
export function datasetOf(db: DatabaseSync, keys: readonly string[], maxChars: number): { text: string; jobs: number } {
  const lines: string[] = [];
  let chars = 0;
  for (const key of keys) {
    const found = findJob(db, key);
    if (found === null) continue;
    const { id, job } = found;
    const parts: string[] = [];
    for (const part of formatWriters.dataset.parts({ ...textsOf(db, id, job), connection: '', cost: null })) {
      parts.push(part);
      chars += part.length;
      if (chars > maxChars) return { text: lines.join(''), jobs: lines.length };
    }
    lines.push(parts.join(''));
  }
  return { text: lines.join(''), jobs: lines.length };
}

/** What is saved of a job, whether or not it belongs to a batch. Its stream is not read yet. */
function textsOf(db: DatabaseSync, id: number, job: Job): Omit<ExportedJob, 'connection' | 'cost'> {
  const body = (part: 'input' | 'output' | 'error'): string | null =>
    readBody(db, id, { part, attempt: part === 'input' ? 0 : job.attempt })?.text ?? null;
  const outputText = body('output');
  return {
    job,
    inputText: body('input') ?? '',
    outputText,
    stream:
      outputText !== null || job.chunkCount === 0
        ? null
        : { chunkCount: job.chunkCount, pages: () => outputsOf(db, id, job.attempt) },
    errorText: body('error'),
    note: readNote(db, id),
  };
}

function* outputsOf(db: DatabaseSync, id: number, attempt: number): Generator<string[]> {
  for (const page of chunkPages(db, { rowId: id, attempt })) yield page.map(({ outputJson }) => outputJson);
}

interface SourceJobs {
  /** Null stands for a deleted job. */
  ids: (number | null)[];
  /** Where a page ends after `passed` jobs, of which `last` was written last. */
  placeAfter: (passed: number, last: Job | null) => string | null;
}

const byKey = (_passed: number, last: Job | null): string | null => last?.key ?? null;

function jobsOf(db: DatabaseSync, source: ExportPageSource, startOfTodayMs: number): SourceJobs {
  switch (source.kind) {
    case 'jobs':
      return {
        ids: source.keys.slice(0, pageJobs).map((key) => findJob(db, key)?.id ?? null),
        placeAfter: () => null,
      };
    case 'filter': {
      const { filter, sort, after } = source;
      if (sort !== null) return sortedJobs(prepareQuery(db, filter, startOfTodayMs), sort, after);
      const beforeId = after === null ? Number.MAX_SAFE_INTEGER : idBefore(db, after);
      return { ids: newestIds(db, filter, { beforeId, limit: pageJobs, startOfTodayMs }), placeAfter: byKey };
    }
    case 'batch':
      return { ids: idsOfBatch(db, source.id, source.after, pageJobs), placeAfter: byKey };
  }
}

function sortedJobs(query: ListQuery, sort: JobSort, after: string | null): SourceJobs {
  // The page before this one was the last.
  if (after === listEnd) return { ids: [], placeAfter: () => listEnd };
  const { ids, next } = sortedIds(query, sort, after, pageJobs);
  return {
    ids,
    placeAfter: (passed) =>
      // If a page was limited by its size, it ends before the list's own page.
      (passed === ids.length ? next : sortedIds(query, sort, after, passed).next) ?? listEnd,
  };
}

/** No place in a list has this form. */
const listEnd = 'end';

function costOf(db: DatabaseSync, id: number, job: Job, costs: ExportPage['costs'], nowMs: number): number | null {
  const rates = costs.find(
    (cost) => cost.connectionId === job.connectionId && cost.endpointId === job.endpointId,
  )?.rates;
  if (rates === undefined) return null;
  const former = job.attempt === 1 ? [] : readAttempts(db, id);
  const cost = estimateCost(attemptsOf(job, former, nowMs), rates, nowMs);
  return cost.kind === 'estimate' ? cost.credits : null;
}

/** Writes the parts and returns how many characters they had. Only one piece and one part are in memory at a time. */
function writeParts(file: number, parts: Iterable<string>): number {
  let chars = 0;
  let piece = '';
  for (const part of parts) {
    chars += part.length;
    piece += part;
    // Each piece is encoded as UTF-8 separately, so it must not end in half a character.
    if (piece.length < pieceChars || endsInHalf(piece)) continue;
    writeWhole(file, piece);
    piece = '';
  }
  writeWhole(file, piece);
  return chars;
}

/** Whether the other half of its last character is still to come. */
function endsInHalf(piece: string): boolean {
  const last = piece.charCodeAt(piece.length - 1);
  return last >= 0xd800 && last < 0xdc00;
}

/** A disk may write only a part of it. */
function writeWhole(file: number, text: string): void {
  const raw = Buffer.from(text, 'utf8');
  for (let at = 0; at < raw.byteLength;) at += writeSync(file, raw, at);
}
