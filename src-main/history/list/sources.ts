import type { DatabaseSync } from 'node:sqlite';
import { isOfFacets, type JobFilter } from '../../../src-preload/history.ts';
import { number, statement } from '../file/row.ts';
import { newestInFacets, passesFilter, readFacets, sumOfJobs, type Facet } from '../jobs/facets.ts';
import { jobsOfBlock, newestBlocks, readByBlock } from '../jobs/id-blocks.ts';
import { wordsBeginning, matchExpression, narrowedMatch, parseQuery } from '../search/query.ts';
import {
  having,
  idSpan,
  idStarting,
  joined,
  nothing,
  ofBatch,
  tagged,
  timesAndFigures,
  within,
  type Condition,
  type IdSpan,
  judgedFilter,
  sameInputFilter,
  type SameInputFilter,
  causeFilter,
  type CauseFilter,
} from './conditions.ts';
import { minRunMs, pricedFacets } from './cost-condition.ts';

/** A query of the list, with what is read from the database once for it. */
export interface ListQuery {
  db: DatabaseSync;
  filter: JobFilter;
  facets: readonly Facet[];
  /** The facets of matching jobs. */
  passing: Facet[];
  /** The full-text expression. Null if no words are searched for. */
  match: string | null;
  /** Null: no job is within the filter's times. */
  span: IdSpan | null;
  times: Condition;
  sameInput: SameInputFilter;
}

/** Prepares a filter: matching facets, terms of the search, conditions. `startOfTodayMs` is local midnight. */
export function prepareQuery(db: DatabaseSync, filter: JobFilter, startOfTodayMs: number): ListQuery {
  const facets = readFacets(db);
  const terms = parseQuery(filter.text);
  const passing = facets.filter((facet) => passesFilter(facet, filter));
  return {
    db,
    filter,
    facets,
    passing: filter.cost === null ? passing : pricedFacets(db, passing),
    match:
      terms.length === 0
        ? null
        : narrowedMatch(
            matchExpression(terms, (start) => wordsBeginning(db, start)),
            filter,
          ),
    span: idSpan(db, filter, startOfTodayMs),
    times: timesAndFigures(db, filter, startOfTodayMs),
    sameInput: sameInputFilter(db, filter),
  };
}

/** Where the ids of the matching jobs come from. */
export interface Source {
  /** The newest ones below `beforeId`, newest first. */
  newest(beforeId: number, limit: number): number[];
  /** How many there are. If more than `max`, one more than that. */
  count(max: number): number;
}

/** A figure's index is used instead of the list if at most this many jobs are within the bounds. */
const fewByFigure = 50_000;

const chosen = new WeakMap<ListQuery, Source>();

/** Where the ids of a query come from: chosen once, for a page and its count. */
export function sourceOf(query: ListQuery): Source {
  const known = chosen.get(query) ?? narrowedSource(query, {});
  chosen.set(query, known);
  return known;
}

/**
 * Chooses where the ids come from: the full-text index, the service's ids, a tag, a batch, something that few jobs
 * have, the jobs that finished today, or the facets. Each is newest first already, or short enough to be sorted.
 * `narrowing`: only these of the matching facets, and a condition in addition to the filter.
 */
export function narrowedSource(query: ListQuery, narrowing: { facets?: Facet[]; extra?: Condition }): Source {
  const { db, filter, match, span, times, sameInput } = query;
  const facets = narrowing.facets ?? query.passing;
  if (facets.length === 0 || span === null) return { newest: () => [], count: () => 0 };
  const extra = narrowing.extra ?? nothing;
  const byCause = causeFilter(db, filter);
  const reader = createReader(db, span);
  const ofJobs = [
    times,
    ofBatch(filter),
    having(filter),
    idStarting(filter),
    judgedFilter(filter),
    byCause,
    sameInput,
  ] as const;
  if (match !== null) {
    // The full-text index knows facets (except which have a price) and tags. Jobs are read only for what it does not
    // know.
    const areFacetsKnown = narrowing.facets === undefined && filter.cost === null;
    const beyond = joined([areFacetsKnown ? nothing : inFacets(facets, query.facets), ...ofJobs, extra]);
    const joins = beyond.sql === '' ? '' : ' CROSS JOIN jobs AS j ON j.id = s.rowid';
    return reader(
      `FROM search AS s${joins} WHERE search MATCH ? AND s.rowid NOT IN (SELECT job FROM search_removed)`,
      's.rowid',
      [match],
      beyond,
    );
  }
  const tags = tagged(filter.tags, filter.notTags);
  const all = joined([inFacets(facets, query.facets), ...ofJobs, tags, extra]);
  const from = byCause.sql === '' ? driverOf(query, facets) : failuresOf(byCause);
  if (from !== null)
    return (from.isByBlock ? createBlockReader(db, span) : reader)(from.sql, from.id, from.values, all);
  const rest = joined([...ofJobs, tags, extra]);
  // Listed individually even if all match, because the index has the ids in order only within a facet.
  const each = joined([inFacets(facets, null), rest]);
  return {
    newest: (beforeId, limit) =>
      newestInFacets(db, facets, {
        limit,
        beforeId: Math.min(beforeId, span.last + 1),
        condition: { sql: `j.id >= ?${rest.sql}`, values: [span.first, ...rest.values] },
      }),
    count: (max) =>
      isOfFacets(filter) && rest.sql === ''
        ? sumOfJobs(facets)
        : countOf(db, `FROM jobs AS j INDEXED BY jobs_by_facet WHERE j.id >= ? AND j.id <= ?${each.sql}`, max, [
            span.first,
            span.last,
            ...each.values,
          ]),
  };
}

