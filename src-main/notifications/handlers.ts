import type { TrackerState } from '../../src-preload/app.ts';
import type { AlertRecord } from '../../src-preload/alert.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import { ok, type Result } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import { fromHistory, type History } from '../history/history.ts';
import type { Notifications } from './notifications.ts';
import { ongoing } from './ongoing.ts';

type NotificationCall = Extract<keyof Handlers, `notification:${string}`>;

interface NotificationHandlersParts {
  notifications: Notifications;
  alerts: { firing(): AlertRecord[] };
  jobs: {
    trackerState(): TrackerState;
    liveJobs(): Job[];
    /** Returns the jobs that this changed. */
    ownFields: { markSeen(keys: readonly string[], isSeen?: boolean): Promise<Job[]> };
  };
  history: Pick<History, 'notifications' | 'unseenNotifications' | 'unseenJobsOfNotifications'>;
  /** Reports changed jobs to the windows. */
  jobNews: { changed(jobs: readonly Job[]): void };
}

/** How many jobs are marked in one write. The history answers others in between. */
const jobsAtOnce = 500;

/** Handlers of the calls about notifications. */
export function notificationHandlers({
  notifications,
  alerts,
  jobs,
  history,
  jobNews,
}: NotificationHandlersParts): Pick<Handlers, NotificationCall> {
  async function markJobs(keys: readonly string[], isSeen: boolean): Promise<string[]> {
    const marked: string[] = [];
    for (let from = 0; from < keys.length; from += jobsAtOnce) {
      const changed = await jobs.ownFields.markSeen(keys.slice(from, from + jobsAtOnce), isSeen);
      jobNews.changed(changed);
      for (const { key } of changed) marked.push(key);
    }
    return marked;
  }

  function markSeen(of: { upToId: number } | { ids: number[] }): Promise<Result<{ atMs: number; jobKeys: string[] }>> {
    return fromHistory(
      (async () => {
        const atMs = await notifications.seen.mark(of);
        if (!('upToId' in of)) return { atMs, jobKeys: [] };
        return { atMs, jobKeys: await markJobs(await history.unseenJobsOfNotifications(of.upToId), true) };
      })(),
    );
  }

  return {
    'notification:list': ({ beforeId, limit }) => fromHistory(history.notifications(beforeId, limit)),
    'notification:unseen': () => fromHistory(history.unseenNotifications().then((unseen) => ({ unseen }))),
    'notification:ongoing': () =>
      ok(
        ongoing({
          tracker: jobs.trackerState(),
          firing: alerts.firing(),
          liveJobs: jobs.liveJobs(),
          names: notifications.names,
        }),
      ),
    'notification:markSeen': markSeen,
    'notification:markUnseen': ({ upToId, atMs, jobKeys }) =>
      fromHistory(
        (async () => {
          await notifications.seen.unmark({ upToId }, atMs);
          await markJobs(jobKeys, false);
          return null;
        })(),
      ),
    'notification:gathered': () => ok(notifications.gathered()),
    'notification:test': () => ok({ isShown: notifications.test() }),
  };
}
