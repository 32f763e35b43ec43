import { reportedIds, type AppNotification, type Ongoing } from '../../src-preload/notification.ts';
import { statusKinds, type StatusKind } from '../../src-preload/job.ts';
import { endWord, sectionText } from '../messages/notifications/centre.ts';

/** A row of the notification centre: one notification, or several that were shown as one. */
export interface NotificationRow {
  /** The newest of them. */
  first: AppNotification;
  all: AppNotification[];
  isSeen: boolean;
}

/** Notifications, newest first, grouped as the desktop showed them. Pure. */
export function notificationRows(notifications: readonly AppNotification[]): NotificationRow[] {
  const rows = new Map<string, NotificationRow>();
  for (const one of notifications) {
    const key = one.togetherId === null ? `one/${one.id}` : `together/${one.togetherId}`;
    const row = rows.get(key);
    if (row === undefined) rows.set(key, { first: one, all: [one], isSeen: one.isSeen });
    else {
      row.all.push(one);
      row.isSeen &&= one.isSeen;
    }
  }
  return [...rows.values()];
}

/** Something ongoing, and the notifications that reported it. */
export interface OngoingRow {
  one: Ongoing;
  ids: number[];
  isSeen: boolean;
}

/**
 * What is ongoing, and the notifications that do not only repeat it: one of two alerts is listed until both have ended.
 * Pure.
 */
export function withoutRepeats(
  notifications: readonly AppNotification[],
  going: readonly Ongoing[],
): { ongoing: OngoingRow[]; others: AppNotification[] } {
  const goingIds = new Set(going.map(({ id }) => id));
  const repeats = (one: AppNotification): boolean => reportedIds(one).every((id) => goingIds.has(id));
  return {
    ongoing: going.map((one) => {
      const reported = notifications.filter((report) => repeats(report) && reportedIds(report).includes(one.id));
      return { one, ids: reported.map(({ id }) => id), isSeen: reported.every(({ isSeen }) => isSeen) };
    }),
    others: notifications.filter((one) => !repeats(one)),
  };
}

/** Rows grouped by day, newest first. */
export function byDay(rows: readonly NotificationRow[], nowMs: number): { name: string; rows: NotificationRow[] }[] {
  const days = Map.groupBy(rows, ({ first }) => sectionText.day(first.atMs, nowMs));
  return [...days].map(([name, of]) => ({ name, rows: of }));
}

/** How many notifications of each status a row has. */
export function statusCountsOf({ all }: NotificationRow): { kind: StatusKind; count: number; word: string }[] {
  const counts = Map.groupBy(
    all.flatMap(({ statusKind }) => statusKind ?? []),
    (kind) => kind,
  );
  return [...counts]
    .map(([kind, of]) => ({ kind, count: of.length, word: endWord(kind) }))
    .toSorted((one, other) => statusKinds.indexOf(one.kind) - statusKinds.indexOf(other.kind));
}
