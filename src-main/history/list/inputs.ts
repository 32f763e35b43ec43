import type { DatabaseSync } from 'node:sqlite';
import type { EarlierInput, JobFilter } from '../../../src-preload/history.ts';
import { findJob } from '../jobs/jobs.ts';
import { countSameInput, inputHashOf } from '../jobs/lineage.ts';
import { listJobs } from './list.ts';

const jobsAtOnce = 100;
/** If the same few inputs ran more often than this, older ones are not looked for. */
const maxSearched = 1_000;

/**
 * The different inputs of the jobs that match `filter`, at most `limit`, by the newest run of each. An old job whose
 * input has no hash yet counts as an input of its own. Jobs without an input are left out.
 */
export function listInputs(db: DatabaseSync, filter: JobFilter, limit: number, startOfTodayMs: number): EarlierInput[] {
  const found = new Map<number | string, EarlierInput>();
  let beforeKey: string | null = null;
  for (let searched = 0; searched < maxSearched; searched += jobsAtOnce) {
    const { jobs, nextBeforeKey } = listJobs(db, filter, { beforeKey, limit: jobsAtOnce, startOfTodayMs });
    for (const job of jobs) {
      const id = job.inputBytes > 0 ? findJob(db, job.key)?.id : undefined;
      if (id === undefined) continue;
      const hash = inputHashOf(db, id);
      if (found.has(hash ?? job.key)) continue;
      const others = hash === null ? 0 : countSameInput(db, hash, id, job);
      found.set(hash ?? job.key, { job, runs: others + 1 });
      if (found.size === limit) return [...found.values()];
    }
    beforeKey = nextBeforeKey;
    if (beforeKey === null) break;
  }
  return [...found.values()];
}
