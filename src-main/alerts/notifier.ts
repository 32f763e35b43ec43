import type { AlertNotification, AlertRecord } from '../../src-preload/alert.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { notAfter, localTime } from '../time/clock.ts';
import { alertsMessage } from './alert-messages.ts';
import { isPending, planNotification } from './notification-plan.ts';
import type { NotificationPlan } from './notification-plan.ts';

export interface AlertNotifierParts {
  history: { putAlert(alert: AlertRecord): Promise<void> };
  now: () => number;
  settings: () => Pick<Settings, 'notifyOn' | 'quietHours' | 'digest'>;
  mutedUntilMs: (connectionId: string, endpointId: string) => Promise<number | null>;
  endpointName: (connectionId: string, endpointId: string) => string;
  /** The disk refused. */
  onTrouble: (error: unknown) => void;
}

/** Keeps alerts, notifies their user, and remembers those that are not over or not shown yet. */
export class AlertNotifier {
  readonly #parts: AlertNotifierParts;
  /** Not over, or not shown yet. */
  readonly #open = new Map<string, AlertRecord>();
  /** Of these something is not on disk. */
  readonly #unkept = new Set<string>();
  #lastShownAtMs: number | null = null;
  #show: ((notification: AlertNotification) => boolean) | null = null;

  constructor(parts: AlertNotifierParts) {
    this.#parts = parts;
  }

  /** Resumes what a former run left. */
  resume(unsettled: readonly AlertRecord[], lastShownAtMs: number | null): void {
    const nowMs = this.#parts.now();
    for (const record of unsettled)
      this.#open.set(record.id, { ...record, firedAtMs: notAfter(record.firedAtMs, nowMs) });
    this.#lastShownAtMs = lastShownAtMs === null ? null : notAfter(lastShownAtMs, nowMs);
  }

  /** Who shows notifications, and answers whether that could be. Until there is one they are kept. */
  showWith(show: (notification: AlertNotification) => boolean): void {
    this.#show = show;
  }

  /** Notes that alerts began, or ended; `keep` writes them, and `notify` shows them. */
  note(records: readonly AlertRecord[]): void {
    for (const record of records) {
      // How it was shown is known here only.
      const { telling, toldAtMs } = this.#open.get(record.id) ?? record;
      this.#change({ ...record, telling, toldAtMs });
    }
  }

  /** Writes what is not on disk yet. What the disk refuses is shown all the same, and written the next time. */
  async keep(): Promise<void> {
    for (const id of this.#unkept) {
      const record = this.#open.get(id);
      this.#unkept.delete(id);
      if (record === undefined) continue;
      try {
        await this.#parts.history.putAlert(record);
      } catch (error) {
        this.#unkept.add(id);
        this.#parts.onTrouble(error);
        return;
      }
      if (this.#open.get(id) === record && record.endedAtMs !== null && !isPending(record.telling))
        this.#open.delete(id);
    }
  }

  /** Shows what is to be shown now. Answers when to call this again; null: not before something fires. */
  async notify(): Promise<number | null> {
    const { now, settings } = this.#parts;
    const nowMs = now();
    const pending = [...this.#open.values()].filter(({ telling }) => isPending(telling));
    const muted = await this.#mutedIds(pending, nowMs);
    const plan = planNotification({
      pending,
      settings: settings(),
      isMuted: ({ id }) => muted.has(id),
      lastShownAtMs: this.#lastShownAtMs,
      nowMs,
    });
    for (const { id, telling } of plan.changes) this.#decide(id, telling, null);
    this.#showAll(plan.now, nowMs);
    // All of it is decided first: what was shown is not shown again because the disk refused one of them.
    await this.keep();
    return plan.wakeAtMs;
  }

  /** Writes until when alerts that are not over were seen. */
  async keepSeen(firing: readonly Pick<AlertRecord, 'id' | 'lastSeenAtMs'>[]): Promise<void> {
    for (const { id, lastSeenAtMs } of firing) {
      const record = this.#open.get(id);
      if (record !== undefined && record.lastSeenAtMs < lastSeenAtMs)
        await this.#parts.history.putAlert({ ...record, lastSeenAtMs });
    }
  }

  #showAll(alerts: NotificationPlan['now'], nowMs: number): void {
    const records = alerts.flatMap(({ id }) => this.#open.get(id) ?? []);
    const message = alertsMessage(records, this.#parts.endpointName, localTime);
    if (message === null || this.#show === null) return;
    const isShown = this.#show(message);
    if (isShown) this.#lastShownAtMs = nowMs;
    for (const { id, telling } of alerts) this.#decide(id, isShown ? telling : 'off', isShown ? nowMs : null);
  }

  #decide(id: string, telling: AlertRecord['telling'], toldAtMs: number | null): void {
    const record = this.#open.get(id);
    if (record !== undefined) this.#change({ ...record, telling, toldAtMs });
  }

  #change(record: AlertRecord): void {
    this.#open.set(record.id, record);
    this.#unkept.add(record.id);
  }

  async #mutedIds(pending: readonly AlertRecord[], nowMs: number): Promise<Set<string>> {
    const muted = new Set<string>();
    for (const { id, connectionId, endpointId } of pending)
      if (((await this.#parts.mutedUntilMs(connectionId, endpointId)) ?? 0) > nowMs) muted.add(id);
    return muted;
  }
}
