import type { DatabaseSync } from 'node:sqlite';
import {
  addCosts,
  attemptsOf,
  creditsFor,
  estimateCost,
  noCost,
  rateAt,
  type CostRate,
  type CostSum,
  type EndpointCost,
  type ViewCost,
} from '../../../src-preload/cost.ts';
import type { EndpointRef } from '../../../src-preload/endpoint-key.ts';
import { isOfFacets, type JobFilter } from '../../../src-preload/history.ts';
import { number, numberOrNull, oneOf, statement, text } from '../file/row.ts';
import { newestInFacets, passesFilter, phases, readFacets, type Facet } from '../jobs/facets.ts';
import { readJobs } from '../jobs/jobs.ts';
import { percentile } from '../jobs/run-times.ts';
import type { CostsSince } from '../records.ts';
import { inTree } from './cost-condition.ts';
import { idsOfFilter } from './list.ts';

type Prices = Pick<EndpointCost, 'connectionId' | 'endpointId' | 'rates'>;

/** How many of an endpoint's newest completed jobs are used for its usual cost. */
const sampleJobs = 500;

/**
 * The cost of the jobs that match `filter`. If facets are enough for the filter, it is added up from the cost index,
 * however many jobs there are; otherwise the newest `maxJobs` matches are read individually, and the result says so if
 * there are more.
 */
export function readCostOfFilter(
  db: DatabaseSync,
  filter: JobFilter,
  prices: readonly Prices[],
  options: { nowMs: number; startOfTodayMs: number; maxJobs: number },
): ViewCost {
  if (isOfFacets(filter)) {
    const facets = readFacets(db).filter((facet) => passesFilter(facet, filter));
    return {
      ...addCosts(facets.map((facet) => costOfFacet(db, facet, ratesOf(prices, facet), 0, options.nowMs))),
      newestOnly: null,
    };
  }
  const ids = idsOfFilter(db, filter, options.maxJobs + 1, options.startOfTodayMs);
  const isCut = ids.length > options.maxJobs;
  return {
    ...costOfJobs(db, isCut ? ids.slice(0, options.maxJobs) : ids, prices, options.nowMs),
    newestOnly: isCut ? options.maxJobs : null,
  };
}

/**
 * The sums of one endpoint's jobs that ended since each of the times, including running ones, and what a job usually
 * costs.
 */
export function readCostsSince(
  db: DatabaseSync,
  of: {
    connectionId: string;
    endpointId: string;
    rates: readonly CostRate[];
    sincesMs: readonly number[];
    nowMs: number;
  },
): CostsSince {
  const facets = readFacets(db).filter(
    (facet) => facet.connectionId === of.connectionId && facet.endpointId === of.endpointId,
  );
  const completed = facets.filter((facet) => facet.word === 'completed' && facet.phase === 'finished');
  const credits = readJobs(db, newestInFacets(db, completed, { limit: sampleJobs })).flatMap((job) => {
    const cost = estimateCost(attemptsOf(job, [], of.nowMs), of.rates, of.nowMs);
    return cost.kind === 'estimate' ? [cost.credits] : [];
  });
  return {
    sums: of.sincesMs.map((sinceMs) =>
      addCosts(facets.map((facet) => costOfFacet(db, facet, of.rates, sinceMs, of.nowMs))),
    ),
    jobP50: percentile(credits, 0.5),
    jobCount: credits.length,
  };
}

function ratesOf(prices: readonly Prices[], endpointRef: EndpointRef): readonly CostRate[] {
  return (
    prices.find((each) => each.connectionId === endpointRef.connectionId && each.endpointId === endpointRef.endpointId)
      ?.rates ?? []
  );
}

function costOfFacet(
  db: DatabaseSync,
  facet: Facet,
  rates: readonly CostRate[],
  sinceMs: number,
  nowMs: number,
): CostSum {
  switch (facet.phase) {
    case 'active':
      // Some have ended, and only the rest of their stream is still being read.
      return addCosts([
        costOfRunning(db, facet, rates, nowMs),
        ...spans(rates, sinceMs).map((span) => costOfSpan(db, facet, span)),
        formerAttempts(db, facet, rates, sinceMs),
      ]);
    case 'finished':
    case 'gone':
      return addCosts([
        ...spans(rates, sinceMs).map((span) => costOfSpan(db, facet, span)),
        formerAttempts(db, facet, rates, sinceMs),
      ]);
    case 'orphaned':
      // How long an orphaned job ran is not known. Its former attempts are.
      return formerAttempts(db, facet, rates, sinceMs);
    // None of these ran, as far as known.
    case 'waiting':
    case 'submitting':
    case 'outcome-unknown':
    case 'refused':
      return noCost;
  }
}

