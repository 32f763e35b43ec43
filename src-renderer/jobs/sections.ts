import { hourMs } from '../../src-preload/durations.ts';
import type { JobSort } from '../../src-preload/history.ts';
import { startOfDay, startOfDayBefore } from '../../src-preload/format.ts';
import { firstIndex } from '../../src-preload/first-index.ts';
import { sortTitle } from './table-columns.ts';
import type { JobListView } from '../data/job-list.ts';
import { monthTitle, sectionText } from '../messages/jobs/sections.ts';

/**
 * One group of the list. Rows are `keys[from]` to `keys[from + count - 1]`; they are the same while `revision` is, but
 * that more may follow.
 */
export interface Section {
  id: string;
  title: string;
  keys: readonly string[];
  from: number;
  count: number;
  /** Further jobs of this group may be on pages that are not loaded. */
  isPartial: boolean;
  revision: number;
}

/** The id of the group of unfinished jobs. */
export const activeSection = 'active';

interface Bucket {
  id: string;
  title: string;
  /** The first moment that belongs to it. */
  fromMs: number;
}

/** The time group of an epoch time at `nowMs`. */
export function bucketOf(createdAtMs: number, nowMs: number): Bucket {
  if (createdAtMs >= nowMs - hourMs) return { id: 'hour', title: sectionText.lastHour, fromMs: nowMs - hourMs };
  const today = startOfDay(nowMs);
  if (createdAtMs >= today) return { id: 'today', title: sectionText.today, fromMs: today };
  const yesterday = startOfDayBefore(nowMs, 1);
  if (createdAtMs >= yesterday) return { id: 'yesterday', title: sectionText.yesterday, fromMs: yesterday };
  const week = startOfDayBefore(nowMs, 7);
  if (createdAtMs >= week) return { id: 'week', title: sectionText.lastWeek, fromMs: week };
  const at = new Date(createdAtMs);
  const month = new Date(at.getFullYear(), at.getMonth(), 1).getTime();
  return {
    id: `month-${at.getFullYear()}-${at.getMonth()}`,
    title: monthTitle(at, nowMs),
    fromMs: month,
  };
}

/** First index from `start` whose job is older than `fromMs`. Keys run newest first. */
function endOfBucket(list: JobListView, keys: readonly string[], start: number, fromMs: number): number {
  const isNewer = (index: number): boolean => {
    const key = keys[index];
    const job = key === undefined ? undefined : list.get(key);
    return job !== undefined && job.createdAtMs >= fromMs;
  };
  return firstIndex(keys.length, isNewer, start);
}

/**
 * Whether rows of the list are not loaded. The last page may be full, so that one more seems to follow (`hasMore`).
 * Then the length of the list shows that all `loaded` rows are there, if it is known, or that of the batch that it
 * shows whole (`batchRows`; null for another list). Pure.
 */
export function hasUnloadedRows(
  { hasMore, isTotalCut, total }: { hasMore: boolean; isTotalCut: boolean; total: number },
  loaded: number,
  batchRows: number | null,
): boolean {
  return hasMore && (isTotalCut || total > loaded) && (batchRows === null || batchRows > loaded);
}

/**
 * Groups the list: Active, Last hour, Today, Yesterday, Last week, then by month. It searches once per group and does
 * not walk the list. A list in another order (`sort`) is one group, and so are the ended rows of a batch.
 * `activeCount`: how many active jobs there are, loaded or not; Active has a head if there is at least one.
 */
export function makeSections(
  list: JobListView,
  nowMs: number,
  hasMore: boolean,
  { activeCount = 0, sort = null }: { activeCount?: number; sort?: JobSort | null } = {},
): Section[] {
  const revision = list.revision();
  const whole = (id: string, title: string, keys: readonly string[], isPartial: boolean): Section => ({
    id,
    title,
    keys,
    from: 0,
    count: keys.length,
    isPartial,
    revision,
  });
  const rest = list.rest();
  if (sort !== null) return [whole('sorted', sortTitle(sort), rest, hasMore)];
  const sections: Section[] = [];
  const live = list.live();
  if (live.length > 0 || activeCount > 0) sections.push(whole(activeSection, sectionText.active, live, false));
  if (list.isOldestFirst()) {
    if (rest.length > 0) sections.push(whole('rows', sectionText.rows, rest, hasMore));
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
    else sections.push({ ...whole(bucket.id, bucket.title, rest, false), from: at, count: end - at });
    at = end;
  }
  const last = sections.at(-1);
  if (hasMore && last !== undefined) last.isPartial = true;
  return sections;
}

/**
 * `makeSections`, but a group that did not change since the last time is the same object: pages are added several times
 * a second while a list is flung, and what its heads say is read from all of their rows.
 */
export function createSectionMaker(): typeof makeSections {
  let former: readonly Section[] = [];
  return (...input) => {
    const made = makeSections(...input).map((section) => former.find((one) => isSame(one, section)) ?? section);
    former = made;
    return made;
  };
}

function isSame(one: Section, other: Section): boolean {
  return (
    one.id === other.id &&
    one.keys === other.keys &&
    one.from === other.from &&
    one.count === other.count &&
    one.title === other.title &&
    one.isPartial === other.isPartial &&
    one.revision === other.revision
  );
}
