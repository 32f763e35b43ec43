import type { DatabaseSync } from 'node:sqlite';
import {
  isOfFacets,
  maxCounted,
  type JobFilter,
  type JobKeys,
  type JobPage,
  type JobSort,
  type JobTotal,
  type EarlierInput,
} from '../../../src-preload/history.ts';
import { number, statement, text } from '../file/row.ts';
import { sumOfJobs } from '../jobs/facets.ts';
import { idBefore, readPlaced, type PlacedJob, findJob } from '../jobs/jobs.ts';
import { readSearchText } from '../search/job-text.ts';
import { parseQuery, type SearchTerm } from '../search/query.ts';
import { snippetOf } from '../search/snippet.ts';
import { sortedIds, type SortedIds } from './sorted.ts';
import { prepareQuery, sourceOf, type ListQuery } from './sources.ts';
import { countSameInput, inputHashOf } from '../jobs/lineage.ts';

/** How much text is searched for the snippets of one page. */
const snippetCharsPerPage = 1_000_000;

/** Which page of a list is wanted. */
export interface WantedPage {
  limit: number;
  /** Local midnight, for the view finished-today. Epoch milliseconds. */
  startOfTodayMs: number;
  /** The `nextBeforeKey` of the page before. Null for the first one. */
  beforeKey?: string | null;
  /** Null: newest first. */
  sort?: JobSort | null;
}

/** A page of the jobs that match `filter`. */
export function listJobs(
  db: DatabaseSync,
  filter: JobFilter,
  { limit, startOfTodayMs, beforeKey = null, sort = null }: WantedPage,
): Omit<JobPage, 'counts'> {
  const query = prepareQuery(db, filter, startOfTodayMs);
  const { ids, next } = sort === null ? newestPage(query, beforeKey, limit) : sortedIds(query, sort, beforeKey, limit);
  const placed = readPlaced(db, ids);
  // A first page that is not full has all of them.
  const isWhole = beforeKey === null && next === null;
  const total = isWhole ? ids.length : rememberedTotal(query, JSON.stringify([filter, startOfTodayMs]));
  const terms = parseQuery(filter.text);
  const jobs = placed.map(({ job }) => job);
  return {
    jobs,
    nextBeforeKey: sort === null && next !== null ? (jobs.at(-1)?.key ?? null) : next,
    ...(isWhole ? { total, isTotalCut: false } : totalOf(filter, total)),
    allTotal: sumOfJobs(query.facets),
    snippets: terms.length === 0 ? {} : snippetsOf(db, placed, terms),
  };
}

/** How many jobs match `filter`, without reading any. */
export function countJobs(db: DatabaseSync, filter: JobFilter, startOfTodayMs: number): JobTotal {
  return totalOf(filter, sourceOf(prepareQuery(db, filter, startOfTodayMs)).count(maxCounted));
}

/** The total. It ends at `maxCounted` unless facets are enough. */
function totalOf(filter: JobFilter, counted: number): JobTotal {
  const isCut = !isOfFacets(filter) && counted > maxCounted;
  return { total: isCut ? maxCounted : counted, isTotalCut: isCut };
}

function newestPage(query: ListQuery, beforeKey: string | null, limit: number): SortedIds {
  const beforeId = beforeKey === null ? Number.MAX_SAFE_INTEGER : idBefore(query.db, beforeKey);
  const ids = sourceOf(query).newest(beforeId, limit + 1);
  return { ids: ids.slice(0, limit), next: ids.length > limit ? '' : null };
}

/** Keys of the newest `max` jobs that match `filter`, newest first. */
export function keysOfFilter(db: DatabaseSync, filter: JobFilter, max: number, startOfTodayMs: number): JobKeys {
  const ids = idsOfFilter(db, filter, max + 1, startOfTodayMs);
  const rows = statement(
    db,
    'SELECT j.key AS key FROM json_each(?) AS w CROSS JOIN jobs AS j ON j.id = w.value ORDER BY j.id DESC',
  ).all(JSON.stringify(ids.slice(0, max)));
  return { keys: rows.map((row) => text(row, 'key')), isCut: ids.length > max };
}

/** Ids of the newest `limit` jobs that match `filter`, newest first. */
export function idsOfFilter(db: DatabaseSync, filter: JobFilter, limit: number, startOfTodayMs: number): number[] {
  return newestIds(db, filter, { beforeId: Number.MAX_SAFE_INTEGER, limit, startOfTodayMs });
}

/** As `idsOfFilter`, for ids below `beforeId`. */
export function newestIds(
  db: DatabaseSync,
  filter: JobFilter,
  { beforeId, limit, startOfTodayMs }: { beforeId: number; limit: number; startOfTodayMs: number },
): number[] {
  return sourceOf(prepareQuery(db, filter, startOfTodayMs)).newest(beforeId, limit);
}

interface Remembered {
  filter: string;
  changes: number;
  total: number;
}

const remembered = new WeakMap<DatabaseSync, Remembered>();

/** Counting can take longer than the page itself, and while nothing is written, later pages have the same count. */
function rememberedTotal(query: ListQuery, filter: string): number {
  const { db } = query;
  const row = statement(db, 'SELECT total_changes() AS changes').get();
  const changes = row === undefined ? -1 : number(row, 'changes');
  const known = remembered.get(db);
  if (known?.filter === filter && known.changes === changes) return known.total;
  const total = sourceOf(query).count(maxCounted);
  remembered.set(db, { filter, changes, total });
  return total;
}

function snippetsOf(
  db: DatabaseSync,
  jobs: readonly PlacedJob[],
  terms: readonly SearchTerm[],
): Record<string, string> {
  const snippets: Record<string, string> = {};
  let chars = 0;
  for (const placed of jobs) {
    if (chars > snippetCharsPerPage) break;
    const words = readSearchText(db, placed);
    chars += words.length;
    const snippet = snippetOf(words, terms, placed.job.title);
    if (snippet !== null) snippets[placed.job.key] = snippet;
  }
  return snippets;
}

const jobsAtOnce = 100;
/** If the same few inputs ran more often than this, older ones are not looked for. */
const maxSearched = 1_000;

/**
 * The different inputs of the jobs that match `filter`, at most `limit`, by the newest run of each. An old job whose
 * input has no hash yet counts as an input of its own. Jobs without an input are left out.
 */
export function listInputs(db: DatabaseSync, filter: JobFilter, limit: number, startOfTodayMs: number): EarlierInput[] {
  const found = new Map<number | string, EarlierInput>();
  let beforeKey: string | null = null;
  for (let searched = 0; searched < maxSearched; searched += jobsAtOnce) {
    const { jobs, nextBeforeKey } = listJobs(db, filter, { beforeKey, limit: jobsAtOnce, startOfTodayMs });
    for (const job of jobs) {
      const id = job.inputBytes > 0 ? findJob(db, job.key)?.id : undefined;
      if (id === undefined) continue;
      const hash = inputHashOf(db, id);
      if (found.has(hash ?? job.key)) continue;
      const others = hash === null ? 0 : countSameInput(db, hash, id, job);
      found.set(hash ?? job.key, { job, runs: others + 1 });
      if (found.size === limit) return [...found.values()];
    }
    beforeKey = nextBeforeKey;
    if (beforeKey === null) break;
  }
  return [...found.values()];
}
