import { isLive, type Job } from '../../src-preload/job.ts';
import type { JobList } from '../data/job-list.ts';
import { oldestQueuedIn } from '../jobs/section-summary.ts';

/** What the tray's popover shows of the jobs. */
export interface TrayLists {
  /** The first of the active jobs, in the order of the list. */
  active: readonly Job[];
  /** The one that is queued the longest; null where none is. */
  oldestQueued: Job | null;
  /** The last that ended, newest end first. */
  ended: readonly Job[];
}

const activeShown = 4;
const endedShown = 3;
/** Beside a full group of active jobs there is room for fewer. */
const endedShownBeside = 2;
/** A job that ended lately may be older than others: so many of the newest are looked through. */
const endedAmong = 200;

/** Picks them out of the jobs that the main window's list shows as well, so that both say the same. Pure. */
export function trayLists(list: JobList): TrayLists {
  const active = list.live().flatMap((key) => {
    const job = list.get(key);
    return job !== undefined && isLive(job) ? [job] : [];
  });
  const ended = list
    .rest()
    .slice(0, endedAmong)
    .flatMap((key) => {
      const job = list.get(key);
      return job === undefined || job.finishedSeenAtMs === null ? [] : [job];
    })
    .toSorted((one, other) => (other.finishedSeenAtMs ?? 0) - (one.finishedSeenAtMs ?? 0));
  return {
    active: active.slice(0, activeShown),
    oldestQueued: oldestQueuedIn(list.live(), list),
    ended: ended.slice(0, active.length > 2 ? endedShownBeside : endedShown),
  };
}
