import { isLive, type Job } from '../../src-preload/job.ts';
import type { JobListView } from '../data/job-list.ts';
import { oldestQueuedIn } from '../jobs/section-summary.ts';

/** The jobs in the tray's popover. */
export interface TrayLists {
  /** The first active jobs, in the order of the list. */
  active: readonly Job[];
  /** The job that has been queued longest, or null. */
  oldestQueued: Job | null;
  /** The jobs that ended last, newest end first. */
  ended: readonly Job[];
}

const activeShown = 4;
/** How many rows fill the popover, and leave room for the images of one job. */
const rowsShown = 6;
/** A job that ended recently may be older than others, so this many of the newest are searched. */
const endedAmong = 200;

/** Takes the jobs from the same list as the main window, so that both agree. Pure. */
export function trayLists(list: JobListView): TrayLists {
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
  const shown = active.slice(0, activeShown);
  return {
    active: shown,
    oldestQueued: oldestQueuedIn(list.live(), list),
    ended: ended.slice(0, rowsShown - shown.length),
  };
}
