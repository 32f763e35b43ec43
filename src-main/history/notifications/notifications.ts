import type { DatabaseSync } from 'node:sqlite';
import {
  notificationKinds,
  notificationDeliveries,
  type AppNotification,
  type NotificationPage,
} from '../../../src-preload/notification.ts';
import { dayMs } from '../../../src-preload/durations.ts';
import { isFailure } from '../../../src-preload/history.ts';
import { statusKinds, isFinished, type Job } from '../../../src-preload/job.ts';
import { number, numberOrNull, oneOf, statement, text, textOrNull, type Row } from '../file/row.ts';
import { readFacets } from '../jobs/facets.ts';
import type { NewNotification, SettledNotification } from '../records.ts';
import { jobOf } from '../jobs/job-row.ts';

/**
 * Unseen notifications are kept this long, whatever the user chose: without them the next start would report them
 * again.
 */
const unseenKeptMs = 365 * dayMs;
/** The newest of them at most. */
const maxNotifications = 10_000;

/**
 * Saves a notification before it is shown. Returns its id, or null if there is one about the same subject, so that it
 * is not shown twice. It is seen from the start if its job is: the open job's window reports that before the job's end
 * is gathered with others. Notifications that were seen are deleted after `keptDays`.
 */
export function addNotification(db: DatabaseSync, given: NewNotification, keptDays: number): number | null {
  const added = statement(
    db,
    `INSERT INTO notifications (about, kind, look, title, body, at_ms, connection_id, endpoint_id, job_key, batch_id,
      telling, told_at_ms, seen_at_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,
      (SELECT ?6 FROM jobs WHERE key = ?9 AND is_seen = 1))
    ON CONFLICT (about) DO NOTHING`,
  ).run(
    given.about,
    given.kind,
    given.statusKind,
    given.title,
    given.body,
    given.atMs,
    given.connectionId,
    given.endpointId,
    given.jobKey,
    given.batchId,
    given.delivery,
    given.deliveredAtMs,
  );
  if (added.changes === 0) return null;
  statement(db, 'DELETE FROM notifications WHERE at_ms < ? AND (seen_at_ms IS NOT NULL OR at_ms < ?)').run(
    given.atMs - keptDays * dayMs,
    given.atMs - unseenKeptMs,
  );
  statement(
    db,
    'DELETE FROM notifications WHERE id <= (SELECT id FROM notifications ORDER BY id DESC LIMIT 1 OFFSET ?)',
  ).run(maxNotifications);
  return Number(added.lastInsertRowid);
}

/** How notifications were delivered, or what they wait for now. */
export function settleNotifications(db: DatabaseSync, settled: readonly SettledNotification[]): void {
  for (const { id, delivery, deliveredAtMs, togetherId } of settled)
    statement(db, 'UPDATE notifications SET telling = ?, told_at_ms = ?, together_id = ? WHERE id = ?').run(
      delivery,
      deliveredAtMs,
      togetherId,
      id,
    );
}

/** Saved notifications with what is known of their jobs. A condition follows. */
const selectFrom = `SELECT notifications.*,
  (SELECT output_bytes > 0 OR chunk_count > 0 FROM jobs WHERE key = job_key) AS has_output
  FROM notifications WHERE`;

/** Those before `beforeId` (null: from the newest), newest first. */
export function readNotifications(db: DatabaseSync, beforeId: number | null, limit: number): NotificationPage {
  const found = statement(db, `${selectFrom} (?1 IS NULL OR id < ?1) ORDER BY id DESC LIMIT ?2`)
    .all(beforeId, limit + 1)
    .map(readNotification);
  return { notifications: found.slice(0, limit), hasMore: found.length > limit };
}

/** One of them, or null. */
export function readNotificationById(db: DatabaseSync, id: number): AppNotification | null {
  const row = statement(db, `${selectFrom} id = ?`).get(id);
  return row === undefined ? null : readNotification(row);
}

/** Those that earlier runs left undecided, oldest first. */
export function readWaitingNotifications(db: DatabaseSync): AppNotification[] {
  return statement(db, `${selectFrom} telling IN ('due', 'held', 'gathered') ORDER BY id`).all().map(readNotification);
}

/** How many are unseen. */
export function countUnseenNotifications(db: DatabaseSync): number {
  const row = statement(db, 'SELECT count(*) AS unseen FROM notifications WHERE seen_at_ms IS NULL').get();
  return row === undefined ? 0 : number(row, 'unseen');
}

/**
 * The keys of the ended jobs that were not seen and that notifications up to this id are about, with the rows of their
 * batches, and of all failed ones. There is no notification of those that came from another history, or whose
 * notification was deleted.
 */