interface Span {
  fromMs: number;
  toMs: number;
  creditsPerHour: number | null;
}

/** The periods since `sinceMs` in which one rate was valid, including the time before the first rate. */
function spans(rates: readonly CostRate[], sinceMs: number): Span[] {
  const starts = [...new Set([sinceMs, ...rates.map((rate) => rate.sinceMs).filter((atMs) => atMs > sinceMs)])].sort(
    (a, b) => a - b,
  );
  return starts.map((fromMs, index) => ({
    fromMs,
    toMs: starts[index + 1] ?? Number.MAX_SAFE_INTEGER,
    creditsPerHour: rateAt(rates, fromMs),
  }));
}

function costOfSpan(db: DatabaseSync, facet: Facet, { fromMs, toMs, creditsPerHour }: Span): CostSum {
  const row = statement(
    db,
    `SELECT total(execution_time_ms) AS execution, count(execution_time_ms) AS timed, count(*) AS jobs
    FROM jobs INDEXED BY jobs_by_cost WHERE facet = ? AND finished_seen_at_ms >= ? AND finished_seen_at_ms < ?`,
  ).get(facet.id, fromMs, toMs);
  if (row === undefined) return noCost;
  const jobs = number(row, 'jobs');
  if (creditsPerHour === null) return { ...noCost, unpricedJobs: jobs };
  const executionMs = number(row, 'execution');
  const pricedJobs = number(row, 'timed');
  return { credits: creditsFor(executionMs, creditsPerHour), executionMs, pricedJobs, unpricedJobs: jobs - pricedJobs };
}

/** Running jobs by their time so far. There are as few as workers, and the queue before them costs nothing. */
function costOfRunning(db: DatabaseSync, facet: Facet, rates: readonly CostRate[], nowMs: number): CostSum {
  if (facet.word === 'in_queue') return noCost;
  const rate = rateAt(rates, nowMs);
  const row = statement(
    db,
    `SELECT count(*) AS jobs, total(max(? - started_seen_at_ms, coalesce(execution_time_ms, 0), 0)) AS elapsed
    FROM jobs AS j INDEXED BY jobs_by_facet
    WHERE facet = ? AND started_seen_at_ms IS NOT NULL AND finished_seen_at_ms IS NULL`,
  ).get(nowMs, facet.id);
  if (row === undefined) return noCost;
  const jobs = number(row, 'jobs');
  if (rate === null) return { ...noCost, unpricedJobs: jobs };
  const executionMs = number(row, 'elapsed');
  return { credits: creditsFor(executionMs, rate), executionMs, pricedJobs: jobs, unpricedJobs: 0 };
}

/** Attempts before the last one, of retried jobs. They add to the cost but not to the number of jobs. */
function formerAttempts(db: DatabaseSync, facet: Facet, rates: readonly CostRate[], sinceMs: number): CostSum {
  if (rates.length === 0) return noCost;
  const rows = statement(
    db,
    `SELECT a.execution_time_ms AS execution, a.finished_seen_at_ms AS ended
    FROM jobs AS j INDEXED BY jobs_retried CROSS JOIN attempts AS a ON a.job = j.id AND a.number < j.attempt
    WHERE j.facet = ? AND j.attempt > 1 AND a.execution_time_ms IS NOT NULL AND a.finished_seen_at_ms >= ?`,
  ).all(facet.id, sinceMs);
  let credits = 0;
  let executionMs = 0;
  for (const row of rows) {
    const rate = rateAt(rates, number(row, 'ended'));
    if (rate === null) continue;
    credits += creditsFor(number(row, 'execution'), rate);
    executionMs += number(row, 'execution');
  }
  return { ...noCost, credits, executionMs };
}

/** Adds up these jobs: those with one attempt in groups, because they are nearly all, and the others individually. */
function costOfJobs(db: DatabaseSync, ids: readonly number[], prices: readonly Prices[], nowMs: number): CostSum {
  const wanted = JSON.stringify(ids);
  return addCosts([costOfGroups(db, wanted, prices), costOfEach(db, wanted, prices, nowMs)]);
}

