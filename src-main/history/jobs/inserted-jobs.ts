import { hourMs } from '../../../src-preload/durations.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '../../../src-preload/job.ts';
import { statusWordOf } from '../../../src-preload/history.ts';
import { number, statement, text } from '../file/row.ts';
import { areAnyRemoved, forgetRemoved, markInsertedDirty, newChange } from '../file/unindexed-jobs.ts';
import { countInsertedEnds } from './counts.ts';
import { InsertedRows } from './batch-counts.ts';
import { facetOf } from './facets.ts';

/** The distance between the ids of two neighbours, so that a late key still finds its place. */
const idGap = 65_536;

/**
 * What the new jobs of one transaction have in common, looked up and written once for all: in a batch of thousands that
 * saves a third of the work.
 */
export class InsertedJobs {
  readonly #db: DatabaseSync;
  /** One change number for the search index, for all of them. */
  readonly change = newChange();
  readonly #facets = new Map<string, number>();
  readonly #perFacet = new Map<number, number>();
  readonly #rows = new InsertedRows();
  readonly #endsMs = new Map<number, number[]>();
  readonly #hours = new Map<number, { first: number; last: number }>();
  /** The job with the last key. Null if there is none, undefined until it is read. */
  #last: { key: string; id: number } | null | undefined;
  /** The last id before all of them. New jobs after it are marked for the search index together. */
  #lastBefore = Number.NEGATIVE_INFINITY;
  #areAnyRemoved: boolean | undefined;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Whether the key is after those of all saved jobs, so that no job has it. */
  isNewest(key: string): boolean {
    const last = this.#lastKept();
    return last === null || last.key < key;
  }

  /** Whether `written` marks the job with this id for the search index. */
  isNoted(id: number): boolean {
    return id > this.#lastBefore;
  }

  /** The id and the facet of a new job. `written` must be called before the transaction ends. */
  place(job: Job): { id: number; facet: number } {
    const id = this.#idForKey(job.key);
    this.#areAnyRemoved ??= areAnyRemoved(this.#db);
    if (this.#areAnyRemoved) forgetRemoved(this.#db, id);
    const facet = this.#facetOf(job);
    this.#perFacet.set(facet, (this.#perFacet.get(facet) ?? 0) + 1);
    this.#rows.add(job);
    if (job.finishedSeenAtMs !== null) {
      const endsMs = this.#endsMs.get(facet);
      if (endsMs === undefined) this.#endsMs.set(facet, [job.finishedSeenAtMs]);
      else endsMs.push(job.finishedSeenAtMs);
    }
    const hour = Math.trunc(job.createdAtMs / hourMs);
    const known = this.#hours.get(hour);
    if (known === undefined) this.#hours.set(hour, { first: id, last: id });
    else {
      known.first = Math.min(known.first, id);
      known.last = Math.max(known.last, id);
    }
    return { id, facet };
  }

  /** Counts them by facet, batch and end, notes the ids of their hours, and marks them for the search index. */
  written(): void {
    countInsertedEnds(this.#db, this.#endsMs);
    this.#rows.written(this.#db);
    if (this.#perFacet.size > 0) markInsertedDirty(this.#db, this.#lastBefore, this.change);
    for (const [facet, jobs] of this.#perFacet)
      statement(this.#db, 'UPDATE facets SET jobs = jobs + ? WHERE id = ?').run(jobs, facet);
    for (const [hour, { first, last }] of this.#hours)
      statement(
        this.#db,
        `INSERT INTO job_hours VALUES (?, ?, ?) ON CONFLICT (hour) DO UPDATE
        SET first_id = min(first_id, excluded.first_id), last_id = max(last_id, excluded.last_id)`,
      ).run(hour, first, last);
  }

  #facetOf(job: Job): number {
    const { connectionId, endpointId, phase, isStarred, isSeen } = job;
    const name = [connectionId, endpointId, phase, statusWordOf(job), isStarred, isSeen].join('\n');
    const known = this.#facets.get(name) ?? facetOf(this.#db, job);
    this.#facets.set(name, known);
    return known;
  }

  /**
   * An id that places the key among the others. Keys ascend in time, so it is nearly always after the last one; a late
   * key gets one halfway between its neighbours or, if there is no room, the nearest free id.
   */
  #idForKey(key: string): number {
    const db = this.#db;
    const last = this.#lastKept();
    if (last === null || last.key < key) {
      const id = (last?.id ?? 0) + idGap;
      this.#last = { key, id };
      return id;
    }
    const above = statement(db, 'SELECT id FROM jobs WHERE key > ? ORDER BY key LIMIT 1').get(key);
    const below = statement(db, 'SELECT id FROM jobs WHERE key < ? ORDER BY key DESC LIMIT 1').get(key);
    const aboveId = above === undefined ? last.id : number(above, 'id');
    if (below === undefined) return aboveId - idGap;
    let id = Math.floor((number(below, 'id') + aboveId) / 2);
    while (statement(db, 'SELECT 1 FROM jobs WHERE id = ?').get(id) !== undefined) id -= 1;
    return id;
  }

  #lastKept(): { key: string; id: number } | null {
    if (this.#last === undefined) {
      this.#last = lastOf(this.#db);
      this.#lastBefore = this.#last?.id ?? Number.MIN_SAFE_INTEGER;
    }
    return this.#last;
  }
}

function lastOf(db: DatabaseSync): { key: string; id: number } | null {
  const last = statement(db, 'SELECT id, key FROM jobs ORDER BY key DESC LIMIT 1').get();
  return last === undefined ? null : { key: text(last, 'key'), id: number(last, 'id') };
}
