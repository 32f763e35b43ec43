import { hourMs } from '../../src-preload/durations.ts';
import {
  isOfFacets,
  noJobs,
  type ActiveCounts,
  type JobCounts,
  type JobFilter,
  type JobSort,
} from '../../src-preload/history.ts';
import { activeText, activeLabels } from '../../src-preload/messages/active-jobs.ts';
import { isLive, queuedSinceMs, statusKind, type Job, type StatusKind } from '../../src-preload/job.ts';
import { formatCountdown, formatCount, startOfDay } from '../design/format.ts';
import { sortTitle } from './table-columns.ts';
import { knownAtMs } from '../data/condition.ts';
import type { JobList } from '../data/job-list.ts';

/** One group of the list. Its rows are `keys[from]` to `keys[from + count - 1]`. */
export interface Section {
  id: string;
  title: string;
  keys: readonly string[];
  from: number;
  count: number;
  /** Further jobs of this group may be on pages that are not loaded. */
  isPartial: boolean;
}

/** The id of the group of unfinished jobs. */
const activeSection = 'active';

const monthNames = new Intl.DateTimeFormat('en-GB', { month: 'long' });
const monthYearNames = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

interface Bucket {
  id: string;
  title: string;
  /** The first moment that belongs to it. */
  fromMs: number;
}

/** The time group of an epoch time at `nowMs`. */
export function bucketOf(createdAtMs: number, nowMs: number): Bucket {
  if (createdAtMs >= nowMs - hourMs) return { id: 'hour', title: 'Last hour', fromMs: nowMs - hourMs };
  const today = startOfDay(nowMs);
  if (createdAtMs >= today) return { id: 'today', title: 'Today', fromMs: today };
  const yesterday = startOfDay(today - 12 * hourMs);
  if (createdAtMs >= yesterday) return { id: 'yesterday', title: 'Yesterday', fromMs: yesterday };
  const week = startOfDay(today - 6 * 24 * hourMs - 12 * hourMs);
  if (createdAtMs >= week) return { id: 'week', title: 'Last week', fromMs: week };
  const at = new Date(createdAtMs);
  const month = new Date(at.getFullYear(), at.getMonth(), 1).getTime();
  const isThisYear = at.getFullYear() === new Date(nowMs).getFullYear();
  return {
    id: `month-${at.getFullYear()}-${at.getMonth()}`,
    title: (isThisYear ? monthNames : monthYearNames).format(at),
    fromMs: month,
  };
}

