import { Notification } from 'electron';
import type { AlertNotification } from '../../src-preload/alert.ts';
import type { TrackerState } from '../../src-preload/app.ts';
import { failedRows, type Batch } from '../../src-preload/batch.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { Alarm } from '../time/timers.ts';
import { type Clock, localTime } from '../time/clock.ts';
import { asMarkup, plainText } from './plain-text.ts';
import { isEndTold, wordBatch, wordEnd, wordMany } from './notification-messages.ts';
import { refusalNews, wordRefusal, type RefusalNames, type NotifiedRefusals } from './refusals.ts';

/** Ends of jobs that come this close together share one notification. */
const gatherEndsMs = 400;
/** Operations that are refused this close together share one, or are one refused key. */
const gatherRefusalsMs = 2_000;

/** Notifications whose clicks are still heard. */
const mostHeld = 100;

interface Message {
  title: string;
  body: string;
}

export interface NotificationsParts {
  clock: Clock;
  settings: () => Settings;
  names: RefusalNames;
  trackerState: () => TrackerState;
  openJob: (key: string) => void;
  openMain: () => void;
  openHealth: (connectionId: string, endpointId: string) => void;
  /** The desktop refused one. */
  sayFailed: (error: string) => void;
  /** False where the desktop shows no tray icon, as far as is known. */
  hasTray: () => boolean;
}

/**
 * What the desktop shows while no window is looked at: jobs and batches that ended, after their result is on disk;
 * alerts; and once of each operation, and of each key, that a service refuses it (ruling 35).
 */
export interface Notifications {
  /** Several ends at once share one notification with the counts. The rows of a batch are left to `batchEnded`. */
  jobEnded(job: Job): void;
  batchEnded(batch: Batch): void;
  /** The last window closed while jobs are live. Said once. */
  staying(liveJobs: number): void;
  /** False where the desktop shows no notifications. A click leads to the health of the alert's endpoint. */
  showAlert(alert: AlertNotification): boolean;
  /** The tracker's state changed: something may be refused, or be taken again. */
  refusalsChanged(): void;
  close(): void;
}

export function createNotifications(parts: NotificationsParts): Notifications {
  const { clock, settings, names, openMain } = parts;
  const startedAtMs = clock.now();
  let ended: Job[] = [];
  let notifiedRefusals: NotifiedRefusals = new Map();
  let hasShownStaying = false;
  let isClosed = false;
  // Electron drops a notification's click handler once the object is collected.
  const shown = new Set<Notification>();
  const endsAlarm = new Alarm(clock, showEnds);
  const refusalsAlarm = new Alarm(clock, showRefusals);

  function show({ title, body }: Message, onClick: () => void): boolean {
    if (!Notification.isSupported()) return false;
    const words = plainText(body);
    const notification = new Notification({
      title: plainText(title),
      body: process.platform === 'linux' ? asMarkup(words) : words,
      silent: false,
    });
    shown.add(notification);
    for (const old of [...shown].slice(0, -mostHeld)) shown.delete(old);
    notification.on('click', onClick);
    notification.on('close', ({ reason }) => {
      // On Windows it is in the Action Center now, and may still be clicked.
      if (reason !== 'timedOut') shown.delete(notification);
    });
    notification.on('failed', (_event, error) => {
      shown.delete(notification);
      parts.sayFailed(error);
    });
    notification.show();
    return true;
  }

  function showEnds(): void {
    const jobs = ended;
    ended = [];
    const [only] = jobs;
    if (only === undefined) return;
    if (jobs.length > 1) show(wordMany(jobs), openMain);
    else show(wordEnd(only, names.endpointLabel(only)), () => parts.openJob(only.key));
  }

  function showRefusals(): void {
    const news = refusalNews(notifiedRefusals, parts.trackerState(), clock.now(), startedAtMs);
    notifiedRefusals = news.notified;
    if (settings().notifyOn === 'nothing') return;
    for (const refusal of news.show) show(wordRefusal(refusal, names, localTime), openMain);
  }

  return {
    jobEnded(job) {
      if (isClosed || job.batchId !== null || !isEndTold(job, settings().notifyOn)) return;
      ended.push(job);
      endsAlarm.setAtLatest(clock.now() + gatherEndsMs);
    },
    batchEnded(batch) {
      const { notifyOn } = settings();
      if (isClosed || notifyOn === 'nothing' || (notifyOn === 'failures' && failedRows(batch) === 0)) return;
      // Withdrawn before anything came of it: its user knows.
      if (batch.counts.cancelled < batch.total) show(wordBatch(batch), openMain);
    },
    staying(liveJobs) {
      if (hasShownStaying) return;
      hasShownStaying = true;
      const live = liveJobs === 1 ? 'One job is' : `${liveJobs} jobs are`;
      const body = `${live} still active; Jobdeck saves the results as they arrive.`;
      if (parts.hasTray()) show({ title: 'Jobdeck stays in the tray', body: `${body} Quit from the tray.` }, openMain);
      else
        show(
          {
            title: 'Jobdeck keeps running',
            body: `${body} Start Jobdeck again, or click here, to get its window back.`,
          },
          openMain,
        );
    },
    showAlert: (alert) => show(alert, () => parts.openHealth(alert.connectionId, alert.endpointId)),
    refusalsChanged() {
      if (!isClosed) refusalsAlarm.setAtLatest(clock.now() + gatherRefusalsMs);
    },
    close() {
      isClosed = true;
      endsAlarm.cancel();
      refusalsAlarm.cancel();
      for (const notification of shown) notification.close();
    },
  };
}
