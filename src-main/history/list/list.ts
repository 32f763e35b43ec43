import type { DatabaseSync } from 'node:sqlite';
import type { JobFilter, JobPage } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { number, numberOrNull, statement } from '../file/row.ts';
import { newestInFacets, passesFilter, readFacets, sumOfJobs, type Facet } from '../jobs/facets.ts';
import { idBefore, readJobs } from '../jobs/jobs.ts';
import { judgedFilter } from './judged.ts';
import { readSearchText } from '../search/job-text.ts';
import { matchExpression, narrowedMatch, parseQuery, type SearchTerm } from '../search/query.ts';
import { snippetOf } from '../search/snippet.ts';

/** Text looked through for the snippets of one page. */
const snippetCharsPerPage = 1_000_000;

/** Everything the filter asks for beyond facets, as SQL over `jobs AS j`. */
interface Condition {
  /** Begins with ` AND ` or is empty. */
  sql: string;
  values: (string | number)[];
}

/**
 * A page of the jobs that pass `filter`, newest first. `startOfTodayMs` is local midnight, for the view finished-today.
 */
export function listJobs(
  db: DatabaseSync,
  filter: JobFilter,
  beforeKey: string | null,
  limit: number,
  startOfTodayMs: number,
): Omit<JobPage, 'counts'> {
  const facets = readFacets(db);
  const passing = facets.filter((facet) => passesFilter(facet, filter));
  const terms = parseQuery(filter.text);
  const beforeId = beforeKey === null ? Number.MAX_SAFE_INTEGER : idBefore(db, beforeKey);
  const source = sourceOf(db, filter, terms, passing, facets.length, startOfTodayMs);
  const ids = source.newest(beforeId, limit + 1);
  const jobs = readJobs(db, ids.slice(0, limit));
  return {
    jobs,
    nextBeforeKey: ids.length > limit ? (jobs.at(-1)?.key ?? null) : null,
    // A first page that is not full shows them all.
    total:
      beforeKey === null && ids.length <= limit
        ? ids.length
        : rememberedTotal(db, JSON.stringify([filter, startOfTodayMs]), source),
    allTotal: sumOfJobs(facets),
    snippets: terms.length === 0 ? {} : snippetsOf(db, jobs, terms),
  };
}

/** Ids of the newest `limit` jobs that pass `filter`, newest first. */
export function idsOfFilter(db: DatabaseSync, filter: JobFilter, limit: number, startOfTodayMs: number): number[] {
  return newestIds(db, filter, Number.MAX_SAFE_INTEGER, limit, startOfTodayMs);
}

/** As `idsOfFilter`, of those below `beforeId`. */
export function newestIds(
  db: DatabaseSync,
  filter: JobFilter,
  beforeId: number,
  limit: number,
  startOfTodayMs: number,
): number[] {
  const facets = readFacets(db);
  const passing = facets.filter((facet) => passesFilter(facet, filter));
  return sourceOf(db, filter, parseQuery(filter.text), passing, facets.length, startOfTodayMs).newest(beforeId, limit);
}

interface Source {
  newest(beforeId: number, limit: number): number[];
  total(): number;
}

interface Remembered {
  asked: string;
  changes: number;
  total: number;
}

const remembered = new WeakMap<DatabaseSync, Remembered>();

/**
 * Counting can take longer than the page itself; the pages after the first need no other count while nothing was
 * written.
 */
function rememberedTotal(db: DatabaseSync, asked: string, source: Source): number {
  const row = statement(db, 'SELECT total_changes() AS changes').get();
  const changes = row === undefined ? -1 : number(row, 'changes');
  const known = remembered.get(db);
  if (known?.asked === asked && known.changes === changes) return known.total;
  const total = source.total();
  remembered.set(db, { asked, changes, total });
  return total;
}

/**
 * Chooses where the ids come from: the full-text index, a tag, today's finishes, or the facets; each already newest
 * first.
 */
