import { hourMs } from '../../../src-preload/durations.ts';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { attemptsOf, estimateCost, type EndpointCost } from '../../../src-preload/cost.ts';
import { endpointKey } from '../../../src-preload/endpoint-key.ts';
import { isWithin, type Range } from '../../../src-preload/history.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { readDocuments } from '../file/documents.ts';
import { number, statement } from '../file/row.ts';
import { readFacets, type Facet } from '../jobs/facets.ts';
import { readAttempts } from '../jobs/attempts.ts';
import { readPlaced } from '../jobs/jobs.ts';

/** The rates in an endpoint's document. Its other fields are ignored here. */
const keptRates = z.object({
  connectionId: z.string(),
  endpointId: z.string(),
  rates: z.array(z.object({ creditsPerHour: z.number().nullable(), sinceMs: z.number() })),
});
type Rated = z.infer<typeof keptRates>;

/**
 * Ended jobs with a cost in this range by their endpoints' rates, as SQL over `jobs AS j`. Between two changes of a
 * rate a cost corresponds to a time, so jobs with one attempt are found by their times; retried ones are few and are
 * read individually.
 */
export function costCondition(db: DatabaseSync, range: Range): { sql: string; values: (string | number)[] } {
  const rated = readRates(db);
  const values: (string | number)[] = [];
  const parts: string[] = [];
  const facets = readFacets(db).filter(({ phase }) => phase === 'finished' || phase === 'gone');
  for (const { connectionId, endpointId, rates } of rated) {
    const ids = facets
      .filter((facet) => facet.connectionId === connectionId && facet.endpointId === endpointId)
      .map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const [at, { sinceMs, creditsPerHour }] of rates.entries()) {
      if (creditsPerHour === null || creditsPerHour <= 0) continue;
      const bound = (credits: number): number => (credits / creditsPerHour) * hourMs;
      parts.push(
        '(j.facet IN (SELECT value FROM json_each(?)) AND j.finished_seen_at_ms >= ? AND j.finished_seen_at_ms < ?' +
          (range.over === null ? '' : ' AND j.execution_time_ms > ?') +
          (range.under === null ? '' : ' AND j.execution_time_ms < ?') +
          ' AND j.execution_time_ms IS NOT NULL)',
      );
      values.push(JSON.stringify(ids), sinceMs, rates[at + 1]?.sinceMs ?? Number.MAX_SAFE_INTEGER);
      if (range.over !== null) values.push(bound(range.over));
      if (range.under !== null) values.push(bound(range.under));
    }
  }
  values.push(JSON.stringify(retriedWithin(db, range, rated).map(({ id }) => id)));
  const once = `(j.attempt = 1 AND ${inTree(parts, 'OR', 'false')})`;
  return { sql: ` AND (${once} OR j.id IN (SELECT value FROM json_each(?)))`, values };
}

/**
 * The parts with an operator between them, as a tree: in a row each would be nested in the next one, and SQLite refuses
 * more than a thousand levels. `none`: what stands for no parts.
 */
export function inTree(parts: readonly string[], operator: '+' | 'OR', none: string): string {
  if (parts.length <= 1) return parts[0] ?? none;
  const middle = Math.ceil(parts.length / 2);
  const halves = [parts.slice(0, middle), parts.slice(middle)].map((half) => inTree(half, operator, none));
  return `(${halves.join(` ${operator} `)})`;
}

/**
 * How long a job must have run to cost more than `range.over`, so that an index of run times finds them all. Null if
 * that is not known.
 */
export function minRunMs(db: DatabaseSync, range: Range): number | null {
  if (range.over === null) return null;
  const rated = readRates(db);
  const dearest = Math.max(0, ...rated.flatMap(({ rates }) => rates.map(({ creditsPerHour }) => creditsPerHour ?? 0)));
  const retried = retriedWithin(db, range, rated).map(({ executionTimeMs }) => executionTimeMs);
  if (dearest === 0 || retried.includes(null)) return null;
  return Math.min((range.over / dearest) * hourMs, ...retried.map((ms) => (ms ?? 0) - 1));
}

/** The facets of jobs with a cost. */
export function pricedFacets(db: DatabaseSync, facets: readonly Facet[]): Facet[] {
  const rated = new Set(readRates(db).map(({ connectionId, endpointId }) => endpointKey({ connectionId, endpointId })));
  return facets.filter(
    ({ phase, connectionId, endpointId }) =>
      (phase === 'finished' || phase === 'gone') && rated.has(endpointKey({ connectionId, endpointId })),
  );
}

interface Retried {
  id: number;
  executionTimeMs: number | null;
  credits: number;
}

/** Jobs that were retried and are over, with what all their attempts cost, where that is known. */
export function retriedCosts(db: DatabaseSync): Retried[] {
  return retriedWithin(db, { over: null, under: null }, readRates(db));
}

function retriedWithin(db: DatabaseSync, range: Range, rated: readonly Rated[]): Retried[] {
  const ids = statement(db, 'SELECT id FROM jobs INDEXED BY jobs_retried WHERE attempt > 1')
    .all()
    .map((row) => number(row, 'id'));
  return readPlaced(db, ids).flatMap(({ id, job }) => {
    if (job.phase !== 'finished' && job.phase !== 'gone') return [];
    const rates = ratesOf(rated, job.connectionId, job.endpointId);
    const cost = estimateCost(attemptsOf(job, readAttempts(db, id), 0), rates, 0);
    if (cost.kind !== 'estimate' || !isWithin(cost.credits, range)) return [];
    return [{ id, executionTimeMs: job.executionTimeMs, credits: cost.credits }];
  });
}

function ratesOf(rated: readonly Rated[], connectionId: string, endpointId: string): EndpointCost['rates'] {
  const found = rated.find((each) => each.connectionId === connectionId && each.endpointId === endpointId);
  return (found?.rates ?? []).map((rate) => ({ ...rate, source: { kind: 'typed' } }));
}

/** The rates of all endpoints, oldest first. Unreadable ones are ignored. */
export function readRates(db: DatabaseSync): Rated[] {
  return readDocuments(db, 'cost').flatMap(({ json }) => {
    const read = keptRates.safeParse(parseJson(json));
    return read.success ? [read.data] : [];
  });
}