export function readUnseenJobsOf(db: DatabaseSync, upToId: number): string[] {
  const failed = readFacets(db).filter(({ isSeen, word }) => !isSeen && isFailure(word));
  return statement(
    db,
    `SELECT jobs.key FROM notifications JOIN jobs ON jobs.key = notifications.job_key
      WHERE notifications.id <= ?1 AND jobs.is_seen = 0 AND jobs.finished_seen_at_ms IS NOT NULL
    UNION SELECT jobs.key FROM notifications JOIN jobs ON jobs.batch_id = notifications.batch_id
      WHERE notifications.id <= ?1 AND jobs.is_seen = 0 AND jobs.finished_seen_at_ms IS NOT NULL
    UNION SELECT jobs.key FROM json_each(?2) AS failed JOIN jobs ON jobs.facet = failed.value`,
  )
    .all(upToId, JSON.stringify(failed.map(({ id }) => id)))
    .map((row) => text(row, 'key'));
}

/** Marks as seen those up to `upToId`, or those about these jobs. Returns how many were unseen before. */
export function markNotificationsSeen(
  db: DatabaseSync,
  of: { upToId: number } | { ids: readonly number[] } | { jobKeys: readonly string[] },
  nowMs: number,
): number {
  if ('upToId' in of)
    return Number(
      statement(db, 'UPDATE notifications SET seen_at_ms = ? WHERE seen_at_ms IS NULL AND id <= ?').run(
        nowMs,
        of.upToId,
      ).changes,
    );
  if ('ids' in of) {
    const mark = statement(db, 'UPDATE notifications SET seen_at_ms = ? WHERE seen_at_ms IS NULL AND id = ?');
    return of.ids.reduce((sum, id) => sum + Number(mark.run(nowMs, id).changes), 0);
  }
  const mark = statement(db, 'UPDATE notifications SET seen_at_ms = ? WHERE seen_at_ms IS NULL AND job_key = ?');
  return of.jobKeys.reduce((sum, key) => sum + Number(mark.run(nowMs, key).changes), 0);
}

/** Marks as not seen again those up to `upToId`, or about these jobs, that were seen since then. Returns how many. */
export function markNotificationsUnseen(
  db: DatabaseSync,
  of: { upToId: number } | { jobKeys: readonly string[] },
  sinceMs: number,
): number {
  if ('upToId' in of)
    return Number(
      statement(db, 'UPDATE notifications SET seen_at_ms = NULL WHERE seen_at_ms >= ? AND id <= ?').run(
        sinceMs,
        of.upToId,
      ).changes,
    );
  const mark = statement(db, 'UPDATE notifications SET seen_at_ms = NULL WHERE seen_at_ms >= ? AND job_key = ?');
  return of.jobKeys.reduce((sum, key) => sum + Number(mark.run(sinceMs, key).changes), 0);
}

function readNotification(row: Row): AppNotification {
  const status = textOrNull(row, 'look');
  return {
    id: number(row, 'id'),
    about: text(row, 'about'),
    kind: oneOf(row, 'kind', notificationKinds),
    statusKind: status === null ? null : oneOf(row, 'look', statusKinds),
    title: text(row, 'title'),
    body: text(row, 'body'),
    atMs: number(row, 'at_ms'),
    connectionId: text(row, 'connection_id'),
    endpointId: textOrNull(row, 'endpoint_id'),
    jobKey: textOrNull(row, 'job_key'),
    batchId: textOrNull(row, 'batch_id'),
    hasOutput: numberOrNull(row, 'has_output') === 1,
    delivery: oneOf(row, 'telling', notificationDeliveries),
    deliveredAtMs: numberOrNull(row, 'told_at_ms'),
    togetherId: numberOrNull(row, 'together_id'),
    isSeen: numberOrNull(row, 'seen_at_ms') !== null,
  };
}

/** More than a crash can leave. */
const maxUnreported = 1_000;

/**
 * Jobs that ended within `withinMs` of the last saved end, oldest first, that are unseen and have no notification: a
 * crash between an end and its notification leaves them. Includes rows of batches.
 */
export function readUnreportedEnds(db: DatabaseSync, withinMs: number): Job[] {
  return statement(
    db,
    `SELECT * FROM jobs INDEXED BY jobs_by_finish
    WHERE finished_seen_at_ms >= (SELECT max(finished_seen_at_ms) FROM jobs WHERE finished_seen_at_ms IS NOT NULL) - ?
      AND is_seen = 0 AND NOT EXISTS (SELECT 1 FROM notifications WHERE job_key = jobs.key)
    ORDER BY finished_seen_at_ms LIMIT ?`,
  )
    .all(withinMs, maxUnreported)
    .map(jobOf)
    .filter(isFinished);
}
