import type { DatabaseSync } from 'node:sqlite';
import { hourMs } from '../../../src-preload/durations.ts';
import { trendParts, type CauseOnWorker, type FailuresByWorker } from '../../../src-preload/failure-cause.ts';
import { number, statement, text, textOrNull } from '../file/row.ts';

/** More causes than a user reads, as in the list of causes. */
const maxCauses = 200;
/** About this many failures are read with their worker, the newest of each cause. */
const maxRead = 5_000;
/** At least this many of each cause, however many causes there are. */
const minPerCause = 25;

/**
 * How often each cause of a connection failed on which worker since then. Workers are not counted in the database, so
 * this reads the newest failures of each cause, about 5,000 in all.
 */
export function readFailuresByWorker(
  db: DatabaseSync,
  connectionId: string,
  sinceMs: number,
  nowMs: number,
): FailuresByWorker {
  const causes = causesSince(db, connectionId, sinceMs);
  const perCause = Math.max(minPerCause, Math.floor(maxRead / Math.max(1, causes.length)));
  const fromHour = Math.floor(sinceMs / hourMs);
  // By the hour, as the trends of whole causes.
  const partHours = Math.max(1, nowMs - sinceMs) / hourMs / trendParts;
  const partOf = (atMs: number): number =>
    Math.min(trendParts - 1, Math.floor((Math.floor(atMs / hourMs) - fromHour) / partHours));
  const parts = causes.map((cause) => onWorkers(newestOf(db, cause.id, fromHour * hourMs, perCause), cause, partOf));
  return {
    on: parts.flat(),
    counted: parts.flat().reduce((sum, { jobs }) => sum + jobs, 0),
    total: causes.reduce((sum, { jobs }) => sum + jobs, 0),
  };
}

interface CauseSince {
  id: number;
  endpointId: string;
  jobs: number;
}

function causesSince(db: DatabaseSync, connectionId: string, sinceMs: number): CauseSince[] {
  return statement(
    db,
    `SELECT c.id, c.endpoint_id, sum(h.jobs) AS jobs
    FROM failure_causes AS c CROSS JOIN failure_hours AS h ON h.cause = c.id AND h.hour >= ?
    WHERE c.connection_id = ? GROUP BY c.id ORDER BY jobs DESC LIMIT ?`,
  )
    .all(Math.floor(sinceMs / hourMs), connectionId, maxCauses)
    .map((row) => ({ id: number(row, 'id'), endpointId: text(row, 'endpoint_id'), jobs: number(row, 'jobs') }));
}

interface FailureOnWorker {
  atMs: number;
  workerId: string | null;
}

/** Newest first, each with the worker of the attempt that failed. */
function newestOf(db: DatabaseSync, cause: number, fromMs: number, limit: number): FailureOnWorker[] {
  return statement(
    db,
    `SELECT f.at_ms, a.worker_id
    FROM (SELECT job, at_ms FROM failures WHERE cause = ? AND at_ms >= ? ORDER BY at_ms DESC LIMIT ?) AS f
    JOIN jobs AS j ON j.id = f.job LEFT JOIN attempts AS a ON a.job = f.job AND a.number = j.attempt
    ORDER BY f.at_ms DESC`,
  )
    .all(cause, fromMs, limit)
    .map((row) => ({ atMs: number(row, 'at_ms'), workerId: textOrNull(row, 'worker_id') }));
}

function onWorkers(
  failures: readonly FailureOnWorker[],
  { id, endpointId }: CauseSince,
  partOf: (atMs: number) => number,
): CauseOnWorker[] {
  const byWorker = new Map<string | null, CauseOnWorker>();
  for (const { atMs, workerId } of failures) {
    const of = byWorker.get(workerId) ?? {
      causeId: id,
      endpointId,
      workerId,
      jobs: 0,
      lastAtMs: atMs,
      trend: Array.from({ length: trendParts }, () => 0),
    };
    const part = partOf(atMs);
    of.trend[part] = (of.trend[part] ?? 0) + 1;
    byWorker.set(workerId, { ...of, jobs: of.jobs + 1 });
  }
  return [...byWorker.values()];
}
