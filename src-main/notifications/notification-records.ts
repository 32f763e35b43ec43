import type { Job } from '../../src-preload/job.ts';
import type { AppNotification, NotificationDelivery } from '../../src-preload/notification.ts';
import type { History } from '../history/history.ts';
import type { NewNotification } from '../history/records.ts';
import type { Log } from '../log.ts';

export interface NotificationRecordsParts {
  history: Pick<History, 'addNotification' | 'settleNotifications' | 'job' | 'mutedFailures'>;
  /** How many days notifications are saved. */
  keptDays: () => number;
  log: Log;
}

/**
 * What the history saves of notifications. No method throws: if the disk refuses, the error is logged, and the
 * notification is shown without a record.
 */
export class NotificationRecords {
  readonly #parts: NotificationRecordsParts;
  /** Ids of notifications that could not be saved are negative. The history's are positive. */
  #lastUnsavedId = 0;

  constructor(parts: NotificationRecordsParts) {
    this.#parts = parts;
  }

  /** Saves a notification and returns its id, or null if one about the same event was saved before. */
  async add(given: NewNotification): Promise<number | null> {
    const { history, keptDays, log } = this.#parts;
    try {
      return await history.addNotification(given, keptDays());
    } catch (error) {
      log.error('a notification could not be saved', { error });
      this.#lastUnsavedId -= 1;
      return this.#lastUnsavedId;
    }
  }

  /** Saves how these were delivered, several as one notification. */
  async settle(ids: readonly number[], delivery: NotificationDelivery, deliveredAtMs: number | null): Promise<void> {
    const togetherId = ids.length > 1 ? (ids[0] ?? null) : null;
    const saved = ids.filter((id) => id > 0);
    if (saved.length === 0) return;
    await this.#parts.history
      .settleNotifications(saved.map((id) => ({ id, delivery, deliveredAtMs, togetherId })))
      .catch((error: unknown) => this.#parts.log.error('a notification could not be saved', { error }));
  }

  /** The keys of the jobs whose failure has a muted cause. These are counted and listed, but never shown. */
  async mutedAmong(
    notifications: readonly Pick<AppNotification, 'jobKey' | 'statusKind'>[],
  ): Promise<ReadonlySet<string | null>> {
    const keys = notifications.flatMap(({ jobKey, statusKind }) =>
      jobKey === null || (statusKind !== 'fail' && statusKind !== 'timeout') ? [] : jobKey,
    );
    if (keys.length === 0) return new Set();
    try {
      return new Set(await this.#parts.history.mutedFailures(keys));
    } catch (error) {
      this.#parts.log.error('muted causes could not be read', { error });
      return new Set();
    }
  }

  /** The job that a notification is about. Null if it was deleted or cannot be read. */
  async jobOf({ jobKey }: Pick<AppNotification, 'jobKey'>): Promise<Job | null> {
    return jobKey === null ? null : this.#parts.history.job(jobKey).catch(() => null);
  }
}
