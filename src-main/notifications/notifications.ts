import type { AlertNotification } from '../../src-preload/alert.ts';
import { failedRows, isBatchLive, type Batch } from '../../src-preload/batch.ts';
import { minuteMs } from '../../src-preload/durations.ts';
import { statusKind, type Job } from '../../src-preload/job.ts';
import {
  aboutAlerts,
  choiceFor,
  destinationOf,
  isUndisturbed,
  outcomeOf,
  type AppNotification,
  type GatheredNotifications,
  type NotificationDelivery,
  type NotifyChoice,
  type NotifyOutcome,
  type NotifySubject,
  wayFor,
} from '../../src-preload/notification.ts';
import type { TrackerState } from '../../src-preload/app.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { createSerialQueue, type SerialQueue } from '../async/queues.ts';
import type { History } from '../history/history.ts';
import type { NewNotification } from '../history/records.ts';
import type { Log } from '../log.ts';
import { SeenMarks } from './seen-marks.ts';
import { notAfter, type Clock } from '../time/clock.ts';
import { Alarm } from '../time/timers.ts';
import {
  batchMessage,
  stoppedBatchMessage,
  endMessage,
  lateMessage,
  groupMessage,
  messageWithoutDetails,
  testNotification,
} from '../messages/notifications.ts';
import {
  burst,
  digestDueAtMs,
  onArrival,
  planNotifications,
  tookMs,
  type ShownWay,
  type Showing,
  type Waiting,
} from './plan-notifications.ts';
import {
  aboutRefusal,
  refusalNews,
  subjectOfRefusal,
  refusalMessage,
  type NotifiedRefusals,
  type RefusalNames,
} from './refusals.ts';
import { actionsFor, type ShownNotification, type ShowOnDesktop } from './shown-notification.ts';

/** Ends of jobs within this time are planned together. */
const gatherMs = 400;
/** An end is saved as a notification well within this time, unless Jobdeck crashes. */
const writtenWithinMs = 5_000;
/** Refused operations within this time share a notification, or turn out to be one refused key. */
const gatherRefusalsMs = 2_000;

export interface NotificationsParts {
  history: Pick<
    History,
    | 'addNotification'
    | 'settleNotifications'
    | 'waitingNotifications'
    | 'unsaidEnds'
    | 'batchesById'
    | 'unseenNotifications'
    | 'markNotificationsSeen'
    | 'markNotificationsUnseen'
    | 'notification'
    | 'job'
    | 'mutedFailures'
  >;
  clock: Clock;
  settings: () => Pick<
    Settings,
    | 'notify'
    | 'doNotDisturb'
    | 'quietHours'
    | 'areLoudAlertsLetThrough'
    | 'digest'
    | 'hasNotificationDetails'
    | 'notificationsKeptDays'
  >;
  names: RefusalNames;
  trackerState: () => TrackerState;
  /** The list, or the number of unseen ones, changed. */
  onChange: (unseen: number) => void;
  log: Log;
}

type SavedNotification = Pick<AppNotification, 'id' | 'kind' | 'atMs' | 'title' | 'body' | 'statusKind'> &
  Parameters<typeof destinationOf>[0];

/**
 * All notifications of Jobdeck: ends of jobs and batches, alerts, refusals. Each is saved before it is shown, once for
 * its subject, and stays in the notification centre.
 */
export class Notifications {
  readonly seen: SeenMarks;
  readonly #parts: NotificationsParts;
  readonly #queue: SerialQueue;
  readonly #endsAlarm: Alarm;
  readonly #refusalsAlarm: Alarm;
  readonly #planAlarm: Alarm;
  readonly #startedAtMs: number;
  readonly #waiting = new Map<number, SavedNotification & Waiting>();
  /** Notifications of this run. The disk has those of all runs, but may refuse a write. */
  readonly #said = new Set<string>();
  #arrived: { given: NewNotification; way: ShownWay }[] = [];
  #shownAtMs: number[] = [];
  #refusals: NotifiedRefusals = new Map();
  #show: ShowOnDesktop | null = null;
  #isWatched: (jobKey: string) => boolean = () => false;
  #isClosed = false;