/** The first index from `start` whose job is older than `fromMs`. Keys are newest first. */
function endOfBucket(list: JobList, keys: readonly string[], start: number, fromMs: number): number {
  let low = start;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const key = keys[middle];
    const job = key === undefined ? undefined : list.get(key);
    if (job !== undefined && job.createdAtMs >= fromMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Groups the list: Active, Last hour, Today, Yesterday, Last week, then by month. It searches once per group and does
 * not walk the list. A list in another order (`sort`) is one group, and so are the ended rows of a batch.
 * `activeCount`: how many active jobs there are, loaded or not; Active has a head if there is at least one.
 */
export function makeSections(
  list: JobList,
  nowMs: number,
  hasMore: boolean,
  activeCount = 0,
  sort: JobSort | null = null,
): Section[] {
  if (sort !== null) {
    const keys = list.rest();
    return [{ id: 'sorted', title: sortTitle(sort), keys, from: 0, count: keys.length, isPartial: hasMore }];
  }
  const sections: Section[] = [];
  const live = list.live();
  if (live.length > 0 || activeCount > 0)
    sections.push({ id: activeSection, title: 'Active', keys: live, from: 0, count: live.length, isPartial: false });
  const rest = list.rest();
  if (list.isOldestFirst()) {
    if (rest.length > 0)
      sections.push({ id: 'rows', title: 'Rows', keys: rest, from: 0, count: rest.length, isPartial: hasMore });
    return sections;
  }
  let at = 0;
  while (at < rest.length) {
    const key = rest[at];
    const job = key === undefined ? undefined : list.get(key);
    if (job === undefined) break;
    const bucket = bucketOf(job.createdAtMs, nowMs);
    // At least one row, even if the clock was set back between two jobs.
    const end = Math.max(at + 1, endOfBucket(list, rest, at, bucket.fromMs));
    const last = sections.at(-1);
    if (last !== undefined && last.id === bucket.id) last.count += end - at;
    else sections.push({ id: bucket.id, title: bucket.title, keys: rest, from: at, count: end - at, isPartial: false });
    at = end;
  }
  const last = sections.at(-1);
  if (hasMore && last !== undefined) last.isPartial = true;
  return sections;
}

/** How the head of a group counts a row: by its status, or as over except for its stream. */
type Counted = StatusKind | 'over';

const activeLooks = { running: 'run', queued: 'queue', toSend: 'to-send', over: 'over' } as const;

const labels: readonly (readonly [Counted, string])[] = [
  ...activeLabels.map(([kind, word]) => [activeLooks[kind], word] as const),
  ['done', 'done'],
  ['fail', 'failed'],
  ['timeout', 'timed out'],
  ['cancel', 'cancelled'],
  ['gone', 'gone'],
  ['unknown', 'unknown'],
  ['orphaned', 'orphaned'],
];

/** `3 running, 2 queued` or `35 done, 1 failed, 1 timed out`: the three most important counts. */
function summarise(looks: ReadonlyMap<Counted, number>): string {
  return labels
    .flatMap(([look, word]) => {
      const n = looks.get(look) ?? 0;
      return n === 0 ? [] : [`${formatCount(n)} ${word}`];
    })
    .slice(0, 3)
    .join(', ');
}

/** For more rows a summary would take too long. */
const summaryLimit = 5_000;

/** The text of a group's head beside its title. */
export interface SectionSummary {
  /** How many jobs the group has. */
  count: number;
  /** What they are doing or how they ended. Empty for a very large group, and for one that is only partly loaded. */
  text: string;
  /** The job that has been queued longest, or null. */
  oldestQueued: Job | null;
  /** When the service last reported on any of the active jobs, in epoch milliseconds. Null if none is active. */
  knownMs: number | null;
}

/**
 * The summary of a group. `active`: how many active jobs match the list's filter, loaded or not, if that is known (see
 * `activeOf`). The head of Active then agrees with the sidebar, and ended rows that were not moved yet are counted
 * separately.
 */
export function sectionSummary(section: Section, list: JobList, active: ActiveCounts | null): SectionSummary {
  const isActive = section.id === activeSection;
  if (section.isPartial || section.count > summaryLimit)
    return { count: section.count, text: '', oldestQueued: null, knownMs: null };
  const looks = new Map<Counted, number>();
  let knownMs: number | null = null;
  for (let index = section.from; index < section.from + section.count; index += 1) {
    const key = section.keys[index];
    const job = key === undefined ? undefined : list.get(key);
    if (job === undefined || (isActive && !isLive(job))) continue;
    const look = job.pendingStream === undefined ? statusKind(job) : 'over';
    looks.set(look, (looks.get(look) ?? 0) + 1);
    const jobKnownMs = knownAtMs(job);
    if (jobKnownMs !== null) knownMs = Math.max(knownMs ?? 0, jobKnownMs);
  }
  if (!isActive) return { count: section.count, text: summarise(looks), oldestQueued: null, knownMs: null };
  const justEnded = list.justEnded();
  const text = [
    active === null ? summarise(looks) : activeText(active),
    justEnded === 0 ? '' : `${formatCount(justEnded)} just ended`,
  ];
  return {
    count: active === null ? section.count - justEnded : sumOf(active),
    text: text.filter((part) => part !== '').join(', '),
    oldestQueued: oldestQueuedOf(section, list),
    knownMs,
  };
}

/** The job of Active that has been queued longest. Null if none is, and in any other group. */
export function oldestQueuedOf(section: Section, list: JobList): Job | null {
  return section.id === activeSection ? oldestQueuedIn(section.keys, list) : null;
}

/** The job among these that has been queued longest. Null if none is, or if there are too many to search. */
export function oldestQueuedIn(keys: readonly string[], list: JobList): Job | null {
  if (keys.length > summaryLimit) return null;
  let oldest: Job | null = null;
  for (const key of keys) {
    const job = list.get(key);
    if (job === undefined || job.pendingStream !== undefined || statusKind(job) !== 'queue') continue;
    if (oldest === null || queuedSinceMs(job) < queuedSinceMs(oldest)) oldest = job;
  }
  return oldest;
}

/** The sum of these counts. 0 if they are not known. */
export function sumOf(active: ActiveCounts | null): number {
  if (active === null) return 0;
  return active.running + active.queued + active.sending + active.toSend + active.over;
}

/**
 * How many active jobs match the list's filter, by the counts of the sidebar. Null if it filters by more than a view
 * and an endpoint.
 */
export function activeOf(counts: JobCounts | null, filter: JobFilter | null): ActiveCounts | null {
  if (filter === null) return null;
  const { view, endpointId, statuses } = filter;
  if (counts === null || (view !== 'all' && view !== 'active')) return null;
  if (!isOfFacets(filter) || statuses.length > 0) return null;
  return endpointId === null ? counts : (counts.byEndpoint[endpointId] ?? noJobs);
}

/** `oldest wait 4:12`, for the head of Active: the wait at `untilMs` of the job that has been queued longest. */
export function oldestWait(job: Job, untilMs: number): string {
  return `oldest wait ${formatCountdown(untilMs - queuedSinceMs(job))}`;
}
