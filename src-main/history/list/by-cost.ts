import type { DatabaseSync } from 'node:sqlite';
import { creditsFor } from '../../../src-preload/cost.ts';
import { hourMs } from '../../../src-preload/durations.ts';
import type { JobSort } from '../../../src-preload/history.ts';
import { flag, number, statement } from '../file/row.ts';
import type { Facet } from '../jobs/facets.ts';
import { jobsOfBlock, newestBlocks } from '../jobs/id-blocks.ts';
import type { Condition } from './conditions.ts';
import { costCondition, readRates, retriedCosts } from './cost-condition.ts';
import { mergeOrders } from './merge-orders.ts';

/** A job with its cost. */
export type Priced = [credits: number, id: number];

/** The jobs of one facet that ended while one rate was valid. Their order by cost is their order by run time. */
interface Stretch {
  facet: Facet;
  fromMs: number;
  toMs: number;
  creditsPerHour: number;
}

/** Up to this many jobs of a stretch are sorted at once. For more, the index of run times is read in its order. */
const fewOfStretch = 2_000;
/** How many jobs of a stretch are read first, and after that. Most stretches have only a few jobs on a page. */
const firstRows = 8;
const moreRows = 200;

/**
 * The next `limit` jobs in order of cost, after `after` (null: from the first). It merges the stretches, and the blocks
 * of long ones, each of which is in order. `rest`: the other conditions of the filter.
 */
export function readByCost(
  db: DatabaseSync,
  query: { facets: readonly Facet[]; rest: Condition },
  { isDescending, after, limit }: Pick<JobSort, 'isDescending'> & { after: Priced | null; limit: number },
): Priced[] {
  const isBefore = (one: Priced, other: Priced): boolean => {
    const difference = one[0] - other[0] || one[1] - other[1];
    return isDescending ? difference > 0 : difference < 0;
  };
  const blocks = newestBlocks(db);
  const orders = [
    retried(db, query.rest, isBefore),
    ...stretchesOf(db, query.facets).flatMap((stretch) =>
      (isShort(db, stretch) ? [null] : blocks).map((block) =>
        inStretch(db, stretch, { block, rest: query.rest, isDescending, after }),
      ),
    ),
  ];
  const found: Priced[] = [];
  for (const job of mergeOrders(orders, { isDescending, isFolded: false })) {
    if (found.length === limit) break;
    if (after === null || isBefore(after, job)) found.push(job);
  }
  return found;
}

/** Jobs of unknown cost: those that are still running, and those without a time or a rate. */
export function withoutCost(db: DatabaseSync): Condition {
  const { sql, values } = costCondition(db, { over: null, under: null });
  return { sql: ` AND (true${sql}) IS NOT TRUE`, values };
}

function stretchesOf(db: DatabaseSync, facets: readonly Facet[]): Stretch[] {
  return readRates(db).flatMap(({ connectionId, endpointId, rates }) =>
    facets
      .filter(
        (facet) =>
          (facet.phase === 'finished' || facet.phase === 'gone') &&
          facet.connectionId === connectionId &&
          facet.endpointId === endpointId,
      )
      .flatMap((facet) =>
        rates.flatMap(({ creditsPerHour, sinceMs }, at): Stretch[] =>
          creditsPerHour === null || creditsPerHour <= 0
            ? []
            : [{ facet, fromMs: sinceMs, toMs: rates[at + 1]?.sinceMs ?? Number.MAX_SAFE_INTEGER, creditsPerHour }],
        ),
      ),
  );
}

/** Jobs of a stretch in order, from a little before `after`: of one block, or of all if `block` is null. */
function* inStretch(
  db: DatabaseSync,
  { facet, fromMs, toMs, creditsPerHour }: Stretch,
  query: { block: number | null; rest: Condition; isDescending: boolean; after: Priced | null },
): Generator<Priced> {
  const { block, rest, after } = query;
  const [direction, further, edge] = query.isDescending
    ? (['DESC', '<', Number.MAX_SAFE_INTEGER] as const)
    : (['ASC', '>', Number.MIN_SAFE_INTEGER] as const);
  // A stretch is ordered by run time and id. The cost of `after` is rounded, so reading starts a millisecond earlier.
  let place: [executionMs: number, id: number] = [edge, edge];
  if (after !== null) place = [(after[0] / creditsPerHour) * hourMs + Math.sign(edge), edge];
  const jobs = block === null ? 'jobs AS j INDEXED BY jobs_by_cost WHERE true' : jobsOfBlock('jobs_by_run_cost');
  // The index alone determines the next jobs. Those that do not pass the filter are then left out.
  const next = statement(
    db,
    `SELECT t.id AS id, t.execution AS execution, (j.attempt = 1${rest.sql}) IS TRUE AS passes
    FROM (
      SELECT id, execution_time_ms AS execution FROM ${jobs}
        AND facet = ? AND finished_seen_at_ms >= ? AND finished_seen_at_ms < ? AND execution_time_ms IS NOT NULL
        AND (execution_time_ms, id) ${further} (?, ?)
      ORDER BY execution_time_ms ${direction}, id ${direction} LIMIT ?
    ) AS t CROSS JOIN jobs AS j ON j.id = t.id ORDER BY t.execution ${direction}, t.id ${direction}`,
  );
  for (let rows = firstRows; ; rows = moreRows) {
    const read = next.all(...rest.values, ...(block === null ? [] : [block]), facet.id, fromMs, toMs, ...place, rows);
    for (const row of read) {
      place = [number(row, 'execution'), number(row, 'id')];
      if (flag(row, 'passes')) yield [creditsFor(place[0], creditsPerHour), place[1]];
    }
    if (read.length < rows) return;
  }
}

/**
 * Whether a stretch has only few jobs of its facet. Reading the index of run times would then skip very many others.
 */
function isShort(db: DatabaseSync, { facet, fromMs, toMs }: Stretch): boolean {
  if (facet.jobs <= fewOfStretch) return true;
  if (fromMs === 0 && toMs === Number.MAX_SAFE_INTEGER) return false;
  const row = statement(
    db,
    `SELECT count(*) AS jobs FROM (
      SELECT 1 FROM jobs INDEXED BY jobs_by_cost
      WHERE facet = ? AND finished_seen_at_ms >= ? AND finished_seen_at_ms < ? LIMIT ?
    )`,
  ).get(facet.id, fromMs, toMs, fewOfStretch + 1);
  return row !== undefined && number(row, 'jobs') <= fewOfStretch;
}

/** Retried jobs. They are few, so their costs are calculated one by one. */
function* retried(
  db: DatabaseSync,
  rest: Condition,
  isBefore: (one: Priced, other: Priced) => boolean,
): Generator<Priced> {
  const costs = new Map(retriedCosts(db).map(({ id, credits }) => [id, credits]));
  const passing = statement(
    db,
    `SELECT j.id AS id FROM json_each(?) AS w CROSS JOIN jobs AS j ON j.id = w.value WHERE true${rest.sql}`,
  ).all(JSON.stringify([...costs.keys()]), ...rest.values);
  const priced = passing.map((row): Priced => [costs.get(number(row, 'id')) ?? 0, number(row, 'id')]);
  yield* priced.sort((one, other) => (isBefore(one, other) ? -1 : 1));
}
