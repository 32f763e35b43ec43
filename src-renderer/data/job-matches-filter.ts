import {
  isEmptyCondition,
  isFailure,
  isInView,
  isWithin,
  statusWordOf,
  type JobFilter,
} from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { replaceEqualDeep } from '@tanstack/react-query';

/**
 * Who checks each field of a filter. The engine alone has texts, inputs, rates and causes; `window` fields are checked
 * in `matchesFilter`.
 */
const checkedBy: Readonly<Record<keyof JobFilter, 'window' | 'engine'>> = {
  view: 'window',
  connectionId: 'window',
  endpointId: 'window',
  statuses: 'window',
  tags: 'window',
  notTags: 'window',
  marks: 'window',
  labels: 'window',
  sinceMs: 'window',
  beforeMs: 'window',
  took: 'window',
  waited: 'window',
  cost: 'engine',
  idStart: 'window',
  // Except for images.
  has: 'window',
  cause: 'engine',
  sameInput: 'engine',
  text: 'engine',
  batchId: 'window',
};
const engineFields: ReadonlySet<string> = new Set(
  Object.entries(checkedBy).flatMap(([field, checker]) => (checker === 'engine' ? [field] : [])),
);

/**
 * Whether a changed job matches a filter, as the history would decide. Null if only the engine can decide (words,
 * inputs, images, costs, causes). `startOfTodayMs` is local midnight, for the view finished-today.
 */
export function matchesFilter(job: Job, filter: JobFilter, startOfTodayMs: number): boolean | null {
  if (filter.connectionId !== null && job.connectionId !== filter.connectionId) return false;
  if (filter.endpointId !== null && job.endpointId !== filter.endpointId) return false;
  if (filter.batchId !== null && job.batchId !== filter.batchId) return false;
  if (filter.sinceMs !== null && job.createdAtMs < filter.sinceMs) return false;
  if (filter.statuses.length > 0 && !filter.statuses.includes(statusWordOf(job))) return false;
  if (filter.tags.some((tag) => !job.tags.includes(tag))) return false;
  if (filter.notTags.some((tag) => job.tags.includes(tag))) return false;
  if (filter.marks.length > 0 && !filter.marks.includes(job.mark ?? 0)) return false;
  if (filter.labels.length > 0 && !filter.labels.some((label) => isSameLabel(label, job.label))) return false;
  if (filter.beforeMs !== null && job.createdAtMs >= filter.beforeMs) return false;
  if (filter.took !== null && !isWithin(job.executionTimeMs, filter.took)) return false;
  if (filter.waited !== null && !isWithin(job.delayTimeMs, filter.waited)) return false;
  if (filter.idStart !== null && job.jobId?.startsWith(filter.idStart) !== true) return false;
  if (filter.has.includes('error') && !isFailure(statusWordOf(job))) return false;
  if (filter.has.includes('stream') && job.chunkCount === 0) return false;
  const { phase, isStarred } = job;
  if (!isInView({ phase, isStarred, word: statusWordOf(job) }, filter.view)) return false;
  if (filter.view === 'finished-today' && (job.finishedSeenAtMs ?? -Infinity) < startOfTodayMs) return false;
  return needsEngine(filter) ? null : true;
}

/** Whether only the engine can decide which jobs match. */
export function needsEngine(filter: JobFilter): boolean {
  if (filter.has.includes('images')) return true;
  return Object.entries(filter).some(([field, value]) => engineFields.has(field) && !isEmptyCondition(value));
}

/** Compares as the history does: ignoring the case of the letters A to Z. */
function isSameLabel(one: string, other: string | undefined): boolean {
  const folded = (label: string): string => label.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return other !== undefined && folded(one) === folded(other);
}

/** Whether two filters match the same jobs. It costs nothing if they are the same object, as they mostly are. Pure. */
export function isSameFilter(one: JobFilter | null, other: JobFilter | null): boolean {
  return one === other || replaceEqualDeep(one, other) === one;
}
