import type { DatabaseSync } from 'node:sqlite';
import type { RunTimes } from '../../../src-preload/history.ts';
import type { RunSample } from '../records.ts';
import { inputBody, readBody } from './bodies.ts';
import { number, numberOrNull, statement } from '../file/row.ts';
import { newestInFacets, readFacets, type Facet } from './facets.ts';
import { scalarsOf } from './input-scalars.ts';
import { findJob, readJobs, type PlacedJob } from './jobs.ts';

/**
 * How many of an endpoint's newest completed jobs are used for its run times: enough for a p95, few enough to follow a
 * change.
 */
const sampleJobs = 500;

/** Run times of each endpoint of a connection that has completed jobs, by endpoint id. */
export function readRunTimes(db: DatabaseSync, connectionId: string): RunTimes[] {
  const completed = readFacets(db).filter((facet) => facet.connectionId === connectionId && facet.word === 'completed');
  const endpointIds = [...new Set(completed.map((facet) => facet.endpointId))].sort();
  return endpointIds.map((endpointId) => {
    const runs = newestRuns(
      db,
      completed.filter((facet) => facet.endpointId === endpointId),
    );
    const executionMs = runs.map((run) => run.executionMs).filter((ms) => ms !== null);
    const delayMs = runs.map((run) => run.delayMs).filter((ms) => ms !== null);
    return {
      endpointId,
      count: runs.length,
      executionP50Ms: percentile(executionMs, 0.5),
      executionP95Ms: percentile(executionMs, 0.95),
      delayP95Ms: percentile(delayMs, 0.95),
    };
  });
}

interface Run {
  id: number;
  executionMs: number | null;
  delayMs: number | null;
}

/** The run times of the newest completed jobs of a facet. They are in the index, which is a few pages for 500 jobs. */
const newestRunsSql = `SELECT id, execution_time_ms, delay_time_ms FROM jobs INDEXED BY jobs_by_facet
  WHERE facet = ? ORDER BY id DESC LIMIT ${sampleJobs}`;

/**
 * The newest `sampleJobs` jobs of the facets together. The jobs themselves are not read: a connection may have two
 * hundred endpoints, and every other call would wait.
 */
function newestRuns(db: DatabaseSync, facets: readonly Facet[]): Run[] {
  const newest = statement(db, newestRunsSql);
  return facets
    .flatMap((facet) => newest.all(facet.id))
    .map((row) => ({
      id: number(row, 'id'),
      executionMs: numberOrNull(row, 'execution_time_ms'),
      delayMs: numberOrNull(row, 'delay_time_ms'),
    }))
    .sort((one, other) => other.id - one.id)
    .slice(0, sampleJobs);
}

/** Fewer than for the percentiles, because each is read with its input. */
const sampleRuns = 200;

/** Runs to learn from: the newest completed jobs of an endpoint with the numbers in their inputs, newest first. */
export function readRunSamples(db: DatabaseSync, connectionId: string, endpointId: string): RunSample[] {
  const facets = readFacets(db).filter(
    (facet) => facet.connectionId === connectionId && facet.endpointId === endpointId && facet.word === 'completed',
  );
  return newestInFacets(db, facets, { limit: sampleRuns }).flatMap((id) => {
    const [job] = readJobs(db, [id]);
    return job === undefined || job.executionTimeMs === null
      ? []
      : [{ executionMs: job.executionTimeMs, numbers: numbersOfJob(db, { id, job }) }];
  });
}

/** The numbers in these jobs' inputs, in order. */
export function readInputNumbers(db: DatabaseSync, keys: readonly string[]): Record<string, number>[] {
  return keys.map((key) => {
    const found = findJob(db, key);
    return found === null ? {} : numbersOfJob(db, found);
  });
}

function numbersOfJob(db: DatabaseSync, { id, job }: PlacedJob): Record<string, number> {
  if (job.inputBytes === 0 || job.inputBytes > maxNumberedBytes) return {};
  return numbersOf(readBody(db, id, inputBody)?.text ?? '');
}

/**
 * The smallest value that at least `share` of the values do not exceed (nearest rank). Null without values. An outlier
 * moves it by at most one rank.
 */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** Larger inputs are not searched for numbers: they mostly contain images. */
const maxNumberedBytes = 65_536;
const maxNumbers = 16;

/**
 * The finite numbers in a job's input by their path (`steps`, `sampling.max_tokens`), those nearest to the top first,
 * at most sixteen: a run time may depend on them. Lists are left out. `inputText` is JSON; any other text has none.
 */
export function numbersOf(inputText: string): Record<string, number> {
  const found: Record<string, number> = {};
  let count = 0;
  for (const [path, value] of scalarsOf(inputText)) {
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    found[path] = value;
    count += 1;
    if (count === maxNumbers) break;
  }
  return found;
}