function sourceOf(
  db: DatabaseSync,
  filter: JobFilter,
  terms: readonly SearchTerm[],
  passing: Facet[],
  facetCount: number,
  startOfTodayMs: number,
): Source {
  const times = timesOf(filter, startOfTodayMs);
  const judged = judgedFilter(filter);
  const ofBatch: Condition =
    filter.batchId === null ? nothing : { sql: ' AND j.batch_id = ?', values: [filter.batchId] };
  // What is too old is mostly what came first: without this bound, looking for one more would read all of it.
  const firstId = times.sql === '' ? Number.MIN_SAFE_INTEGER : firstIdOf(db, filter, startOfTodayMs);
  if (passing.length === 0 || firstId === null) return { newest: () => [], total: () => 0 };

  if (terms.length > 0) {
    // The full-text index knows everything but times and batches; jobs are looked at only for those.
    const beyond = joined([times, ofBatch, judged]);
    const from =
      beyond.sql === ''
        ? 'FROM search AS s WHERE search MATCH ?'
        : 'FROM search AS s CROSS JOIN jobs AS j ON j.id = s.rowid WHERE search MATCH ?';
    return querySource(db, from, 's.rowid', firstId, beyond, [narrowedMatch(matchExpression(terms), filter)]);
  }
  const inFacets: Condition =
    passing.length === facetCount
      ? nothing
      : {
          sql: ' AND j.facet IN (SELECT value FROM json_each(?))',
          values: [JSON.stringify(passing.map((facet) => facet.id))],
        };
  const rest = joined([withTags(filter.tags.slice(1)), withoutTags(filter.notTags), times, ofBatch, judged]);
  const [tag] = filter.tags;
  if (tag !== undefined) {
    const conditions = joined([inFacets, rest]);
    return querySource(
      db,
      `FROM job_tags AS t${conditions.sql === '' ? '' : ' CROSS JOIN jobs AS j ON j.id = t.job'} WHERE t.tag = ?`,
      't.job',
      firstId,
      conditions,
      [tag],
    );
  }
  if (filter.batchId !== null) {
    return querySource(
      db,
      'FROM jobs AS j INDEXED BY jobs_by_batch WHERE j.batch_id IS NOT NULL',
      'j.id',
      firstId,
      joined([inFacets, rest]),
    );
  }
  if (judged.from !== null) return querySource(db, judged.from, 'j.id', firstId, joined([inFacets, rest]));
  if (filter.view === 'finished-today') {
    return querySource(
      db,
      'FROM jobs AS j INDEXED BY jobs_by_finish WHERE j.finished_seen_at_ms IS NOT NULL',
      'j.id',
      firstId,
      joined([inFacets, rest]),
    );
  }
  return {
    newest: (beforeId, limit) =>
      newestInFacets(db, passing, beforeId, limit, ` AND j.id >= ?${rest.sql}`, [firstId, ...rest.values]),
    total() {
      const narrowed = joined([times, judged]);
      const inTime =
        narrowed.sql === ''
          ? sumOfJobs(passing)
          : countOf(db, 'FROM jobs AS j WHERE true', [], joined([inFacets, narrowed]));
      return inTime - countTagged(db, filter.notTags, joined([inFacets, narrowed]));
    },
  };
}

/** The first job that passes the filter's times; null when none does. */
function firstIdOf(db: DatabaseSync, filter: JobFilter, startOfTodayMs: number): number | null {
  const row =
    filter.view === 'finished-today'
      ? statement(db, 'SELECT min(id) AS id FROM jobs INDEXED BY jobs_by_finish WHERE finished_seen_at_ms >= ?').get(
          startOfTodayMs,
        )
      : statement(db, 'SELECT min(id) AS id FROM jobs INDEXED BY jobs_by_creation WHERE created_at_ms >= ?').get(
          filter.sinceMs,
        );
  return row === undefined ? null : numberOrNull(row, 'id');
}

function querySource(
  db: DatabaseSync,
  from: string,
  id: string,
  firstId: number,
  rest: Condition,
  values: (string | number)[] = [],
): Source {
  return {
    newest: (beforeId, limit) =>
      statement(db, `SELECT ${id} AS id ${from} AND ${id} >= ? AND ${id} < ?${rest.sql} ORDER BY ${id} DESC LIMIT ?`)
        .all(...values, firstId, beforeId, ...rest.values, limit)
        .map((row) => number(row, 'id')),
    total: () => countOf(db, `${from} AND ${id} >= ?`, [...values, firstId], rest),
  };
}

function countOf(db: DatabaseSync, from: string, values: (string | number)[], rest: Condition): number {
  const row = statement(db, `SELECT count(*) AS jobs ${from}${rest.sql}`).get(...values, ...rest.values);
  return row === undefined ? 0 : number(row, 'jobs');
}

function joined(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map((condition) => condition.sql).join(''),
    values: conditions.flatMap((condition) => condition.values),
  };
}

const nothing: Condition = { sql: '', values: [] };

function withTags(tags: readonly string[]): Condition {
  return {
    sql: tags.map(() => ' AND EXISTS (SELECT 1 FROM job_tags WHERE tag = ? AND job = j.id)').join(''),
    values: [...tags],
  };
}

function withoutTags(tags: readonly string[]): Condition {
  return {
    sql: tags.map(() => ' AND NOT EXISTS (SELECT 1 FROM job_tags WHERE tag = ? AND job = j.id)').join(''),
    values: [...tags],
  };
}

function timesOf(filter: JobFilter, startOfTodayMs: number): Condition {
  const conditions: Condition[] = [];
  if (filter.sinceMs !== null) conditions.push({ sql: ' AND j.created_at_ms >= ?', values: [filter.sinceMs] });
  if (filter.view === 'finished-today')
    conditions.push({ sql: ' AND j.finished_seen_at_ms >= ?', values: [startOfTodayMs] });
  return joined(conditions);
}

/** Jobs with any of the tags. Tagged jobs are fewer than the untagged ones they are taken from. */
function countTagged(db: DatabaseSync, tags: readonly string[], rest: Condition): number {
  if (tags.length === 0) return 0;
  const row = statement(
    db,
    `SELECT count(DISTINCT t.job) AS jobs
    FROM job_tags AS t${rest.sql === '' ? '' : ' CROSS JOIN jobs AS j ON j.id = t.job'}
    WHERE t.tag IN (SELECT value FROM json_each(?))${rest.sql}`,
  ).get(JSON.stringify(tags), ...rest.values);
  return row === undefined ? 0 : number(row, 'jobs');
}

function snippetsOf(db: DatabaseSync, jobs: readonly Job[], terms: readonly SearchTerm[]): Record<string, string> {
  const snippets: Record<string, string> = {};
  let chars = 0;
  for (const { key } of jobs) {
    if (chars > snippetCharsPerPage) break;
    const text = readSearchText(db, key);
    chars += text.length;
    const snippet = snippetOf(text, terms);
    if (snippet !== null) snippets[key] = snippet;
  }
  return snippets;
}
