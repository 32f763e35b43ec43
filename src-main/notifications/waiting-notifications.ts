import {
  destinationOf,
  isUndisturbed,
  type AppNotification,
  type GatheredNotifications,
  type NotificationDelivery,
} from '../../src-preload/notification.ts';
import { minuteMs } from '../../src-preload/durations.ts';
import type { Settings } from '../../src-preload/settings.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import { lateMessage, groupMessage, messageWithoutDetails } from '../messages/notifications.ts';
import { notAfter, type Clock } from '../time/clock.ts';
import { Alarm } from '../time/timers.ts';
import type { NotificationRecords } from './notification-records.ts';
import { burst, digestDueAtMs, planNotifications, type Showing, type Waiting } from './plan-notifications.ts';
import type { RefusalNames } from './refusals.ts';
import { actionsFor, type ShownNotification, type ShowOnDesktop } from './shown-notification.ts';

interface WaitingNotificationsParts {
  history: Pick<History, 'waitingNotifications'>;
  clock: Clock;
  settings: () => Pick<
    Settings,
    'doNotDisturb' | 'quietHours' | 'areLoudAlertsLetThrough' | 'digest' | 'hasNotificationDetails'
  >;
  names: RefusalNames;
  records: NotificationRecords;
  /** In turn with everything else that is done with notifications. */
  later: (work: () => Promise<void>) => void;
  /** The list, or the number of unseen ones, changed. */
  onChanged: () => Promise<void>;
  log: Log;
}

type SavedNotification = Pick<AppNotification, 'id' | 'kind' | 'atMs' | 'title' | 'body' | 'statusKind'> &
  Parameters<typeof destinationOf>[0];

/**
 * Saved notifications that are not shown yet: until the desktop can show them, for the end of quiet hours, or for the
 * next digest. `planNotifications` decides when, and which of them are shown as one.
 */
export class WaitingNotifications {
  readonly #parts: WaitingNotificationsParts;
  readonly #planAlarm: Alarm;
  readonly #waiting = new Map<number, SavedNotification & Waiting>();
  #shownAtMs: number[] = [];
  #show: ShowOnDesktop | null = null;
  #isClosed = false;

  constructor(parts: WaitingNotificationsParts) {
    this.#parts = parts;
    this.#planAlarm = new Alarm(parts.clock, () => parts.later(() => this.plan()));
  }

  /**
   * Reads what an earlier run held back or was about to show. Shown ones were saved as such before. Whether one was to
   * be heard is not saved, so these are shown without a sound.
   */
  async resume(): Promise<void> {
    const nowMs = this.#parts.clock.now();
    for (const one of await this.#parts.history.waitingNotifications()) {
      const { delivery } = one;
      if (delivery !== 'due' && delivery !== 'held' && delivery !== 'gathered') continue;
      const way = delivery === 'gathered' ? 'digest' : 'notify';
      this.add({ ...one, atMs: notAfter(one.atMs, nowMs), delivery, way });
    }
  }

  /** One more, which is saved. `plan` decides about it. */
  add(one: SavedNotification & Waiting): void {
    this.#waiting.set(one.id, one);
  }

  /** Sets the function that shows notifications. They wait until it is set. */
  showWith(show: ShowOnDesktop): void {
    this.#show = show;
  }

  /** What waits for the next digest, and when that comes; null where nothing waits. */
  gathered(): GatheredNotifications {
    const waiting = [...this.#waiting.values()].filter(({ delivery }) => delivery === 'gathered');
    return { count: waiting.length, dueAtMs: digestDueAtMs(waiting, this.#digestMs()) };
  }

  #digestMs(): number {
    return this.#parts.settings().digest.everyMinutes * minuteMs;
  }

  /** Shows what is due, and waits for the next moment when something is. */
  async plan(): Promise<void> {
    if (this.#show === null || this.#isClosed) return;
    const { clock, settings } = this.#parts;
    const nowMs = clock.now();
    const { quietHours, areLoudAlertsLetThrough, doNotDisturb } = settings();
    this.#shownAtMs = this.#shownAtMs.filter((atMs) => nowMs - atMs < burst.withinMs);
    const plan = planNotifications({
      waiting: [...this.#waiting.values()],
      shownAtMs: this.#shownAtMs,
      quietHours,
      areLoudAlertsLetThrough,
      isUndisturbed: isUndisturbed(doNotDisturb, nowMs),
      digestMs: this.#digestMs(),
      nowMs,
    });
    for (const { id, delivery } of plan.changes) {
      await this.#parts.records.settle([id], delivery, null);
      this.#settled(id, delivery);
    }
    for (const showing of plan.show) await this.#showOne(await this.#withoutMuted(showing), nowMs);
    this.#planAlarm.set(plan.wakeAtMs ?? Infinity);
    await this.#parts.onChanged();
  }

  /** A notification that waited may have been muted in the meantime. */
  async #withoutMuted(showing: Showing): Promise<Showing> {
    if (showing.delivery !== 'after-quiet-hours' && showing.delivery !== 'in-digest') return showing;
    const of = showing.ids.flatMap((id) => this.#waiting.get(id) ?? []);
    const muted = await this.#parts.records.mutedAmong(of);
    const mutedIds = of.filter(({ jobKey }) => muted.has(jobKey)).map(({ id }) => id);
    for (const id of mutedIds) {
      await this.#parts.records.settle([id], 'muted', null);
      this.#waiting.delete(id);
    }
    return { ...showing, ids: showing.ids.filter((id) => !mutedIds.includes(id)) };
  }

  #settled(id: number, delivery: NotificationDelivery): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (delivery === 'due' || delivery === 'held' || delivery === 'gathered')
      this.#waiting.set(id, { ...waiting, delivery });
    else this.#waiting.delete(id);
  }

  /** Saved as shown before it is shown, so that a crash in between cannot show it twice. */
  async #showOne({ ids, delivery, hasSound }: Showing, nowMs: number): Promise<void> {
    const of = ids.flatMap((id) => this.#waiting.get(id) ?? []);
    const [first] = of;
    if (first === undefined) return;
    for (const id of ids) this.#waiting.delete(id);
    await this.#parts.records.settle(ids, delivery, nowMs);
    const job = of.length === 1 ? await this.#parts.records.jobOf(first) : null;
    const message = of.length > 1 ? groupMessage(of, delivery) : lateMessage(first, delivery);
    const { settings, names } = this.#parts;
    const plain = settings().hasNotificationDetails ? message : messageWithoutDetails(of, names);
    const isShown = this.showNow({
      id: first.id,
      ...plain,
      hasSound,
      destination: of.length > 1 ? { kind: 'notifications' } : destinationOf(first),
      actions: job === null ? [] : actionsFor(job),
    });
    if (isShown) this.#shownAtMs.push(nowMs);
    else await this.#parts.records.settle(ids, 'off', null);
  }

  /** Shows one on the desktop immediately. Returns whether it is shown. An error of the desktop is logged. */
  showNow(given: ShownNotification): boolean {
    try {
      return this.#show?.(given) ?? false;
    } catch (error) {
      this.#parts.log.error('the desktop could not show a notification', { error });
      return false;
    }
  }

  /** From now on nothing is planned or shown. */
  close(): void {
    this.#planAlarm.cancel();
    this.#isClosed = true;
  }
}