/** Failed jobs are few. Those of one cause are read newest first, those of several causes in one query. */
function failuresOf({ driver }: CauseFilter): Driver {
  const condition = driver ?? { sql: 'true', values: [] };
  const index = driver === null ? '' : ' INDEXED BY failures_of_cause';
  return {
    sql: `FROM failures AS t${index} CROSS JOIN jobs AS j ON j.id = t.job WHERE ${condition.sql}`,
    id: 't.job',
    values: condition.values,
    isByBlock: false,
  };
}

interface Driver {
  sql: string;
  id: string;
  values: (string | number)[];
  /** It reads an index that begins with a block of ids. The block is a parameter before `values`. */
  isByBlock: boolean;
}

/** What leaves the fewest jobs to read. Null if the facets do as well. */
function driverOf({ db, filter, sameInput }: ListQuery, facets: readonly Facet[]): Driver | null {
  const [tag] = filter.tags;
  const ofJobs = (index: string, condition: string): Driver => ({
    sql: `FROM jobs AS j INDEXED BY ${index} WHERE ${condition}`,
    id: 'j.id',
    values: [],
    isByBlock: false,
  });
  const byBlock = (index: string, { sql, values }: Condition): Driver => ({
    sql: `FROM ${jobsOfBlock(index)}${sql}`,
    id: 'j.id',
    values,
    isByBlock: true,
  });
  const joining = (table: string, condition: string, values: (string | number)[]): Driver => ({
    sql: `FROM ${table} AS t CROSS JOIN jobs AS j ON j.id = t.job WHERE ${condition}`,
    id: 't.job',
    values,
    isByBlock: false,
  });
  if (filter.idStart !== null) return byBlock('jobs_by_job_id', idStarting(filter));
  if (sameInput.hash !== null)
    return byBlock('jobs_by_input', { sql: ' AND j.input_hash = ?', values: [sameInput.hash] });
  if (filter.batchId !== null) return ofJobs('jobs_by_batch', 'j.batch_id IS NOT NULL');
  if (tag !== undefined) return joining('job_tags', 't.tag = ?', [tag]);
  const judged = judgedFilter(filter).index;
  if (judged !== null) return ofJobs(judged.name, judged.condition);
  if (filter.has.includes('images')) return joining('job_images', 'true', []);
  if (filter.has.includes('stream')) return ofJobs('jobs_with_stream', 'j.chunk_count > 0');
  const minMs = filter.cost === null ? null : minRunMs(db, filter.cost);
  for (const [index, condition, areOfAnyFacet] of [
    ['jobs_by_execution', within('execution_time_ms', filter.took), false],
    ['jobs_by_wait', within('delay_time_ms', filter.waited), false],
    // All that ran this long are counted, whatever their facet. An endpoint with a price has many of them, and counting
    // only its own would also read all the others.
    ['jobs_by_execution', within('execution_time_ms', minMs === null ? null : { over: minMs, under: null }), true],
  ] as const) {
    if (condition.sql === '') continue;
    const driver = byBlock(index, condition);
    const wanted = areOfAnyFacet ? nothing : inFacets(facets, null);
    const all = { first: Number.MIN_SAFE_INTEGER, last: Number.MAX_SAFE_INTEGER };
    if (createBlockReader(db, all)(driver.sql, driver.id, driver.values, wanted).count(fewByFigure) <= fewByFigure)
      return driver;
  }
  return filter.view === 'finished-today' ? ofJobs('jobs_by_finish', 'j.finished_seen_at_ms IS NOT NULL') : null;
}

/** In any of the facets. Empty if these are all that `known` contains. */
export function inFacets(facets: readonly Facet[], known: readonly Facet[] | null): Condition {
  if (known !== null && facets.length === known.length) return nothing;
  return {
    sql: ' AND j.facet IN (SELECT value FROM json_each(?))',
    values: [JSON.stringify(facets.map((facet) => facet.id))],
  };
}

type Reader = (from: string, id: string, values: (string | number)[], rest: Condition) => Source;

function createReader(db: DatabaseSync, span: IdSpan): Reader {
  return (from, id, values, rest) => ({
    newest: (beforeId, limit) =>
      statement(db, `SELECT ${id} AS id ${from} AND ${id} >= ? AND ${id} < ?${rest.sql} ORDER BY ${id} DESC LIMIT ?`)
        .all(...values, span.first, Math.min(beforeId, span.last + 1), ...rest.values, limit)
        .map((row) => number(row, 'id')),
    count: (max) =>
      countOf(db, `${from} AND ${id} >= ? AND ${id} <= ?${rest.sql}`, max, [
        ...values,
        span.first,
        span.last,
        ...rest.values,
      ]),
  });
}

/**
 * As `createReader`, for an index that begins with a block of ids. Within a block the jobs are in another order, so a
 * page sorts only the matches of the blocks that it needs, beginning with the newest.
 */
function createBlockReader(db: DatabaseSync, span: IdSpan): Reader {
  const reader = createReader(db, span);
  return (from, id, values, rest) => {
    const ofBlock = (block: number): Source => reader(from, id, [block, ...values], rest);
    return {
      newest: (beforeId, limit) =>
        readByBlock(newestBlocks(db, span.first, Math.min(beforeId, span.last)), limit, (block, left) =>
          ofBlock(block).newest(beforeId, left),
        ),
      count(max) {
        let found = 0;
        for (const block of newestBlocks(db, span.first, span.last))
          if (found <= max) found += ofBlock(block).count(max - found);
        return found;
      },
    };
  };
}

/** How many rows there are. If more than `max`, one more than that. */
function countOf(db: DatabaseSync, from: string, max: number, values: (string | number)[]): number {
  const row = statement(db, `SELECT count(*) AS jobs FROM (SELECT 1 ${from} LIMIT ?)`).get(...values, max + 1);
  return row === undefined ? 0 : number(row, 'jobs');
}
