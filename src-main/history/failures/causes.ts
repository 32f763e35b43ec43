import { hourMs } from '../../../src-preload/durations.ts';
import type { DatabaseSync } from 'node:sqlite';
import {
  maxCountedAgain,
  trendParts,
  type FailureCause,
  type FailureDetail,
  type FailureOverview,
  type NamedCause,
  type MessagePart,
} from '../../../src-preload/failure-cause.ts';
import { statusKind } from '../../../src-preload/job.ts';
import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import { number, numberOrNull, statement, text, textOrNull } from '../file/row.ts';
import { newestInFacets, readFacets } from '../jobs/facets.ts';
import { inputBody, readBody } from '../jobs/bodies.ts';
import { readJobs } from '../jobs/jobs.ts';
import { inCommon, inputFacts, workerFact, type JobFacts } from './common.ts';
import { countUnsorted } from './failures.ts';
import { muteOf } from './mutes.ts';
import { varied } from './signature.ts';

/** More causes than a user reads. */
const maxCauses = 200;
/** How many jobs are compared for what they have in common. Each is read with its input. */
const sampleJobs = 120;
/** Larger inputs mostly contain images. */
const maxReadBytes = 65_536;

/** The causes of a connection's failures since then, the most frequent first. */
export function readCauses(db: DatabaseSync, connectionId: string, sinceMs: number, nowMs: number): FailureOverview {
  const trends = readTrends(db, connectionId, sinceMs, nowMs);
  const max = [...trends].sort(([, one], [, other]) => sumOf(other) - sumOf(one)).slice(0, maxCauses);
  const causes = max.flatMap(([id, trend]): FailureCause[] => {
    const row = statement(
      db,
      `SELECT c.*, (SELECT min(at_ms) FROM failures WHERE cause = c.id) AS first_ms,
        (SELECT max(at_ms) FROM failures WHERE cause = c.id) AS last_ms,
        (SELECT job FROM failures WHERE cause = c.id ORDER BY at_ms DESC LIMIT 1) AS last_job
      FROM failure_causes AS c WHERE c.id = ?`,
    ).get(id);
    const [last] = row === undefined ? [] : readJobs(db, [number(row, 'last_job')]);
    if (row === undefined || last === undefined) return [];
    return [
      {
        id,
        endpointId: text(row, 'endpoint_id'),
        message: text(row, 'message'),
        frame: text(row, 'frame'),
        // A job that is being retried counts as a failure until its cause has been determined again.
        kind: statusKind(last) === 'timeout' ? 'timeout' : 'fail',
        jobs: sumOf(trend),
        firstAtMs: number(row, 'first_ms'),
        lastAtMs: number(row, 'last_ms'),
        trend,
        mute: muteOf(db, row, nowMs),
      },
    ];
  });
  return { causes, unsorted: countUnsorted(db) };
}

/** The causes of a connection by name, the most frequent first. Their counts are kept by the hour. */
export function readCauseNames(db: DatabaseSync, connectionId: string): NamedCause[] {
  return statement(
    db,
    `SELECT c.id, c.endpoint_id, c.message, sum(h.jobs) AS jobs
    FROM failure_causes AS c CROSS JOIN failure_hours AS h ON h.cause = c.id
    WHERE c.connection_id = ? GROUP BY c.id ORDER BY jobs DESC, c.id DESC LIMIT ?`,
  )
    .all(connectionId, maxCauses)
    .map((row) => ({
      id: number(row, 'id'),
      endpointId: text(row, 'endpoint_id'),
      message: text(row, 'message'),
      jobs: number(row, 'jobs'),
    }));
}

function sumOf(trend: readonly number[]): number {
  return trend.reduce((sum, jobs) => sum + jobs, 0);
}

/** How many jobs each cause has in each part of the time, added up in the database. */
function readTrends(db: DatabaseSync, connectionId: string, sinceMs: number, nowMs: number): Map<number, number[]> {
  const fromHour = Math.floor(sinceMs / hourMs);
  const partHours = Math.max(1, nowMs - sinceMs) / hourMs / trendParts;
  const trends = new Map<number, number[]>();
  const rows = statement(
    db,
    `SELECT h.cause, CAST((h.hour - ?1) / ?2 AS INTEGER) AS part, sum(h.jobs) AS jobs
    FROM failure_causes AS c CROSS JOIN failure_hours AS h ON h.cause = c.id AND h.hour >= ?1
    WHERE c.connection_id = ?3 GROUP BY h.cause, part`,
  ).all(fromHour, partHours, connectionId);
  for (const row of rows) {
    const cause = number(row, 'cause');
    const trend = trends.get(cause) ?? Array.from({ length: trendParts }, () => 0);
    const part = Math.min(trendParts - 1, number(row, 'part'));
    trend[part] = (trend[part] ?? 0) + number(row, 'jobs');
    trends.set(cause, trend);
  }
  return trends;
}

