import type { AlertNotification } from '../../src-preload/alert.ts';
import { isBatchLive, type Batch } from '../../src-preload/batch.ts';
import type { Job } from '../../src-preload/job.ts';
import {
  aboutAlerts,
  choiceFor,
  destinationOf,
  isUndisturbed,
  type GatheredNotifications,
  type NotifyChoice,
  wayFor,
} from '../../src-preload/notification.ts';
import type { TrackerState } from '../../src-preload/app.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { createSerialQueue, type SerialQueue } from '../async/queues.ts';
import type { History } from '../history/history.ts';
import type { NewNotification } from '../history/records.ts';
import type { Log } from '../log.ts';
import { SeenMarks } from './seen-marks.ts';
import type { Clock } from '../time/clock.ts';
import { Alarm } from '../time/timers.ts';
import { messageWithoutDetails, testNotification } from '../messages/notifications.ts';
import { onArrival, type ShownWay } from './plan-notifications.ts';
import { refusalNews, type NotifiedRefusals, type RefusalNames } from './refusals.ts';
import { NotificationRecords } from './notification-records.ts';
import { endOfBatch, endOfJob, newRefusal, stopOfBatch, type OutcomeNotification } from './outcome-notifications.ts';
import type { ShowOnDesktop } from './shown-notification.ts';
import { WaitingNotifications } from './waiting-notifications.ts';

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
    | 'unreportedEnds'
    | 'batchesById'
    | 'unseenNotifications'
    | 'markNotificationsSeen'
    | 'markNotificationsUnseen'
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

/**
 * All notifications of Jobdeck: ends of jobs and batches, alerts, refusals. Each is saved before it is shown, once for
 * its subject, and stays in the notification centre.
 */
export class Notifications {
  readonly seen: SeenMarks;
  readonly #parts: NotificationsParts;
  readonly #records: NotificationRecords;
  readonly #queue: SerialQueue;
  readonly #endsAlarm: Alarm;
  readonly #refusalsAlarm: Alarm;
  readonly #startedAtMs: number;
  readonly #waiting: WaitingNotifications;
  /** Notifications of this run. The disk has those of all runs, but may refuse a write. */
  readonly #reported = new Set<string>();
  #arrived: { given: NewNotification; way: ShownWay }[] = [];
  #refusals: NotifiedRefusals = new Map();
  #isWatched: (jobKey: string) => boolean = () => false;
  #isClosed = false;

