import type { DatabaseSync } from 'node:sqlite';
import { isOfFacets, type JobFilter } from '../../../src-preload/history.ts';
import { number, numberOrNull, statement } from '../file/row.ts';
import { newestInFacets, passesFilter, readFacets, sumOfJobs, type Facet } from '../jobs/facets.ts';
import { jobsOfBlocks } from '../jobs/id-blocks.ts';
import { wordsBeginning } from '../search/beginnings.ts';
import { matchExpression, narrowedMatch, parseQuery } from '../search/query.ts';
import {
  having,
  idSpan,
  idStarting,
  joined,
  lastCharacter,
  nothing,
  ofBatch,
  tagged,
  timesAndFigures,
  within,
  type Condition,
  type IdSpan,
} from './conditions.ts';
import { causeFilter, type CauseFilter } from './by-cause.ts';
import { judgedFilter } from './judged.ts';
import { sameInputFilter, type SameInputFilter } from './same-input.ts';
import { leastRunMs, pricedFacets } from './cost-condition.ts';

/** A request, with what is read from the database once for it. */
export interface Asked {
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
export function askedFor(db: DatabaseSync, filter: JobFilter, startOfTodayMs: number): Asked {
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
  /** How many there are. If more than `most`, one more than that. */
  count(most: number): number;
}

/** A figure's index is used instead of the list if at most this many jobs are within the bounds. */
const fewByFigure = 50_000;

const chosen = new WeakMap<Asked, Source>();

/** Where the ids of a request come from: chosen once, for a page and its count. */
export function sourceOf(asked: Asked): Source {
  const known = chosen.get(asked) ?? narrowedSource(asked, {});
  chosen.set(asked, known);
  return known;
}

/**
 * Chooses where the ids come from: the full-text index, the service's ids, a tag, a batch, what few jobs have, today's
 * finishes, or the facets; each newest first already, or short enough to be sorted. `of`: only these of the matching
 * facets, and conditions in addition to the filter.
 */
export function narrowedSource(asked: Asked, of: { facets?: Facet[]; extra?: Condition }): Source {
  const { db, filter, match, span, times, sameInput } = asked;
  const facets = of.facets ?? asked.passing;
  if (facets.length === 0 || span === null) return { newest: () => [], count: () => 0 };
  const extra = of.extra ?? nothing;
  const byCause = causeFilter(db, filter);
  const reader = createReader(db, span);
  const readerOf = (reading: Driver['reading'], each: Reader): Reader =>
    reading === 'recent' ? recentFirst(db, each) : each;
  if (match !== null) {
    // The full-text index knows facets (except which have a price) and tags. Jobs are read only for what it does not
    // know.
    const beyond = joined([
      of.facets === undefined && filter.cost === null ? nothing : inFacets(facets, asked.facets),
      times,
      ofBatch(filter),
      having(filter),
      idStarting(filter),
      judgedFilter(filter),
      byCause,
      sameInput,
      extra,
    ]);
    const joins = beyond.sql === '' ? '' : ' CROSS JOIN jobs AS j ON j.id = s.rowid';
    return reader(
      `FROM search AS s${joins} WHERE search MATCH ? AND s.rowid NOT IN (SELECT job FROM search_removed)`,
      's.rowid',
      [match],
      beyond,
    );
  }
  const all = joined([
    inFacets(facets, asked.facets),
    times,
    ofBatch(filter),
    having(filter),
    idStarting(filter),
    judgedFilter(filter),
    byCause,
    sameInput,
    tagged(filter.tags, filter.notTags),
    extra,
  ]);
  const from = byCause.sql === '' ? driverOf(asked, facets) : failuresOf(byCause);
  if (from !== null) return readerOf(from.reading, reader)(from.sql, from.id, from.values, all);
  const rest = joined([times, having(filter), judgedFilter(filter), sameInput, tagged([], filter.notTags), extra]);
  // Listed individually even if all match, because the index has the ids in order only within a facet.
  const each = joined([inFacets(facets, null), rest]);
  return {
    newest: (beforeId, limit) =>
      newestInFacets(db, facets, Math.min(beforeId, span.last + 1), limit, ` AND j.id >= ?${rest.sql}`, [
        span.first,
        ...rest.values,
      ]),
    count: (most) =>
      isOfFacets(filter) && rest.sql === ''
        ? sumOfJobs(facets)
        : countOf(db, `FROM jobs AS j INDEXED BY jobs_by_facet WHERE j.id >= ? AND j.id <= ?${each.sql}`, most, [
            span.first,
            span.last,
            ...each.values,
          ]),
  };
}

/** Failed jobs are few compared with all: those of one cause newest first, of several in one query. */
function failuresOf({ driver }: CauseFilter): Driver {
  const condition = driver ?? { sql: 'true', values: [] };
  const index = driver === null ? '' : ' INDEXED BY failures_of_cause';
  return {
    sql: `FROM failures AS t${index} CROSS JOIN jobs AS j ON j.id = t.job WHERE ${condition.sql}`,
    id: 't.job',
    values: condition.values,
    reading: 'newest',
  };
}

interface Driver {
  sql: string;
  id: string;
  values: (string | number)[];
  /**
   * How the jobs are read.
   * - `newest`: it has the jobs newest first, or few of them, or an index that is enough.
   * - `recent`: very many in another order, of which the newest jobs are searched first.
   */
  reading: 'newest' | 'recent';
}

/** What leaves the fewest jobs to read. Null if the facets do as well. */
function driverOf({ db, filter, sameInput }: Asked, facets: readonly Facet[]): Driver | null {
  const [tag] = filter.tags;
  const ofJobs = (index: string, condition: string): Driver => ({
    sql: `FROM jobs AS j INDEXED BY ${index} WHERE ${condition}`,
    id: 'j.id',
    values: [],
    reading: 'newest',
  });
  const joining = (table: string, condition: string, values: (string | number)[]): Driver => ({
    sql: `FROM ${table} AS t CROSS JOIN jobs AS j ON j.id = t.job WHERE ${condition}`,
    id: 't.job',
    values,
    reading: 'newest',
  });
  if (filter.idStart !== null) {
    const bounds = [filter.idStart, filter.idStart + lastCharacter];
    const sql = `FROM ${jobsOfBlocks('jobs_by_job_id')} AND j.job_id >= ? AND j.job_id < ?`;
    return { sql, id: 'j.id', values: bounds, reading: 'recent' };
  }
  if (sameInput.hash !== null) {
    const sql = `FROM ${jobsOfBlocks('jobs_by_input')} AND j.input_hash = ?`;
    return { sql, id: 'j.id', values: [sameInput.hash], reading: 'newest' };
  }
  if (filter.batchId !== null) return ofJobs('jobs_by_batch', 'j.batch_id IS NOT NULL');
  if (tag !== undefined) return joining('job_tags', 't.tag = ?', [tag]);
  const judged = judgedFilter(filter).index;
  if (judged !== null) return ofJobs(judged.name, judged.condition);
  if (filter.has.includes('images')) return joining('job_images', 'true', []);
  if (filter.has.includes('stream')) return ofJobs('jobs_with_stream', 'j.chunk_count > 0');
  const leastMs = filter.cost === null ? null : leastRunMs(db, filter.cost);
  for (const [index, condition, areOfAnyFacet] of [
    ['jobs_by_execution', within('execution_time_ms', filter.took), false],
    ['jobs_by_wait', within('delay_time_ms', filter.waited), false],
    // Of all that ran so long: an endpoint with a price has many, and counting its own alone reads all the others too.
    ['jobs_by_execution', within('execution_time_ms', leastMs === null ? null : { over: leastMs, under: null }), true],
  ] as const) {
    if (condition.sql === '') continue;
    const from = `FROM ${jobsOfBlocks(index)}`;
    const { sql, values } = joined([condition, areOfAnyFacet ? nothing : inFacets(facets, null)]);
    if (countOf(db, from + sql, fewByFigure, values) <= fewByFigure)
      return { sql: from + condition.sql, id: 'j.id', values: condition.values, reading: 'newest' };
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

/** How far back among the ids the first search goes. They are this far apart (jobs/births.ts). */
const recentIds = 20_000 * 65_536;

/** Reads the newest jobs first, because sorting sixty thousand for a page of a hundred is slow. */
function recentFirst(db: DatabaseSync, reader: Reader): Reader {
  return (from, id, values, rest) => {
    const all = reader(from, id, values, rest);
    return {
      newest(beforeId, limit) {
        const newest = statement(db, 'SELECT max(id) AS id FROM jobs').get();
        const end = Math.min(beforeId, newest === undefined ? 0 : (numberOrNull(newest, 'id') ?? 0) + 1);
        const oldest = end - recentIds;
        const recent = joined([{ sql: ` AND ${id} >= ? AND b.block >= ? >> 32`, values: [oldest, oldest] }, rest]);
        const found = reader(from, id, values, recent).newest(beforeId, limit);
        return found.length === limit ? found : all.newest(beforeId, limit);
      },
      count: (most) => all.count(most),
    };
  };
}

function createReader(db: DatabaseSync, span: IdSpan): Reader {
  return (from, id, values, rest) => ({
    newest: (beforeId, limit) =>
      statement(db, `SELECT ${id} AS id ${from} AND ${id} >= ? AND ${id} < ?${rest.sql} ORDER BY ${id} DESC LIMIT ?`)
        .all(...values, span.first, Math.min(beforeId, span.last + 1), ...rest.values, limit)
        .map((row) => number(row, 'id')),
    count: (most) =>
      countOf(db, `${from} AND ${id} >= ? AND ${id} <= ?${rest.sql}`, most, [
        ...values,
        span.first,
        span.last,
        ...rest.values,
      ]),
  });
}

/** How many rows there are. If more than `most`, one more than that. */
function countOf(db: DatabaseSync, from: string, most: number, values: (string | number)[]): number {
  const row = statement(db, `SELECT count(*) AS jobs FROM (SELECT 1 ${from} LIMIT ?)`).get(...values, most + 1);
  return row === undefined ? 0 : number(row, 'jobs');
}