  constructor(parts: NotificationsParts) {
    const { clock, log } = parts;
    this.#parts = parts;
    this.#startedAtMs = clock.now();
    this.#queue = createSerialQueue((error) => log.error('notifications could not be brought up to date', { error }));
    this.seen = new SeenMarks(parts, {
      run: (work) => this.#queue.run(work),
      later: (work) => this.#later(work),
      onChanged: () => this.#changed(),
    });
    this.#endsAlarm = new Alarm(clock, () => this.#keepArrived());
    this.#refusalsAlarm = new Alarm(clock, () => this.#sayRefusals());
    this.#planAlarm = new Alarm(clock, () => this.#later(() => this.#plan()));
  }

  /** The names that the user chose. */
  get names(): RefusalNames {
    return this.#parts.names;
  }

  /** Resumes notifications that an earlier run held back or was about to show. Shown ones were saved as such before. */
  start(): Promise<void> {
    return this.#queue.run(async () => {
      const nowMs = this.#parts.clock.now();
      for (const one of await this.#parts.history.waitingNotifications()) {
        const { id, delivery } = one;
        if (delivery !== 'due' && delivery !== 'held' && delivery !== 'gathered') continue;
        const way = delivery === 'gathered' ? 'digest' : 'notify';
        this.#waiting.set(id, { ...one, atMs: notAfter(one.atMs, nowMs), delivery, way });
      }
      await this.#notifyMissedEnds();
    });
  }

  /** Ends that an earlier run saved without their notification. */
  async #notifyMissedEnds(): Promise<void> {
    const { history } = this.#parts;
    const jobs = await history.unsaidEnds(writtenWithinMs);
    for (const job of jobs) this.jobEnded(job);
    const batchIds = new Set(jobs.flatMap(({ batchId }) => batchId ?? []));
    for (const batch of await history.batchesById([...batchIds])) if (!isBatchLive(batch)) this.batchEnded(batch);
  }

  /** Sets the function that shows notifications. They wait until it is set. */
  showWith(show: ShowOnDesktop): void {
    this.#show = show;
    this.#later(() => this.#plan());
  }

  /** Sets the function that says whether the user has a job open right now. Its end is then listed but not shown. */
  leaveOut(isWatched: (jobKey: string) => boolean): void {
    this.#isWatched = isWatched;
  }

  /** A job ended and its result is on disk. Rows of a batch are left to `batchEnded`. */
  jobEnded(job: Job): void {
    if (job.batchId !== null) return;
    const { connectionId, endpointId, tags, key, attempt } = job;
    const endKind = statusKind(job);
    this.#arrives(
      { connectionId, endpointId, tags, outcome: outcomeOf(job), tookMs: tookMs(job, this.#parts.clock.now()) },
      {
        about: `job/${key}/${attempt}/${endKind}`,
        kind: 'job',
        statusKind: endKind,
        ...endMessage(job, this.#parts.names.endpointLabel(job)),
        endpointId,
        jobKey: key,
        batchId: null,
      },
    );
  }

  /** A batch ended. There is no notification if the user cancelled it before any of it was sent. */
  batchEnded(batch: Batch): void {
    const { id, connectionId, endpointId, counts, total, createdAtMs } = batch;
    if (counts.cancelled >= total) return;
    const hasFailed = failedRows(batch) > 0;
    const tookMs = this.#parts.clock.now() - createdAtMs;
    this.#arrives(
      { connectionId, endpointId, tags: [], outcome: hasFailed ? 'failed' : 'completed', tookMs },
      {
        about: `batch/${id}`,
        kind: 'batch',
        statusKind: hasFailed ? 'fail' : 'done',
        ...batchMessage(batch),
        endpointId,
        jobKey: null,
        batchId: id,
      },
    );
  }

  /** A batch was stopped by its failures. That may happen again each time it is resumed. */
  batchStopped(batch: Batch): void {
    const { id, connectionId, endpointId } = batch;
    this.#arrives(
      { connectionId, endpointId, tags: [], outcome: 'failed' },
      {
        about: `batch/${id}/stopped/${failedRows(batch)}`,
        kind: 'batch',
        statusKind: 'fail',
        ...stoppedBatchMessage(batch),
        endpointId,
        jobKey: null,
        batchId: id,
      },
    );
  }

  /** The tracker's state changed: something may be refused, or accepted again. */
  refusalsChanged(): void {
    if (!this.#isClosed) this.#refusalsAlarm.setAtLatest(this.#parts.clock.now() + gatherRefusalsMs);
  }

  /** Settings changed, so waiting notifications are planned again. */
  settingsChanged(): void {
    this.#later(() => this.#plan());
  }

  /** What the user's rules say of an endpoint's alerts. */
  choiceForAlerts(connectionId: string, endpointId: string): NotifyChoice {
    return choiceFor(this.#parts.settings().notify, { connectionId, endpointId, tags: [] }, 'alerts');
  }

  /** What waits for the next digest, and when that comes; null where nothing waits. */
  gathered(): GatheredNotifications {
    const waiting = [...this.#waiting.values()].filter(({ delivery }) => delivery === 'gathered');
    return { count: waiting.length, dueAtMs: digestDueAtMs(waiting, this.#digestMs()) };
  }

  #digestMs(): number {
    return this.#parts.settings().digest.everyMinutes * minuteMs;
  }

  /** Lists and shows a notification of alerts, which is due already. Returns how it was delivered. */
  async alertsFired(
    { connectionId, endpointId, title, body }: AlertNotification,
    alertIds: readonly string[],
  ): Promise<'shown' | 'undisturbed' | 'off'> {
    const { clock, settings, names } = this.#parts;
    const nowMs = clock.now();
    const { doNotDisturb, hasNotificationDetails } = settings();
    const isQuiet = isUndisturbed(doNotDisturb, nowMs);
    const given: NewNotification = {
      about: aboutAlerts(alertIds),
      kind: 'alert',
      statusKind: null,
      title,
      body,
      atMs: nowMs,
      connectionId,
      endpointId,
      jobKey: null,
      batchId: null,
      delivery: isQuiet ? 'undisturbed' : 'shown',
      deliveredAtMs: isQuiet ? null : nowMs,
    };
    const id = await this.#queue.run(() => this.#keep(given));
    if (id === null || isQuiet) return isQuiet ? 'undisturbed' : 'shown';
    const hasSound = this.choiceForAlerts(connectionId, endpointId) === 'with-sound';
    const destination = destinationOf({ ...given, connectionId, endpointId });
    const message = hasNotificationDetails ? { title, body } : messageWithoutDetails([given], names);
    if (this.#onDesktop({ id, ...message, hasSound, destination, actions: [] })) return 'shown';
    this.#later(() => this.#settle([id], 'off', null));
    return 'off';
  }

  /** Shows a test notification. Returns false if the desktop shows none. */
  test(): boolean {
    return this.#onDesktop({
      id: 0,
      ...testNotification,
      hasSound: true,
      destination: { kind: 'home' },
      actions: [],
    });
  }

  /** Resolves when everything so far is on disk and planned. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  /** Cancels what waits, and finishes what is being saved. What is due is shown after the next start. */
  async close(): Promise<void> {
    this.#refusalsAlarm.cancel();
    this.#planAlarm.cancel();
    this.#endsAlarm.cancel();
    this.#keepArrived();
    this.#isClosed = true;
    await this.#queue.idle();
  }

  #later(work: () => Promise<void>): void {
    if (!this.#isClosed) this.#queue.run(work).catch(() => undefined);
  }

  #arrives(
    { outcome, tookMs = Infinity, ...subject }: NotifySubject & { outcome: NotifyOutcome; tookMs?: number },
    given: Omit<NewNotification, 'atMs' | 'connectionId' | 'delivery' | 'deliveredAtMs'>,
  ): void {
    const { clock, settings } = this.#parts;
    if (this.#isClosed || this.#said.has(given.about)) return;
    const isWatched = given.jobKey !== null && this.#isWatched(given.jobKey);
    const arrival = onArrival(wayFor(choiceFor(settings().notify, subject, outcome), tookMs), isWatched);
    if (arrival === null) return;
    this.#said.add(given.about);
    const nowMs = clock.now();
    const { connectionId } = subject;
    const { delivery, way } = arrival;
    this.#arrived.push({ given: { ...given, connectionId, atMs: nowMs, delivery, deliveredAtMs: null }, way });
    this.#endsAlarm.setAtLatest(nowMs + gatherMs);
  }

  /** Saves the new notifications, then plans them. */
  #keepArrived(): void {
    const came = this.#arrived;
    this.#arrived = [];
    if (came.length === 0) return;
    this.#later(async () => {
      const muted = await this.#mutedAmong(came.map(({ given }) => given));
      for (const { given, way } of came) {
        const isMuted = muted.has(given.jobKey);
        const id = await this.#keep(isMuted ? { ...given, delivery: 'muted' } : given);
        if (id !== null && !isMuted && given.delivery === 'due')
          this.#waiting.set(id, { ...given, id, delivery: 'due', way });
      }
      await this.#plan();
    });
  }

  /** The keys of the jobs whose failure has a muted cause. These are counted and listed, but never shown. */
  async #mutedAmong(
    of: readonly Pick<SavedNotification, 'jobKey' | 'statusKind'>[],
  ): Promise<ReadonlySet<string | null>> {
    const keys = of.flatMap(({ jobKey, statusKind }) =>
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

  /** Null if it was shown before. If the disk refuses it, it is shown anyway, under a number of its own. */
  async #keep(given: NewNotification): Promise<number | null> {
    try {
      return await this.#parts.history.addNotification(given, this.#parts.settings().notificationsKeptDays);
    } catch (error) {
      this.#parts.log.error('a notification could not be kept', { error });
      this.#unkept -= 1;
      return this.#unkept;
    }
  }
  #unkept = 0;

  #sayRefusals(): void {
    const { trackerState, clock, names } = this.#parts;
    const news = refusalNews(this.#refusals, trackerState(), clock.now(), this.#startedAtMs);
    this.#refusals = news.notified;
    for (const refusal of news.show)
      this.#arrives(
        { ...subjectOfRefusal(refusal), tags: [], outcome: 'alerts' },
        {
          about: aboutRefusal(refusal),
          kind: 'refusal',
          statusKind: null,
          ...refusalMessage(refusal, names),
          endpointId: subjectOfRefusal(refusal).endpointId,
          jobKey: null,
          batchId: null,
        },
      );
  }

  async #plan(): Promise<void> {
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
      await this.#settle([id], delivery, null);
      this.#wait(id, delivery);
    }
    for (const showing of plan.show) await this.#showOne(await this.#withoutMuted(showing), nowMs);
    this.#planAlarm.set(plan.wakeAtMs ?? Infinity);
    await this.#changed();
  }

  /** A notification that waited may have been muted in the meantime. */
  async #withoutMuted(showing: Showing): Promise<Showing> {
    if (showing.delivery !== 'after-quiet-hours' && showing.delivery !== 'in-digest') return showing;
    const of = showing.ids.flatMap((id) => this.#waiting.get(id) ?? []);
    const muted = await this.#mutedAmong(of);
    const mutedIds = of.filter(({ jobKey }) => muted.has(jobKey)).map(({ id }) => id);
    for (const id of mutedIds) {
      await this.#settle([id], 'muted', null);
      this.#waiting.delete(id);
    }
    return { ...showing, ids: showing.ids.filter((id) => !mutedIds.includes(id)) };
  }

  #wait(id: number, delivery: NotificationDelivery): void {
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
    await this.#settle(ids, delivery, nowMs);
    const job = of.length === 1 && first.jobKey !== null ? await this.#jobOf(first.jobKey) : null;
    const message = of.length > 1 ? groupMessage(of, delivery) : lateMessage(first, delivery);
    const { settings, names } = this.#parts;
    const plain = settings().hasNotificationDetails ? message : messageWithoutDetails(of, names);
    const isShown = this.#onDesktop({
      id: first.id,
      ...plain,
      hasSound,
      destination: of.length > 1 ? { kind: 'notifications' } : destinationOf(first),
      actions: job === null ? [] : actionsFor(job),
    });
    if (isShown) this.#shownAtMs.push(nowMs);
    else await this.#settle(ids, 'off', null);
  }

  /** If the desktop refuses one, the others are still shown. */
  #onDesktop(given: ShownNotification): boolean {
    try {
      return this.#show?.(given) ?? false;
    } catch (error) {
      this.#parts.log.error('the desktop could not show a notification', { error });
      return false;
    }
  }

  async #jobOf(key: string): Promise<Job | null> {
    return this.#parts.history.job(key).catch(() => null);
  }

  async #settle(ids: readonly number[], delivery: NotificationDelivery, deliveredAtMs: number | null): Promise<void> {
    const togetherId = ids.length > 1 ? (ids[0] ?? null) : null;
    const kept = ids.filter((id) => id > 0);
    if (kept.length === 0) return;
    await this.#parts.history
      .settleNotifications(kept.map((id) => ({ id, delivery, deliveredAtMs, togetherId })))
      .catch((error: unknown) => this.#parts.log.error('a notification could not be kept', { error }));
  }

  async #changed(): Promise<void> {
    this.#parts.onChange(await this.#parts.history.unseenNotifications());
  }
}