  constructor(parts: NotificationsParts) {
    const { clock, log } = parts;
    this.#parts = parts;
    this.#records = new NotificationRecords({
      history: parts.history,
      keptDays: () => parts.settings().notificationsKeptDays,
      log,
    });
    this.#startedAtMs = clock.now();
    this.#queue = createSerialQueue((error) => log.error('notifications could not be brought up to date', { error }));
    this.seen = new SeenMarks(parts, {
      run: (work) => this.#queue.run(work),
      later: (work) => this.#later(work),
      onChanged: () => this.#changed(),
    });
    this.#waiting = new WaitingNotifications({
      ...parts,
      records: this.#records,
      later: (work) => this.#later(work),
      onChanged: () => this.#changed(),
    });
    this.#endsAlarm = new Alarm(clock, () => this.#saveArrived());
    this.#refusalsAlarm = new Alarm(clock, () => this.#reportRefusals());
  }

  /** The names that the user chose. */
  get names(): RefusalNames {
    return this.#parts.names;
  }

  /** Resumes notifications that an earlier run held back or was about to show. Shown ones were saved as such before. */
  start(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#waiting.resume();
      await this.#notifyMissedEnds();
    });
  }

  /** Ends that an earlier run saved without their notification. */
  async #notifyMissedEnds(): Promise<void> {
    const { history } = this.#parts;
    const jobs = await history.unreportedEnds(writtenWithinMs);
    for (const job of jobs) this.jobEnded(job);
    const batchIds = new Set(jobs.flatMap(({ batchId }) => batchId ?? []));
    for (const batch of await history.batchesById([...batchIds])) if (!isBatchLive(batch)) this.batchEnded(batch);
  }

  /** Sets the function that shows notifications. They wait until it is set. */
  showWith(show: ShowOnDesktop): void {
    this.#waiting.showWith(show);
    this.#later(() => this.#waiting.plan());
  }

  /** Sets the function that says whether the user has a job open right now. Its end is then listed but not shown. */
  leaveOut(isWatched: (jobKey: string) => boolean): void {
    this.#isWatched = isWatched;
  }

  /** A job ended and its result is on disk. Rows of a batch are left to `batchEnded`. */
  jobEnded(job: Job): void {
    if (job.batchId === null) this.#arrives(endOfJob(job, this.#parts.names, this.#parts.clock.now()));
  }

  /** A batch ended. There is no notification if the user cancelled it before any of it was sent. */
  batchEnded(batch: Batch): void {
    const ended = endOfBatch(batch, this.#parts.clock.now());
    if (ended !== null) this.#arrives(ended);
  }

  /** A batch was stopped by its failures. That may happen again each time it is resumed. */
  batchStopped(batch: Batch): void {
    this.#arrives(stopOfBatch(batch));
  }

  /** The tracker's state changed: something may be refused, or accepted again. */
  refusalsChanged(): void {
    if (!this.#isClosed) this.#refusalsAlarm.setAtLatest(this.#parts.clock.now() + gatherRefusalsMs);
  }

  /** Settings changed, so waiting notifications are planned again. */
  settingsChanged(): void {
    this.#later(() => this.#waiting.plan());
  }

  /** What waits for the next digest, and when that comes; null where nothing waits. */
  gathered(): GatheredNotifications {
    return this.#waiting.gathered();
  }

  /** What the user's rules say of an endpoint's alerts. */
  choiceForAlerts(connectionId: string, endpointId: string): NotifyChoice {
    return choiceFor(this.#parts.settings().notify, { connectionId, endpointId, tags: [] }, 'alerts');
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
    const id = await this.#queue.run(() => this.#records.add(given));
    if (id === null || isQuiet) return isQuiet ? 'undisturbed' : 'shown';
    const hasSound = this.choiceForAlerts(connectionId, endpointId) === 'with-sound';
    const destination = destinationOf({ ...given, connectionId, endpointId });
    const message = hasNotificationDetails ? { title, body } : messageWithoutDetails([given], names);
    if (this.#waiting.showNow({ id, ...message, hasSound, destination, actions: [] })) return 'shown';
    this.#later(() => this.#records.settle([id], 'off', null));
    return 'off';
  }

  /** Shows a test notification. Returns false if the desktop shows none. */
  test(): boolean {
    return this.#waiting.showNow({
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
    this.#endsAlarm.cancel();
    this.#saveArrived();
    this.#isClosed = true;
    this.#waiting.close();
    await this.#queue.idle();
  }

  #later(work: () => Promise<void>): void {
    if (!this.#isClosed) this.#queue.run(work).catch(() => undefined);
  }

  #arrives({ subject, outcome, tookMs, content }: OutcomeNotification): void {
    const { clock, settings } = this.#parts;
    if (this.#isClosed || this.#reported.has(content.about)) return;
    const isWatched = content.jobKey !== null && this.#isWatched(content.jobKey);
    const arrival = onArrival(wayFor(choiceFor(settings().notify, subject, outcome), tookMs), isWatched);
    if (arrival === null) return;
    this.#reported.add(content.about);
    const nowMs = clock.now();
    const { connectionId } = subject;
    const { delivery, way } = arrival;
    this.#arrived.push({ given: { ...content, connectionId, atMs: nowMs, delivery, deliveredAtMs: null }, way });
    this.#endsAlarm.setAtLatest(nowMs + gatherMs);
  }

  /** Saves the new notifications, then plans them. */
  #saveArrived(): void {
    const came = this.#arrived;
    this.#arrived = [];
    if (came.length === 0) return;
    this.#later(async () => {
      const muted = await this.#records.mutedAmong(came.map(({ given }) => given));
      for (const { given, way } of came) {
        const isMuted = muted.has(given.jobKey);
        const id = await this.#records.add(isMuted ? { ...given, delivery: 'muted' } : given);
        if (id !== null && !isMuted && given.delivery === 'due')
          this.#waiting.add({ ...given, id, delivery: 'due', way });
      }
      await this.#waiting.plan();
    });
  }

  #reportRefusals(): void {
    const { trackerState, clock, names } = this.#parts;
    const news = refusalNews(this.#refusals, trackerState(), clock.now(), this.#startedAtMs);
    this.#refusals = news.notified;
    for (const refusal of news.show) this.#arrives(newRefusal(refusal, names));
  }

  async #changed(): Promise<void> {
    this.#parts.onChange(await this.#parts.history.unseenNotifications());
  }
}
