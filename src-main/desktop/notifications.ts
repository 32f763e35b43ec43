import { Notification } from 'electron';
import { failedRows } from '../../src-preload/batch.ts';
import type { Batch } from '../../src-preload/batch.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { isEndTold, wordBatch, wordEnd, wordMany } from './notification-words.ts';

/** Ends that come this close together are told in one notification. */
const gatherMs = 400;

export interface NotificationsParts {
  settings: () => Settings;
  /** The label of an endpoint. */
  endpointLabel: (job: Job) => string;
  openJob: (key: string) => void;
  openFinished: () => void;
}

export interface Notifications {
  jobEnded(job: Job): void;
  batchEnded(batch: Batch): void;
  /** The last window closed while jobs are live. Said once. */
  staying(liveJobs: number): void;
  close(): void;
}

/**
 * Tells of jobs that ended, after their result is on disk. One job: its title and outcome, a click opens it;
 * several at once: one notification with the counts. A batch is told of when its last row ended, its rows are not.
 */
export function createNotifications(parts: NotificationsParts): Notifications {
  let gathered: Job[] = [];
  let timer: NodeJS.Timeout | null = null;
  let hasToldStaying = false;
  let isClosed = false;
  // Electron drops a notification's click handler once the object is collected.
  const shown = new Set<Notification>();

  const show = (title: string, body: string, onClick: () => void): void => {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body, silent: false });
    shown.add(notification);
    notification.on('click', onClick);
    notification.on('close', () => shown.delete(notification));
    notification.show();
  };

  const flush = (): void => {
    timer = null;
    const jobs = gathered;
    gathered = [];
    const [only] = jobs;
    if (only === undefined) return;
    if (jobs.length === 1) {
      const words = wordEnd(only, parts.endpointLabel(only));
      show(words.title, words.body, () => parts.openJob(only.key));
      return;
    }
    const words = wordMany(jobs);
    show(words.title, words.body, parts.openFinished);
  };

  return {
    jobEnded(job) {
      if (isClosed || job.batchId !== null || !isEndTold(job, parts.settings().notifyOn)) return;
      gathered.push(job);
      timer ??= setTimeout(flush, gatherMs);
    },
    batchEnded(batch) {
      const { notifyOn } = parts.settings();
      if (isClosed || notifyOn === 'nothing' || (notifyOn === 'failures' && failedRows(batch) === 0)) return;
      // Withdrawn before anything came of it: its user knows.
      if (batch.counts.cancelled === batch.total) return;
      const words = wordBatch(batch);
      show(words.title, words.body, parts.openFinished);
    },
    staying(liveJobs) {
      if (hasToldStaying) return;
      hasToldStaying = true;
      show(
        'Jobdeck stays in the tray',
        `${liveJobs === 1 ? 'One job is' : `${liveJobs} jobs are`} still live; the results are saved as they ` +
          'come. Quit from the tray.',
        parts.openFinished,
      );
    },
    close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      for (const notification of shown) notification.close();
    },
  };
}
