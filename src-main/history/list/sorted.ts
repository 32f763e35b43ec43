import { z } from 'zod';
import type { JobSort } from '../../../src-preload/history.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { statement } from '../file/row.ts';
import type { Facet } from '../jobs/facets.ts';
import { jobsOfBlock, newestBlocks } from '../jobs/id-blocks.ts';
import { readByCost, withoutCost, type Priced } from './by-cost.ts';
import {
  having,
  idStarting,
  joined,
  nothing,
  ofBatch,
  tagged,
  type Condition,
  judgedFilter,
  causeFilter,
} from './conditions.ts';
import { mergeOrders, cursorOf, type MergeCursor } from './merge-orders.ts';
import { inFacets, narrowedSource, sourceOf, type ListQuery } from './sources.ts';

const keptPlace = z.tuple([z.union([z.string(), z.number(), z.null()]), z.number()]);

/** Where a page continues in an order other than newest first. */
export interface SortedIds {
  ids: number[];
  /** Null at the end. */
  next: string | null;
}

/** Up to this many matches are sorted. If there are more, an index in that order is read until a page is full. */
const maxPutInOrder = 5_000;

/** A sortable column of the database. */
interface Column {
  name: string;
  /** A and a are equal. */
  isFolded: boolean;
  /** It also contains id and facet, and only jobs with a value, except for the title. */
  index: string;
  /** The index begins with a block of ids. */
  isByBlock: boolean;
}

const columns = {
  id: { name: 'j.job_id', isFolded: false, index: 'jobs_by_job_id', isByBlock: true },
  title: { name: 'j.title', isFolded: true, index: 'jobs_by_title', isByBlock: true },
  wait: { name: 'j.delay_time_ms', isFolded: false, index: 'jobs_by_wait', isByBlock: true },
  execution: { name: 'j.execution_time_ms', isFolded: false, index: 'jobs_by_execution', isByBlock: true },
  ttl: { name: 'j.ttl_ends_at_ms', isFolded: false, index: 'jobs_by_ttl', isByBlock: false },
  mark: { name: 'j.mark', isFolded: false, index: 'jobs_marked', isByBlock: false },
  label: { name: 'j.label', isFolded: true, index: 'jobs_labelled', isByBlock: false },
  note: { name: 'j.note_line', isFolded: true, index: 'jobs_noted', isByBlock: false },
  tags: { name: 'j.first_tag', isFolded: true, index: 'jobs_by_tag', isByBlock: true },
} satisfies Record<string, Column>;

const inOrderOf = ({ name, isFolded }: Column): string => (isFolded ? `${name} COLLATE NOCASE` : name);

/** A page in the order of a column, after `after` (from the page before it). Null: from the beginning. */
export function sortedIds(query: ListQuery, sort: JobSort, after: string | null, limit: number): SortedIds {
  // Without a condition on the batch, SQLite cannot use the batch index, which the query names.
  if (query.span === null || query.passing.length === 0) return { ids: [], next: null };
  const place = after === null ? null : readCursor(after);
  const { column } = sort;
  if (column === 'status' || column === 'endpoint') return byFacets(query, column, sort.isDescending, place, limit);
  if (column === 'cost') return byCost(query, sort, place, limit);
  if (column === 'created') return sort.isDescending ? newestFirst(query, place, limit) : oldest(query, place, limit);
  const of = columns[column];
  const few = sourceOf(query).count(maxPutInOrder) <= maxPutInOrder;
  return few ? ofFew(query, of, sort, place, limit) : ofMany(query, of, sort, place, limit);
}

function readCursor(text: string): MergeCursor | null {
  const read = keptPlace.safeParse(parseJson(text));
  return read.success ? read.data : null;
}

function pageOf(found: readonly MergeCursor[], limit: number): SortedIds {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    ids: shown.map(([, id]) => id),
    next: found.length > limit && last !== undefined ? JSON.stringify(last) : null,
  };
}

