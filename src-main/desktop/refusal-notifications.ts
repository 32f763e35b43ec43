import { Notification } from 'electron';
import type { TrackerState } from '../../src-preload/app.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { refusalNews } from './refusal-news.ts';
import type { ToldRefusals } from './refusal-news.ts';
import { wordRefusal } from './refusals.ts';
import type { RefusalNames } from './refusals.ts';

/** Operations that are refused this close together are told in one notification, or as a refused key. */
const gatherMs = 2_000;

export interface RefusalNotificationsParts {
  trackerState: () => TrackerState;
  settings: () => Settings;
  names: RefusalNames;
  /** Where a click leads. */
  openMain: () => void;
  now: () => number;
}

/** Tells once of each operation, and of each key, that a service refuses (ruling 35); not of every job it concerns. */
export function createRefusalNotifications(parts: RefusalNotificationsParts): { changed(): void; close(): void } {
  const startedAtMs = parts.now();
  let told: ToldRefusals = new Map();
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  // Electron drops a notification's click handler once the object is collected.
  const shown = new Set<Notification>();

  const show = ({ title, body }: { title: string; body: string }): void => {
    if (!Notification.isSupported() || parts.settings().notifyOn === 'nothing') return;
    const notification = new Notification({ title, body, silent: false });
    shown.add(notification);
    notification.on('click', parts.openMain);
    notification.on('close', () => shown.delete(notification));
    notification.show();
  };

  const judge = (): void => {
    timer = null;
    const news = refusalNews(told, parts.trackerState(), parts.now(), startedAtMs);
    told = news.told;
    for (const refusal of news.tell) show(wordRefusal(refusal, parts.names, timeOfDay));
  };

  return {
    changed() {
      if (!isClosed) timer ??= setTimeout(judge, gatherMs);
    },
    close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      for (const notification of shown) notification.close();
    },
  };
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

function timeOfDay(atMs: number): string {
  return clock.format(atMs);
}
