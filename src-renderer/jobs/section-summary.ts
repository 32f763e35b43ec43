import { isOfFacets, noJobs, type ActiveCounts, type JobCounts, type JobFilter } from '../../src-preload/history.ts';
import { activeText, activeWords } from '../../src-preload/messages/active-jobs.ts';
import { isLive, queuedSinceMs, statusKind, type Job, type StatusKind } from '../../src-preload/job.ts';
import { knownAtMs } from '../data/condition.ts';
import type { JobList } from '../data/job-list.ts';
import { hasNews } from '../data/jobs-store.ts';
import { formatCountdown, formatCount } from '../design/format.ts';
import { activeSection, type Section } from './sections.ts';

/** What a row counts as in its group's head: its look, or that only the rest of its stream is still fetched. */
type Counted = StatusKind | 'over';

const activeLooks = { running: 'run', queued: 'queue', toSend: 'to-send', over: 'over' } as const;

const words: readonly (readonly [Counted, string])[] = [
  ...activeWords.map(([kind, word]) => [activeLooks[kind], word] as const),
  ['done', 'done'],
  ['fail', 'failed'],
  ['timeout', 'timed out'],
  ['cancel', 'cancelled'],
  ['gone', 'gone'],
  ['unknown', 'unknown'],
  ['orphaned', 'orphaned'],
];

/** `3 running, 2 queued` or `35 done, 1 failed, 1 timed out`; the most telling three. */
function summarise(looks: ReadonlyMap<Counted, number>): string {
  return words
    .flatMap(([look, word]) => {
      const n = looks.get(look) ?? 0;
      return n === 0 ? [] : [`${formatCount(n)} ${word}`];
    })
    .slice(0, 3)
    .join(', ');
}

/** Above this many rows a summary would cost more than it says. */
const summaryLimit = 5_000;

/** What the head of a group says beside its title. */
export interface SectionSummary {
  /** How many jobs of the group there are. */
  count: number;
  /** What they do or how they ended; empty for a very large group and for one of which only a part is loaded. */
  text: string;
  /** The one that is queued the longest; null where none is. */
  oldestQueued: Job | null;
  /** When the service last told of any of the active jobs; null where none is active. Epoch ms. */
  knownMs: number | null;
}

/**
 * The summary of a group. `active`: how many active jobs match what the list shows, loaded or not, where that is known
 * (see `activeOf`); the head of Active then says the same as the sidebar, and rows that ended and were not moved yet
 * are named apart.
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

/** The job of Active that is queued the longest; null where none is, and in any other group. */
export function oldestQueuedOf(section: Section, list: JobList): Job | null {
  return section.id === activeSection ? oldestQueuedIn(section.keys, list) : null;
}

/** The one of these that is queued the longest; null where none is, and of so many that it costs too much to say. */
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

/** How many these are together; none where that is not known. */
export function sumOf(active: ActiveCounts | null): number {
  if (active === null) return 0;
  return active.running + active.queued + active.sending + active.toSend + active.over;
}

/**
 * How many active jobs pass the filter of what is shown, by what the sidebar counts; null where it narrows by more than
 * a view and an endpoint.
 */
export function activeOf(counts: JobCounts | null, filter: JobFilter | null): ActiveCounts | null {
  if (filter === null) return null;
  const { view, endpointId, statuses } = filter;
  if (counts === null || (view !== 'all' && view !== 'active')) return null;
  if (!isOfFacets(filter) || statuses.length > 0) return null;
  return endpointId === null ? counts : (counts.byEndpoint[endpointId] ?? noJobs);
}

/** `oldest wait 4:12`, for the head of Active: of the job that is queued the longest, at `untilMs`. */
export function oldestWait(job: Job, untilMs: number): string {
  return `oldest wait ${formatCountdown(untilMs - queuedSinceMs(job))}`;
}

/**
 * Reads the rows of a group that are loaded and whose end nobody looked at. Where rows only came at its end since it
 * was last read, only those are read.
 */
export function createUnseenReader(): (section: Section, list: JobList) => readonly string[] {
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
