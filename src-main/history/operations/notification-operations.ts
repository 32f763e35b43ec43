import type { Job } from '../../../src-preload/job.ts';
import type { AppNotification, NotificationPage } from '../../../src-preload/notification.ts';
import {
  addNotification,
  countUnseenNotifications,
  markNotificationsSeen,
  markNotificationsUnseen,
  readNotificationById,
  readNotifications,
  readUnseenJobsOf,
  readWaitingNotifications,
  settleNotifications,
  readUnreportedEnds,
} from '../notifications/notifications.ts';
import type { NewNotification, SettledNotification } from '../records.ts';
import type { CallContext } from './call-context.ts';

/** The notifications of the notification centre. */
export const notificationOperations = {
  /** Keeps a notification; null where there is one about the same thing. For `keptDays`, the newest 10,000. */
  addNotification: ({ db }: CallContext, given: NewNotification, keptDays: number): number | null =>
    addNotification(db, given, keptDays),
  settleNotifications: ({ db }: CallContext, settled: SettledNotification[]): void => settleNotifications(db, settled),
  /** Newest first, those before `beforeId` (null: from the newest). */
  notifications: ({ db }: CallContext, beforeId: number | null, limit: number): NotificationPage =>
    readNotifications(db, beforeId, limit),
  notification: ({ db }: CallContext, id: number): AppNotification | null => readNotificationById(db, id),
  unreportedEnds: ({ db }: CallContext, withinMs: number): Job[] => readUnreportedEnds(db, withinMs),
  waitingNotifications: ({ db }: CallContext): AppNotification[] => readWaitingNotifications(db),
  unseenNotifications: ({ db }: CallContext): number => countUnseenNotifications(db),
  /** Keys of unseen ended jobs, and rows of batches, that notifications up to this id are about. */
  unseenJobsOfNotifications: ({ db }: CallContext, upToId: number): string[] => readUnseenJobsOf(db, upToId),
  /** Returns how many were unseen before. */
  markNotificationsSeen: (
    { db, nowMs }: CallContext,
    of: { upToId: number } | { ids: number[] } | { jobKeys: string[] },
  ): number => markNotificationsSeen(db, of, nowMs),
  /** Undoes that for those marked since then. Returns how many. */
  markNotificationsUnseen: (
    { db }: CallContext,
    of: { upToId: number } | { jobKeys: string[] },
    sinceMs: number,
  ): number => markNotificationsUnseen(db, of, sinceMs),
};
