import {
  activityOf,
  isOfFacets,
  noJobs,
  statusWordOf,
  type ActiveCounts,
  type JobCounts,
  type JobFilter,
} from '../../src-preload/history.ts';
import { activeText } from '../../src-preload/messages/active-jobs.ts';
import { isLive, queuedSinceMs, statusKind, type Job, type StatusKind } from '../../src-preload/job.ts';
import type { Batch } from '../../src-preload/batch.ts';
import { knownAtMs } from '../data/certainty.ts';
import { countOf } from '../data/job-pages.ts';
import type { JobListView } from '../data/job-list.ts';
import { hasNews } from '../data/jobs-store.ts';
import { sectionText } from '../messages/jobs/sections.ts';
import { activeSection, type Section } from './sections.ts';

/** How jobs can have ended, the most important first. */
const endedKinds = ['done', 'fail', 'timeout', 'cancel', 'gone', 'unknown', 'orphaned'] as const;

/** `35 done, 1 failed, 1 timed out`: the three most important counts. */
function summarise(kinds: ReadonlyMap<StatusKind, number>): string {
  return endedKinds
    .flatMap((kind) => {
      const count = kinds.get(kind) ?? 0;
      return count === 0 ? [] : [sectionText.ended(kind, count)];
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
 * separately. `batch`: the one that the list shows whole. While only some of its rows are loaded, the head counts what
 * the batch does, as the strip above it.
 */
export function sectionSummary(
  section: Section,
  list: JobListView,
  active: ActiveCounts | null,
  batch: Pick<Batch, 'counts' | 'total'> | null = null,
): SectionSummary {
  const isActive = section.id === activeSection;
  if (section.isPartial || section.count > summaryLimit)
    return { count: section.count, text: '', oldestQueued: null, knownMs: null };
  const kinds = new Map<StatusKind, number>();
  const activities = noneActive();
  let knownMs: number | null = null;
  for (let index = section.from; index < section.from + section.count; index += 1) {
    const key = section.keys[index];
    const job = key === undefined ? undefined : list.get(key);
    if (job === undefined || (isActive && !isLive(job))) continue;
    const activity = activityOf({ phase: job.phase, word: statusWordOf(job) });
    if (activity !== null) activities[activity] += 1;
    const kind = statusKind(job);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const jobKnownMs = knownAtMs(job);
    if (jobKnownMs !== null) knownMs = Math.max(knownMs ?? 0, jobKnownMs);
  }
  if (!isActive) return { count: section.count, text: summarise(kinds), oldestQueued: null, knownMs: null };
  const justEnded = list.justEnded();
  if (batch !== null && countOf(list) < batch.total) {
    const { waiting, sending, active: atService } = batch.counts;
    return {
      count: waiting + sending + atService,
      text: sectionText.unfinished(atService, waiting + sending),
      oldestQueued: oldestQueuedOf(section, list),
      knownMs,
    };
  }
  const text = [activeText(active ?? activities), justEnded === 0 ? '' : sectionText.justEnded(justEnded)];
  return {
    count: active === null ? section.count - justEnded : sumOf(active),
    text: text.filter((part) => part !== '').join(', '),
    oldestQueued: oldestQueuedOf(section, list),
    knownMs,
  };
}

/** The job of Active that has been queued longest. Null if there is none, and for any other group. */
export function oldestQueuedOf(section: Section, list: JobListView): Job | null {
  return section.id === activeSection ? oldestQueuedIn(section.keys, list) : null;
}

/** The job that has been queued longest of these. Null if there is none, or if there are too many to search. */
export function oldestQueuedIn(keys: readonly string[], list: JobListView): Job | null {
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
  return active.running + active.queued + active.sending + active.toSend + active.unknown + active.over;
}

function noneActive(): ActiveCounts {
  return { running: 0, queued: 0, sending: 0, toSend: 0, unknown: 0, over: 0 };
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

/** The batch that a list shows whole, without a filter. Null for any other list. */
export function wholeBatchOf(filter: JobFilter | null): string | null {
  if (filter === null || filter.view !== 'all' || filter.endpointId !== null || filter.statuses.length > 0) return null;
  return isOfFacets({ ...filter, batchId: null }) ? filter.batchId : null;
}

/** `oldest wait 4:12`, for the head of Active: the wait at `untilMs` of the job that has been queued longest. */
export function oldestWait(job: Job, untilMs: number): string {
  return sectionText.oldestWait(untilMs - queuedSinceMs(job));
}

/**
 * Reads the loaded rows of a group whose end the user has not seen. If rows were only added at its end since the last
 * read, only those are read.
 */
export function createUnseenReader(): (section: Section, list: JobListView) => readonly string[] {
  let former: Section | null = null;
  let unseen: readonly string[] = [];
  return (section, list) => {
    const isLonger =
      former !== null &&
      former.id === section.id &&
      former.keys === section.keys &&
      former.from === section.from &&
      former.revision === section.revision &&
      former.count <= section.count;
    const known = isLonger && former !== null ? former.count : 0;
    const more = section.keys.slice(section.from + known, section.from + section.count).filter((key) => {
      const job = list.get(key);
      return job !== undefined && hasNews(job);
    });
    if (known === 0) unseen = more;
    else if (more.length > 0) unseen = [...unseen, ...more];
    former = section;
    return unseen;
  };
}