/** Status and endpoint are the same for all jobs of a facet, so groups of facets are read one after the other. */
function byFacets(
  query: ListQuery,
  column: 'status' | 'endpoint',
  isDescending: boolean,
  after: MergeCursor | null,
  limit: number,
): SortedIds {
  const valueOf = (facet: Facet): string => (column === 'status' ? facet.word : facet.endpointId);
  const groups = [...Map.groupBy(query.passing, valueOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  if (isDescending) groups.reverse();
  const found: MergeCursor[] = [];
  for (const [value, facets] of groups) {
    if (found.length > limit) break;
    const order = after === null ? 0 : compare(value, after[0]) * (isDescending ? -1 : 1);
    if (order < 0) continue;
    const beforeId = after !== null && order === 0 ? after[1] : Number.MAX_SAFE_INTEGER;
    for (const id of narrowedSource(query, { facets }).newest(beforeId, limit + 1 - found.length))
      found.push([value, id]);
  }
  return pageOf(found, limit);
}

function compare(value: string, other: string | number | null): number {
  return typeof other !== 'string' || value === other ? 0 : value < other ? -1 : 1;
}

function newestFirst(query: ListQuery, after: MergeCursor | null, limit: number): SortedIds {
  const ids = sourceOf(query).newest(after?.[1] ?? Number.MAX_SAFE_INTEGER, limit + 1);
  return pageOf(
    ids.map((id) => [null, id]),
    limit,
  );
}

/** Ids ascend with creation. */
function oldest(query: ListQuery, after: MergeCursor | null, limit: number): SortedIds {
  const { sql, values } = allOf(query);
  // A batch has an index of its own. Otherwise all jobs are read, because most of them match.
  const index = query.filter.batchId === null ? 'NOT INDEXED' : 'INDEXED BY jobs_by_batch';
  const rows = read(query, `FROM jobs AS j ${index} WHERE j.id > ?${sql} ORDER BY j.id LIMIT ?`, 'NULL', [
    after?.[1] ?? Number.MIN_SAFE_INTEGER,
    ...values,
    limit + 1,
  ]);
  return pageOf(rows, limit);
}

/** All matches are sorted, because there are few. */
function ofFew(
  query: ListQuery,
  column: Column,
  { isDescending }: JobSort,
  after: MergeCursor | null,
  limit: number,
): SortedIds {
  const sql = inOrderOf(column);
  const direction = isDescending ? 'DESC' : 'ASC';
  const ids = sourceOf(query).newest(Number.MAX_SAFE_INTEGER, maxPutInOrder + 1);
  const behind = after === null ? nothing : placedBehind(sql, isDescending, after);
  const rows = read(
    query,
    `FROM json_each(?) AS w CROSS JOIN jobs AS j ON j.id = w.value WHERE true${behind.sql}
    ORDER BY ${sql} IS NULL, ${sql} ${direction}, iif(${sql} IS NULL, -j.id, j.id * ${isDescending ? -1 : 1}) LIMIT ?`,
    sql,
    [JSON.stringify(ids), ...behind.values, limit + 1],
  );
  return pageOf(rows, limit);
}

function placedBehind(sql: string, isDescending: boolean, [value, id]: MergeCursor): Condition {
  if (value === null) return { sql: ` AND ${sql} IS NULL AND j.id < ?`, values: [id] };
  const further = isDescending ? '<' : '>';
  return {
    sql: ` AND (${sql} ${further} ? OR ${sql} IS NULL OR (${sql} = ? AND j.id ${further} ?))`,
    values: [value, value, id],
  };
}

/** The column's index is read, and each of its jobs is checked until the page is full, because many match. */
function ofMany(
  query: ListQuery,
  column: Column,
  { isDescending }: JobSort,
  after: MergeCursor | null,
  limit: number,
): SortedIds {
  const found: MergeCursor[] = [];
  if (after === null || after[0] !== null) {
    for (const place of inOrder(query, column, isDescending, after)) {
      found.push(place);
      if (found.length > limit) break;
    }
  }
  if (found.length <= limit) {
    const beforeId = after !== null && after[0] === null ? after[1] : Number.MAX_SAFE_INTEGER;
    const without = { sql: ` AND ${column.name} IS NULL`, values: [] };
    const ids = narrowedSource(query, { extra: without }).newest(beforeId, limit + 1 - found.length);
    for (const each of ids) found.push([null, each]);
  }
  return pageOf(found, limit);
}

/** Jobs with a value, in order, after `after`. The blocks of ids, each of which is in order, are merged. */
function inOrder(
  query: ListQuery,
  column: Column,
  isDescending: boolean,
  after: MergeCursor | null,
): Generator<MergeCursor> {
  const { db } = query;
  const { name, isFolded, index, isByBlock } = column;
  const sql = inOrderOf(column);
  const [direction, further] = isDescending ? ['DESC', '<'] : ['ASC', '>'];
  const rest = allOf(query);
  const bounds: Condition[] =
    after === null
      ? [nothing]
      : [
          { sql: ` AND ${sql} = ? AND j.id ${further} ?`, values: [after[0] ?? '', after[1]] },
          { sql: ` AND ${sql} ${further} ?`, values: [after[0] ?? ''] },
        ];
  function* ofBlock(block: number | null): Generator<MergeCursor> {
    const jobs = block === null ? `jobs AS j INDEXED BY ${index} WHERE true` : jobsOfBlock(index);
    for (const bound of bounds) {
      // Prepared for this reading only, because those of all blocks are read at the same time.
      const rows = db.prepare(
        `SELECT j.id AS id, ${sql} AS value FROM ${jobs} AND ${name} IS NOT NULL${bound.sql}${rest.sql}
        ORDER BY ${sql} ${direction}, j.id ${direction}`,
      );
      const values = [...(block === null ? [] : [block]), ...bound.values, ...rest.values];
      for (const row of rows.iterate(...values)) yield cursorOf(row);
    }
  }
  return mergeOrders((isByBlock ? newestBlocks(db) : [null]).map(ofBlock), {
    isDescending,
    isFolded,
  });
}

/** By cost. Jobs of unknown cost come last, newest first. */
function byCost(query: ListQuery, sort: JobSort, after: MergeCursor | null, limit: number): SortedIds {
  const value = after?.[0] ?? null;
  const found: MergeCursor[] = [];
  if (after === null || typeof value === 'number') {
    const behind: Priced | null = after === null || typeof value !== 'number' ? null : [value, after[1]];
    const of = { facets: query.passing, rest: allOf(query) };
    found.push(...readByCost(query.db, of, { ...sort, after: behind, limit: limit + 1 }));
  }
  if (found.length <= limit) {
    const beforeId = after !== null && value === null ? after[1] : Number.MAX_SAFE_INTEGER;
    const ids = narrowedSource(query, { extra: withoutCost(query.db) }).newest(beforeId, limit + 1 - found.length);
    for (const id of ids) found.push([null, id]);
  }
  return pageOf(found, limit);
}

/** All conditions of the filter on a job. */
function allOf({ db, filter, match, facets, passing, span, times, sameInput }: ListQuery): Condition {
  if (span === null || passing.length === 0) return { sql: ' AND false', values: [] };
  return joined([
    inFacets(passing, facets),
    { sql: ' AND j.id >= ? AND j.id <= ?', values: [span.first, span.last] },
    times,
    ofBatch(filter),
    having(filter),
    idStarting(filter),
    judgedFilter(filter),
    causeFilter(db, filter),
    sameInput,
    tagged(filter.tags, filter.notTags),
    match === null ? nothing : { sql: ' AND j.id IN (SELECT rowid FROM search WHERE search MATCH ?)', values: [match] },
  ]);
}

function read({ db }: ListQuery, from: string, value: string, values: (string | number)[]): MergeCursor[] {
  return statement(db, `SELECT j.id AS id, ${value} AS value ${from}`)
    .all(...values)
    .map(cursorOf);
}
