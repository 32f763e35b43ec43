import { startOfDay } from '../../src-preload/format.ts';
import type { JobFilter } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { matchesFilter } from './job-matches-filter.ts';

/** The jobs that changed last. One that is not among them may have matched anything before. */
const maxKept = 10_000;

/** Decides which counts of jobs a change can alter. */
export interface CountChanges {
  /**
   * Takes changed and deleted jobs. The answer says whether another number of jobs may match a filter now: a job that
   * was only read again, or that matches as it did before, alters no count. A new day alters all.
   */
  take(jobs: readonly Job[], removedKeys: readonly string[], nowMs: number): (filter: JobFilter) => boolean;
}

/** Knows no jobs at first. */
export function createCountChanges(): CountChanges {
  const kept = new Map<string, Job>();
  let dayMs = 0;
  const keep = (job: Job): void => {
    kept.delete(job.key);
    kept.set(job.key, job);
    if (kept.size <= maxKept) return;
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  };
  return {
    take(jobs, removedKeys, nowMs) {
      const changes: [before: Job | undefined, after: Job | null][] = [];
      for (const job of jobs) {
        changes.push([kept.get(job.key), job]);
        keep(job);
      }
      for (const key of removedKeys) {
        changes.push([kept.get(key), null]);
        kept.delete(key);
      }
      const startOfTodayMs = startOfDay(nowMs);
      const isNewDay = dayMs !== 0 && dayMs !== startOfTodayMs;
      dayMs = startOfTodayMs;
      return (filter) => isNewDay || changes.some(([before, after]) => canAlter(before, after, filter, startOfTodayMs));
    },
  };
}

/** `before` is undefined if it is not known, and `after` null if the job was deleted. */
function canAlter(before: Job | undefined, after: Job | null, filter: JobFilter, startOfTodayMs: number): boolean {
  if (before === undefined) return true;
  const did = matchesFilter(before, filter, startOfTodayMs);
  const does = after === null ? false : matchesFilter(after, filter, startOfTodayMs);
  // Only the engine knows its texts.
  if (did === null && does === null) return after === null || !isOnlyRead(before, after);
  return did !== does;
}

/** What a status read changes even if the service reports nothing new. */
const readFields: ReadonlySet<string> = new Set<keyof Job>(['statusReadAtMs', 'requestCount']);

/**
 * Whether a job was read again, and nothing else. If nothing at all is different, what the job does not carry is: its
 * note.
 */
function isOnlyRead(before: Job, after: Job): boolean {
  const was = new Map(Object.entries(before));
  const is = Object.entries(after);
  const isRead = is.some(([name, value]) => readFields.has(name) && was.get(name) !== value);
  const isSame = (one: unknown, other: unknown): boolean =>
    one === other || JSON.stringify(one) === JSON.stringify(other);
  return (
    isRead &&
    is.length === was.size &&
    is.every(([name, value]) => readFields.has(name) || isSame(was.get(name), value))
  );
}