/** The newest jobs of a cause, and what they have in common compared with completed jobs of their endpoint. */
export function readCause(db: DatabaseSync, cause: number, limit: number): FailureDetail | null {
  const of = statement(db, 'SELECT connection_id, endpoint_id, message FROM failure_causes WHERE id = ?').get(cause);
  if (of === undefined) return null;
  const ids = newestOf(db, cause, Math.max(limit, sampleJobs));
  const completed = readFacets(db).filter(
    (facet) =>
      facet.connectionId === text(of, 'connection_id') &&
      facet.endpointId === text(of, 'endpoint_id') &&
      facet.word === 'completed',
  );
  const sample = readJobs(db, ids.slice(0, sampleJobs));
  const said = sample.flatMap(({ reason }) => (reason === null ? [] : [reasonText(reason)]));
  const failedFacts = factsOf(db, ids.slice(0, sampleJobs));
  const completedFacts = factsOf(db, newestInFacets(db, completed, { limit: sampleJobs }));
  return {
    jobs: readJobs(db, ids.slice(0, limit)),
    message: withSeenValues(text(of, 'message'), said),
    common: inCommon(failedFacts, completedFacts, said[0] ?? text(of, 'message')),
    failedSeen: failedFacts.length,
    completedSeen: completedFacts.length,
    ...countsOf(db, cause),
  };
}

function countsOf(db: DatabaseSync, cause: number): Pick<FailureDetail, 'total' | 'retried' | 'sentAgain'> {
  const all = statement(db, 'SELECT sum(jobs) AS total FROM failure_hours WHERE cause = ?').get(cause);
  const again = statement(
    db,
    `SELECT count(*) FILTER (WHERE j.attempt > 1) AS retried,
      count(*) FILTER (WHERE EXISTS (SELECT 1 FROM jobs AS copy WHERE copy.origin_key = j.key)) AS sent_again
    FROM (SELECT job FROM failures WHERE cause = ? ORDER BY at_ms DESC LIMIT ?) AS f JOIN jobs AS j ON j.id = f.job`,
  ).get(cause, maxCountedAgain);
  return {
    total: all === undefined ? 0 : (numberOrNull(all, 'total') ?? 0),
    retried: again === undefined ? 0 : number(again, 'retried'),
    sentAgain: again === undefined ? 0 : number(again, 'sent_again'),
  };
}

function newestOf(db: DatabaseSync, cause: number, limit: number): number[] {
  return statement(db, 'SELECT job FROM failures WHERE cause = ? ORDER BY at_ms DESC LIMIT ?')
    .all(cause, limit)
    .map((row) => number(row, 'job'));
}

function factsOf(db: DatabaseSync, ids: readonly number[]): JobFacts[] {
  return readJobs(db, ids).map((job, at) => {
    const id = ids[at] ?? 0;
    const isRead = job.inputBytes > 0 && job.inputBytes <= maxReadBytes;
    const facts = inputFacts(isRead ? (readBody(db, id, inputBody)?.text ?? '') : '');
    const row = statement(db, 'SELECT worker_id FROM attempts WHERE job = ? AND number = ?').get(id, job.attempt);
    const worker = row === undefined ? null : textOrNull(row, 'worker_id');
    if (worker !== null) facts.set(workerFact, { type: 'text', value: worker });
    return facts;
  });
}

const isNumber = /^[-+]?\d[\d,_]*(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/**
 * The message of a cause with what its jobs had where it leaves something out: one value, or from the least number to
 * the most. `messages`: as the jobs reported them. Pure.
 */
export function withSeenValues(message: string, messages: readonly string[]): MessagePart[] {
  const fixed = message.split(varied);
  const values = messages.flatMap((one) => {
    const found = valuesIn(one.replaceAll(/\s+/g, ' ').trim(), fixed);
    return found === null ? [] : [found];
  });
  return fixed
    .flatMap((text, at): MessagePart[] => [
      ...(at === 0 ? [] : [seenPart(values.map((found) => found[at - 1] ?? ''))]),
      { kind: 'text', text },
    ])
    .filter((part) => part.kind !== 'text' || part.text !== '');
}

/** What stands between the fixed texts of a message, or null if it does not have them in this order. */
function valuesIn(message: string, [first = '', ...others]: readonly string[]): string[] | null {
  if (!message.startsWith(first)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const [index, text] of others.entries()) {
    const isLast = index === others.length - 1;
    const found = text === '' && isLast ? message.length : message.indexOf(text, at + 1);
    if (found < 0) return null;
    values.push(message.slice(at, found));
    at = found + text.length;
  }
  return values;
}

function seenPart(values: readonly string[]): MessagePart {
  const [first] = values;
  if (first === undefined) return { kind: 'varied' };
  if (values.every((value) => value === first)) return { kind: 'seen', min: first, max: first };
  if (!values.every((value) => isNumber.test(value))) return { kind: 'varied' };
  const sorted = values.toSorted((one, other) => amount(one) - amount(other));
  return { kind: 'seen', min: sorted[0] ?? first, max: sorted.at(-1) ?? first };
}

function amount(text: string): number {
  return Number(text.replaceAll(/[,_]/g, ''));
}
