import { isFailedKind, reportedIds, type AppNotification, type Ongoing } from '../../src-preload/notification.ts';
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

/** What the centre can be filtered by. */
export const centreKinds = ['all', 'failed', 'finished', 'alerts', 'other'] as const;
type CentreKind = (typeof centreKinds)[number];

export interface CentreFilter {
  kind: CentreKind;
  isUnseenOnly: boolean;
}

/** What the centre lists, and how much of it passes the filter with another kind. */
export interface FilteredCentre {
  ongoing: OngoingRow[];
  others: AppNotification[];
  counts: Readonly<Record<CentreKind, number>>;
  /** Unseen ones of the kind. */
  unseen: number;
}

/** Applies the filter before notifications are grouped, so that a group has only those that pass. Pure. */
export function filterCentre(
  { ongoing, others }: { ongoing: readonly OngoingRow[]; others: readonly AppNotification[] },
  { kind, isUnseenOnly }: CentreFilter,
): FilteredCentre {
  const isOf = (wanted: CentreKind, own: CentreKind): boolean => wanted === 'all' || wanted === own;
  const isListed = ({ isSeen }: { isSeen: boolean }): boolean => !isUnseenOnly || !isSeen;
  const goingOf = (wanted: CentreKind): OngoingRow[] => ongoing.filter(({ one }) => isOf(wanted, kindOfOngoing(one)));
  const othersOf = (wanted: CentreKind): AppNotification[] => others.filter((one) => isOf(wanted, kindOf(one)));
  const countOf = (wanted: CentreKind): number =>
    goingOf(wanted).filter(isListed).length + othersOf(wanted).filter(isListed).length;
  return {
    ongoing: goingOf(kind).filter(isListed),
    others: othersOf(kind).filter(isListed),
    counts: {
      all: countOf('all'),
      failed: countOf('failed'),
      finished: countOf('finished'),
      alerts: countOf('alerts'),
      other: countOf('other'),
    },
    unseen: [...goingOf(kind), ...othersOf(kind)].filter(({ isSeen }) => !isSeen).length,
  };
}

function kindOf({ kind, statusKind }: AppNotification): CentreKind {
  switch (kind) {
    case 'alert':
      return 'alerts';
    case 'refusal':
      return 'other';
    case 'job':
    case 'batch':
      return statusKind !== null && isFailedKind(statusKind) ? 'failed' : 'finished';
  }
}

function kindOfOngoing({ kind }: Ongoing): CentreKind {
  return kind === 'alert' ? 'alerts' : 'other';
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
