import type { TrackerState } from '../../src-preload/app.ts';
import type { AlertRecord } from '../../src-preload/alert.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import { ok } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import { fromHistory, type History } from '../history/history.ts';
import type { Notifications } from './notifications.ts';
import { ongoing } from './ongoing.ts';

type NotificationCall = Extract<keyof Handlers, `notification:${string}`>;

interface NotificationHandlersInput {
  notifications: Notifications;
  alerts: { firing(): AlertRecord[] };
  jobs: { trackerState(): TrackerState; liveJobs(): Job[] };
  history: Pick<History, 'notifications' | 'unseenNotifications'>;
}

/** Handlers of the calls about notifications. */
export function notificationHandlers({
  notifications,
  alerts,
  jobs,
  history,
}: NotificationHandlersInput): Pick<Handlers, NotificationCall> {
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
    'notification:markSeen': (of) => fromHistory(notifications.seen.mark(of).then((atMs) => ({ atMs }))),
    'notification:markUnseen': ({ upToId, atMs }) =>
      fromHistory(notifications.seen.unmark({ upToId }, atMs).then(() => null)),
    'notification:gathered': () => ok(notifications.gathered()),
    'notification:test': () => ok({ isShown: notifications.test() }),
  };
}
