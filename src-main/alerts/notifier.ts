import type { AlertNotification, AlertRecord } from '../../src-preload/alert.ts';
import type { EndpointRef } from '../../src-preload/endpoint-key.ts';
import type { NotifyChoice } from '../../src-preload/notification.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { notAfter } from '../time/clock.ts';
import { alertsMessage } from '../messages/alerts.ts';
import { isPending, planAlerts, type AlertPlan } from './plan-alerts.ts';

export interface AlertNotifierParts {
  history: { putAlert(alert: AlertRecord): Promise<void> };
  now: () => number;
  settings: () => Pick<Settings, 'quietHours' | 'areLoudAlertsLetThrough' | 'digest'>;
  /** What the user's rules say of an endpoint's alerts. */
  choiceFor: (connectionId: string, endpointId: string) => NotifyChoice;
  mutedUntilMs: (connectionId: string, endpointId: string) => Promise<number | null>;
  endpointName: (endpoint: EndpointRef) => string;
  /** The disk refused a write. */
  onTrouble: (error: unknown) => void;
}

/** Shows one notification of these alerts. Returns how it was delivered, because the desktop may show none. */
export type ShowAlerts = (
  notification: AlertNotification,
  alertIds: readonly string[],
) => Promise<'shown' | 'undisturbed' | 'off'>;

/** Saves alerts, notifies the user, and keeps those that are not over or not shown yet. */
export class AlertNotifier {
  readonly #parts: AlertNotifierParts;
  /** Not over, or not shown yet. */
  readonly #open = new Map<string, AlertRecord>();
  /** Alerts with changes that are not on disk. */
  readonly #unsaved = new Set<string>();
  #lastShownAtMs: number | null = null;
  #show: ShowAlerts | null = null;

  constructor(parts: AlertNotifierParts) {
    this.#parts = parts;
  }

  /** Resumes the alerts of the last run. */
  resume(unsettled: readonly AlertRecord[], lastShownAtMs: number | null): void {
    const nowMs = this.#parts.now();
    for (const record of unsettled)
      this.#open.set(record.id, { ...record, firedAtMs: notAfter(record.firedAtMs, nowMs) });
    this.#lastShownAtMs = lastShownAtMs === null ? null : notAfter(lastShownAtMs, nowMs);
  }

  /** Sets the function that shows notifications. They are kept until then. */
  showWith(show: ShowAlerts): void {
    this.#show = show;
  }

  /** Those that are not over. */
  firing(): AlertRecord[] {
    return [...this.#open.values()].filter(({ endedAtMs }) => endedAtMs === null);
  }

  /** Notes alerts that began or ended. `save` saves them, `notify` shows them. */
  note(records: readonly AlertRecord[]): void {
    for (const record of records) {
      // How it was delivered is only known here.
      const { delivery, deliveredAtMs } = this.#open.get(record.id) ?? record;
      this.#change({ ...record, delivery, deliveredAtMs });
    }
  }

  /** Saves what is not on disk yet. If the disk refuses, the alert is shown anyway and saved the next time. */
  async save(): Promise<void> {
    for (const id of this.#unsaved) {
      const record = this.#open.get(id);
      this.#unsaved.delete(id);
      if (record === undefined) continue;
      try {
        await this.#parts.history.putAlert(record);
      } catch (error) {
        this.#unsaved.add(id);
        this.#parts.onTrouble(error);
        return;
      }
      if (this.#open.get(id) === record && record.endedAtMs !== null && !isPending(record.delivery))
        this.#open.delete(id);
    }
  }

  /** Shows what is due. Returns when to call it again, or null if only after another alert. */
  async notify(): Promise<number | null> {
    const { now, settings, choiceFor } = this.#parts;
    const { areLoudAlertsLetThrough, ...rest } = settings();
    const nowMs = now();
    const pending = [...this.#open.values()].filter(({ delivery }) => isPending(delivery));
    const muted = await this.#mutedIds(pending, nowMs);
    const plan = planAlerts({
      pending,
      settings: rest,
      isMuted: ({ id }) => muted.has(id),
      isOff: ({ connectionId, endpointId }) => choiceFor(connectionId, endpointId) === 'off',
      isLetThrough: ({ connectionId, endpointId }) =>
        areLoudAlertsLetThrough && choiceFor(connectionId, endpointId) === 'with-sound',
      lastShownAtMs: this.#lastShownAtMs,
      nowMs,
    });
    for (const { id, delivery } of plan.changes) this.#decide(id, delivery, null);
    await this.#showAll(plan.now, nowMs);
    await this.save();
    return plan.wakeAtMs;
  }

  /** Saves when active alerts were last seen. */
  async saveSeen(firing: readonly Pick<AlertRecord, 'id' | 'lastSeenAtMs'>[]): Promise<void> {
    for (const { id, lastSeenAtMs } of firing) {
      const record = this.#open.get(id);
      if (record !== undefined && record.lastSeenAtMs < lastSeenAtMs)
        await this.#parts.history.putAlert({ ...record, lastSeenAtMs });
    }
  }

  /** Saved as shown before it is shown, so that a crash in between cannot show it twice. */
  async #showAll(alerts: AlertPlan['now'], nowMs: number): Promise<void> {
    const records = alerts.flatMap(({ id }) => this.#open.get(id) ?? []);
    const message = alertsMessage(records, this.#parts.endpointName);
    if (message === null || this.#show === null) return;
    const formerlyShownAtMs = this.#lastShownAtMs;
    this.#lastShownAtMs = nowMs;
    for (const { id, delivery } of alerts) this.#decide(id, delivery, nowMs);
    await this.save();
    const outcome = await this.#show(
      message,
      records.map(({ id }) => id),
    );
    if (outcome === 'shown') return;
    this.#lastShownAtMs = formerlyShownAtMs;
    for (const { id } of alerts) this.#settle(records, id, outcome);
  }

  /** An alert that was saved as shown was not shown. It may be over and no longer in memory. */
  #settle(records: readonly AlertRecord[], id: string, delivery: 'undisturbed' | 'off'): void {
    const record = this.#open.get(id) ?? records.find((one) => one.id === id);
    if (record !== undefined) this.#change({ ...record, delivery, deliveredAtMs: null });
  }

  #decide(id: string, delivery: AlertRecord['delivery'], deliveredAtMs: number | null): void {
    const record = this.#open.get(id);
    if (record !== undefined) this.#change({ ...record, delivery, deliveredAtMs });
  }

  #change(record: AlertRecord): void {
    this.#open.set(record.id, record);
    this.#unsaved.add(record.id);
  }

  async #mutedIds(pending: readonly AlertRecord[], nowMs: number): Promise<Set<string>> {
    const muted = new Set<string>();
    for (const { id, connectionId, endpointId } of pending)
      if (((await this.#parts.mutedUntilMs(connectionId, endpointId)) ?? 0) > nowMs) muted.add(id);
    return muted;
  }
}