function costOfGroups(db: DatabaseSync, ids: string, prices: readonly Prices[]): CostSum {
  const facets = new Map(readFacets(db).map((facet) => [facet.id, facet]));
  const changesMs = [...new Set(prices.flatMap(({ rates }) => rates.map(({ sinceMs }) => sinceMs)))].sort(
    (a, b) => a - b,
  );
  // How many changes of any rate came before the job ended: within such a group each endpoint has one rate.
  const span = inTree(
    changesMs.map(() => '(j.finished_seen_at_ms >= ?)'),
    '+',
    '0',
  );
  const rows = statement(
    db,
    `SELECT j.facet AS facet, ${span} AS span, total(j.execution_time_ms) AS execution,
      count(j.execution_time_ms) AS timed, count(*) AS jobs
    FROM json_each(?) AS wanted CROSS JOIN jobs AS j ON j.id = wanted.value
    WHERE j.phase IN ('finished', 'gone') AND j.attempt = 1 GROUP BY 1, 2`,
  ).all(...changesMs, ids);
  return addCosts(
    rows.map((row): CostSum => {
      const facet = facets.get(number(row, 'facet'));
      const sinceMs = changesMs[number(row, 'span') - 1];
      const rate = facet === undefined || sinceMs === undefined ? null : rateAt(ratesOf(prices, facet), sinceMs);
      const jobs = number(row, 'jobs');
      const pricedJobs = number(row, 'timed');
      const executionMs = number(row, 'execution');
      return rate === null
        ? { ...noCost, unpricedJobs: jobs }
        : { credits: creditsFor(executionMs, rate), executionMs, pricedJobs, unpricedJobs: jobs - pricedJobs };
    }),
  );
}

/** Running and retried jobs. */
function costOfEach(db: DatabaseSync, ids: string, prices: readonly Prices[], nowMs: number): CostSum {
  const rows = statement(
    db,
    `SELECT j.id, j.connection_id, j.endpoint_id, j.phase, j.attempt, j.started_seen_at_ms, j.finished_seen_at_ms,
      j.execution_time_ms
    FROM json_each(?) AS wanted CROSS JOIN jobs AS j ON j.id = wanted.value
    WHERE j.phase = 'active' OR (j.attempt > 1 AND j.phase IN ('finished', 'gone', 'orphaned'))`,
  ).all(ids);
  const formerRows = statement(
    db,
    'SELECT number, execution_time_ms, finished_seen_at_ms FROM attempts WHERE job = ? AND number < ?',
  );
  const sum = { ...noCost };
  const add = ({ credits, executionMs }: Pick<CostSum, 'credits' | 'executionMs'>): void => {
    sum.credits += credits;
    sum.executionMs += executionMs;
  };
  for (const row of rows) {
    const job = {
      phase: oneOf(row, 'phase', phases),
      attempt: number(row, 'attempt'),
      startedSeenAtMs: numberOrNull(row, 'started_seen_at_ms'),
      finishedSeenAtMs: numberOrNull(row, 'finished_seen_at_ms'),
      executionTimeMs: numberOrNull(row, 'execution_time_ms'),
    };
    const former =
      job.attempt === 1
        ? []
        : formerRows.all(number(row, 'id'), job.attempt).map((each) => ({
            number: number(each, 'number'),
            executionTimeMs: numberOrNull(each, 'execution_time_ms'),
            finishedSeenAtMs: numberOrNull(each, 'finished_seen_at_ms'),
          }));
    const attempts = attemptsOf(job, former, nowMs);
    const rates = ratesOf(prices, { connectionId: text(row, 'connection_id'), endpointId: text(row, 'endpoint_id') });
    const before = estimateCost(attempts.slice(0, -1), rates, nowMs);
    if (before.kind === 'estimate') add(before);
    const hasRun = job.phase !== 'active' || job.startedSeenAtMs !== null || job.finishedSeenAtMs !== null;
    if (!hasRun || job.phase === 'orphaned') continue;
    const last = estimateCost(attempts.slice(-1), rates, nowMs);
    if (last.kind === 'estimate') {
      add(last);
      sum.pricedJobs += 1;
    } else sum.unpricedJobs += 1;
  }
  return sum;
}
