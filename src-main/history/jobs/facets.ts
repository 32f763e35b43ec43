import type { DatabaseSync } from 'node:sqlite';
import { isFailure, isInView, statusWordOf, type JobFilter } from '../../../src-preload/history.ts';
import { type Job, type JobPhase } from '../../../src-preload/job.ts';
import { firstIndex } from '../../../src-preload/first-index.ts';
import { flag, number, oneOf, statement, text } from '../file/row.ts';

/** What the jobs of a facet have in common, and how many there are. */
export interface Facet {
  id: number;
  connectionId: string;
  endpointId: string;
  phase: JobPhase;
  word: string;
  isStarred: boolean;
  isSeen: boolean;
  jobs: number;
}

export const phases = [
  'waiting',
  'submitting',
  'outcome-unknown',
  'refused',
  'active',
  'finished',
  'gone',
  'orphaned',
] as const;

/** The id of a job's facet, which is created for the first of its kind. */
export function facetOf(db: DatabaseSync, job: Job): number {
  const values = [
    job.connectionId,
    job.endpointId,
    job.phase,
    statusWordOf(job),
    Number(job.isStarred),
    Number(job.isSeen),
  ];
  const known = statement(
    db,
    `SELECT id FROM facets
    WHERE connection_id = ? AND endpoint_id = ? AND phase = ? AND word = ? AND is_starred = ? AND is_seen = ?`,
  ).get(...values);
  if (known !== undefined) return number(known, 'id');
  return Number(
    statement(
      db,
      'INSERT INTO facets (connection_id, endpoint_id, phase, word, is_starred, is_seen) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(...values).lastInsertRowid,
  );
}

/** All facets with jobs. A few hundred at most: endpoints times states. */
export function readFacets(db: DatabaseSync): Facet[] {
  return statement(db, 'SELECT * FROM facets WHERE jobs > 0')
    .all()
    .map((row) => ({
      id: number(row, 'id'),
      connectionId: text(row, 'connection_id'),
      endpointId: text(row, 'endpoint_id'),
      phase: oneOf(row, 'phase', phases),
      word: text(row, 'word'),
      isStarred: flag(row, 'is_starred'),
      isSeen: flag(row, 'is_seen'),
      jobs: number(row, 'jobs'),
    }));
}

/**
 * True if jobs of the facet match the parts of `filter` that facets know: view, connection, endpoint, statuses and
 * errors.
 */
export function passesFilter(facet: Facet, filter: JobFilter): boolean {
  return (
    (filter.connectionId === null || facet.connectionId === filter.connectionId) &&
    (filter.endpointId === null || facet.endpointId === filter.endpointId) &&
    (filter.statuses.length === 0 || filter.statuses.includes(facet.word)) &&
    (!filter.has.includes('error') || isFailure(facet.word)) &&
    isInView(facet, filter.view)
  );
}

/** How many jobs the facets hold together. */
export function sumOfJobs(facets: readonly Facet[]): number {
  return facets.reduce((sum, facet) => sum + facet.jobs, 0);
}

/** Which jobs of some facets are wanted. */
export interface WantedJobs {
  limit: number;
  /** Only jobs with smaller ids. Without it all. */
  beforeId?: number;
  /** Further conditions: an SQL expression over `jobs AS j`, and its positional values. */
  condition?: { sql: string; values: readonly (string | number)[] };
}

/**
 * The newest job ids in any of the facets, newest first. Each facet's ids are in order, so this takes one step of an
 * index for each facet and each result, however many jobs there are.
 */
export function newestInFacets(
  db: DatabaseSync,
  facets: readonly Facet[],
  { limit, beforeId = Number.MAX_SAFE_INTEGER, condition = { sql: 'TRUE', values: [] } }: WantedJobs,
): number[] {
  const next = statement(
    db,
    `SELECT j.id FROM jobs AS j WHERE j.facet = ? AND j.id < ? AND ${condition.sql} ORDER BY j.id DESC LIMIT 1`,
  );
  const headBelow = (facet: number, id: number): { facet: number; id: number } | null => {
    const row = next.get(facet, id, ...condition.values);
    return row === undefined ? null : { facet, id: number(row, 'id') };
  };
  const heads = facets
    .map((facet) => headBelow(facet.id, beforeId))
    .filter((head) => head !== null)
    .sort((a, b) => a.id - b.id);
  const found: number[] = [];
  while (found.length < limit) {
    const newest = heads.pop();
    if (newest === undefined) break;
    found.push(newest.id);
    const following = headBelow(newest.facet, newest.id);
    if (following !== null) insertSorted(heads, following);
  }
  return found;
}

function insertSorted(heads: { facet: number; id: number }[], head: { facet: number; id: number }): void {
  const at = firstIndex(heads.length, (index) => (heads[index]?.id ?? 0) < head.id);
  heads.splice(at, 0, head);
}
