import { hourMs } from '../../src-preload/durations.ts';
import {
  isAlertOn,
  type AlertOverview,
  type AlertRecord,
  type AlertRule,
  type AlertRuleDraft,
} from '../../src-preload/alert.ts';
import type { Connection } from '../../src-preload/connection.ts';
import { endpointKey, isSameEndpoint, type EndpointRef } from '../../src-preload/endpoint-key.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { Health } from '../../src-preload/health.ts';
import type { RunTimes } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { createSerialQueue, type SerialQueue, createSharedReads, type SharedReads } from '../async/queues.ts';
import { unpackSeries } from '../history/health/points.ts';
import type { Documents } from '../history/collection.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import { Alarm } from '../time/timers.ts';
import type { Clock } from '../time/clock.ts';
import {
  addSavedReadings,
  addLongRun,
  addReading,
  noteEnd,
  noteJob,
  alertReadingOf,
  alertReadingOfPoint,
} from './endpoint-facts.ts';
import { AlertNotifier, type AlertNotifierParts, type ShowAlerts } from './notifier.ts';
import { createRuleDocuments, type RuleDocuments, withDraft, withRestored, withSwitch, withoutRule } from './rules.ts';
import { RuleEvaluator, type Evaluation } from './rule-evaluator.ts';
import { alertRuleText } from '../messages/alerts.ts';

export interface AlertsParts extends Pick<
  AlertNotifierParts,
  'settings' | 'choiceFor' | 'mutedUntilMs' | 'endpointName'
> {
  history: Documents & Pick<History, 'putAlert' | 'alertsAtStart' | 'runTimes' | 'healthSeries'>;
  /** The current live jobs. */
  liveJobs: () => readonly Job[];
  clock: Clock;
  /** Ids must ascend in time, because the history pages by them. */
  newId: () => string;
  /** Called when the change is on disk. */
  onChange: (overview: AlertOverview) => void;
  log: Log;
}

/** A run is compared with the p95 only if that comes from at least this many runs. */
const minRuns = 20;
/** Run times are read again after this time. */
const runTimesFreshForMs = 30_000;
/** Rules, and the user's choices about notifications, are read again after this time if they could not be read. */
const againAfterMs = 30_000;
/** How far back the saved readings go that are read at the start. */
const resumedMs = hourMs;

/**
 * Alert rules, their states, and the notifications of what fires. Facts are passed in; no request to the service is
 * made for an alert.
 */
export class Alerts {
  readonly #parts: AlertsParts;
  readonly #notifier: AlertNotifier;
  readonly #rules: RuleDocuments;
  readonly #runTimes: SharedReads<RunTimes[]>;
  readonly #alarm: Alarm;
  /** One task at a time, so that windows get changes in order. */
  readonly #queue: SerialQueue;
  /** Endpoints with facts that were not evaluated yet. */
  readonly #unevaluated = new Map<string, EndpointRef>();
  /** Null until the start. */
  #evaluator: RuleEvaluator | null = null;
  #connections: readonly Connection[] = [];
  /** Connections whose rules could not be read, so that they have no alerts yet. */
  readonly #unread = new Set<string>();
  /** When their rules are read again. */
  #readAtMs = Infinity;
  /** When notifications are to be planned again even if nothing fires. */
  #notifyAtMs = Infinity;
  #isClosed = false;

  constructor(parts: AlertsParts) {
    const { clock, history, log } = parts;
    this.#parts = parts;
    this.#notifier = new AlertNotifier({
      history,
      now: clock.now,
      settings: parts.settings,
      choiceFor: parts.choiceFor,
      mutedUntilMs: parts.mutedUntilMs,
      endpointName: parts.endpointName,
      onTrouble: (error) => log.error('an alert could not be saved', { error }),
    });
    this.#rules = createRuleDocuments(history, log);
    this.#runTimes = createSharedReads({ now: clock.now, freshForMs: runTimesFreshForMs, read: history.runTimes });
    this.#alarm = new Alarm(clock, () => this.#wake());
    this.#queue = createSerialQueue((error) => log.error('alerts could not be brought up to date', { error }));
  }

  /**
   * Resumes the alerts of the last run. Kept readings and live jobs are read after it resolves. Facts before that are
   * ignored.
   */
  start(connections: readonly Connection[]): Promise<void> {
    const { history, newId, liveJobs } = this.#parts;
    return this.#queue.run(async () => {
      const { unsettled, lastFired, lastDeliveredAtMs } = await history.alertsAtStart();
      this.#notifier.resume(unsettled, lastDeliveredAtMs);
      this.#evaluator = new RuleEvaluator({ newId, unsettled, lastFired, nowMs: this.#parts.clock.now() });
      await this.#applyConnections(connections);
      // After the kept readings, which the evaluation needs.
      this.#later(async () => this.jobsChanged(liveJobs()));
      this.#later(() => this.#notify());
    });
  }

  /** The current connections. Rules of removed ones stop. */
  connectionsChanged(connections: readonly Connection[]): void {
    if (this.#evaluator !== null) this.#later(() => this.#applyConnections(connections));
  }

  /** A health reading was saved. */
  healthRead(health: Health): void {
    const facts = this.#factsOf(health);
    if (facts === null) return;
    addReading(facts, alertReadingOf(health));
    this.#evaluateNow(health);
  }

  /** Jobs that changed. */
  jobsChanged(jobs: readonly Job[]): void {
    for (const job of jobs) {
      const facts = this.#factsOf(job);
      if (facts === null) continue;
      noteJob(facts, job);
      this.#evaluateSoon(job);
    }
  }

  /** A job ended. Called once for each attempt. */
  jobEnded(job: Job): void {
    const facts = this.#factsOf(job);
    if (facts === null) return;
    noteEnd(facts, job, this.#parts.clock.now());
    this.#evaluateSoon(job);
    const { executionTimeMs } = job;
    const rules = this.#evaluator?.rulesOf(job.connectionId) ?? [];
    if (executionTimeMs === null || !rules.some(({ condition }) => condition.kind === 'slow-runs')) return;
    this.#later(async () => {
      const p95Ms = await this.#p95Ms(job);
      if (p95Ms === null || executionTimeMs <= p95Ms) return;
      addLongRun(facts, { atMs: this.#parts.clock.now(), executionMs: executionTimeMs, p95Ms });
      this.#evaluateNow(job);
    });
  }

  /** Settings or mutes changed, so waiting notifications are planned again. */
  notificationsChanged(): void {
    if (this.#evaluator !== null) this.#later(() => this.#notify());
  }

  /** Sets the function that shows notifications. They wait until it is set. */
  showWith(show: ShowAlerts): void {
    this.#notifier.showWith(show);
    this.notificationsChanged();
  }

  /** Alerts that fire now, with the current figures. */
  firing(): AlertRecord[] {
    const nowMs = this.#parts.clock.now();
    const current = new Map(this.#evaluator?.firingNow(nowMs).map(({ id, text }) => [id, text]));
    return this.#notifier.firing().map((alert) => ({ ...alert, text: current.get(alert.id) ?? alert.text }));
  }

  /** Whether a rule was made or switched on for this endpoint alone, or fires there. */
  hasOwnRule({ connectionId, endpointId }: EndpointRef): boolean {
    const rules = this.#evaluator?.rulesOf(connectionId) ?? [];
    return (
      rules.some((rule) => isAlertOn(rule, endpointId) && (rule.endpointId !== null || !rule.isOn)) ||
      this.firing().some((alert) => isSameEndpoint(alert, { connectionId, endpointId }))
    );
  }

  /**
   * The rules of a connection with their states. Fails with `absent` without the connection, with `storage` when rules
   * cannot be read.
   */
  overview(connectionId: string): Promise<Result<AlertOverview>> {
    return this.#queue.run(async () => {
      const connection = this.#connectionOf(connectionId);
      if (connection === undefined) return failed(noSuchConnection);
      if (this.#unread.has(connectionId)) await this.#watchOrLater(connection);
      return this.#unread.has(connectionId) ? failed(unreadRules) : ok(overviewOf(this.#evaluator, connectionId));
    });
  }

  /** Adds or changes a rule, and evaluates it. Returns the new overview. */
  saveRule(draft: AlertRuleDraft): Promise<Result<AlertOverview>> {
    return this.#changeRules(draft.connectionId, (rules) =>
      this.#hasEndpoint(draft) ? withDraft(rules, draft, this.#parts.newId) : failed(noSuchEndpoint),
    );
  }

  /** Deletes one rule. Returns the new overview. */
  removeRule(connectionId: string, ruleId: string): Promise<Result<AlertOverview>> {
    return this.#changeRules(connectionId, (rules) => withoutRule(rules, ruleId));
  }

  /** Restores a deleted rule. Refuses a rule of another connection, or of an endpoint that is gone. */
  restoreRule(connectionId: string, rule: AlertRule, place: number): Promise<Result<AlertOverview>> {
    return this.#changeRules(connectionId, (rules) =>
      rule.connectionId === connectionId && this.#hasEndpoint(rule)
        ? withRestored(rules, rule, place)
        : failed(noSuchEndpoint),
    );
  }

  /** Switches a rule on or off, at one endpoint or, with null, at all. Returns the new overview. */
  setOn(
    connectionId: string,
    ruleId: string,
    endpointId: string | null,
    isOn: boolean,
  ): Promise<Result<AlertOverview>> {
    return this.#changeRules(connectionId, (rules) => withSwitch(rules, ruleId, endpointId, isOn));
  }

  /** Resolves when everything found so far is on disk and its notifications were shown. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Evaluates one last time and waits until it is saved. Nothing fires afterwards. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#evaluateAll();
    this.#isClosed = true;
    this.#alarm.cancel();
    await this.#queue.idle();
    await this.#notifier.save();
    // Until when alerts were seen, so that the next start knows how long they were not observed.
    await this.#notifier.saveSeen(this.#evaluator?.firing() ?? []);
  }

  #later(work: () => Promise<void>): void {
    if (!this.#isClosed) this.#queue.run(work).catch(() => undefined);
  }

  #wake(): void {
    const nowMs = this.#parts.clock.now();
    for (const [connectionId, evaluation] of this.#evaluator?.evaluateDue(nowMs) ?? [])
      this.#apply(connectionId, evaluation);
    if (this.#notifyAtMs <= nowMs) {
      this.#notifyAtMs = Infinity;
      this.#later(() => this.#notify());
    }
    if (this.#readAtMs <= nowMs) {
      this.#readAtMs = Infinity;
      this.#later(() => this.#applyConnections(this.#connections));
    }
    this.#setAlarm();
  }

  #setAlarm(): void {
    if (this.#isClosed) return;
    this.#alarm.set(Math.min(this.#evaluator?.wakeAtMs() ?? Infinity, this.#notifyAtMs, this.#readAtMs));
  }

  async #notify(): Promise<void> {
    try {
      this.#notifyAtMs = (await this.#notifier.notify()) ?? Infinity;
    } catch (error) {
      this.#parts.log.error('alerts could not be shown; it is tried again', { error });
      this.#notifyAtMs = this.#parts.clock.now() + againAfterMs;
    }
    this.#setAlarm();
  }

  /** Saves the result of an evaluation, then notifies the user, then the windows. */
  #apply(connectionId: string, { records, isChanged }: Evaluation): void {
    this.#notifier.note(records);
    this.#setAlarm();
    if (records.length === 0 && !isChanged) return;
    this.#later(async () => {
      await this.#notifier.save();
      await this.#notify();
      this.#parts.onChange(overviewOf(this.#evaluator, connectionId));
    });
  }

  #evaluateNow({ connectionId, endpointId }: EndpointRef): void {
    if (this.#evaluator === null || this.#isClosed) return;
    this.#apply(connectionId, this.#evaluator.evaluate(connectionId, endpointId, this.#parts.clock.now()));
  }

  /** Evaluates after the current tick, because jobs may end by the hundred in one commit. */
  #evaluateSoon({ connectionId, endpointId }: EndpointRef): void {
    this.#unevaluated.set(endpointKey({ connectionId, endpointId }), { connectionId, endpointId });
    if (this.#unevaluated.size === 1) queueMicrotask(() => this.#evaluateAll());
  }

  #evaluateAll(): void {
    const endpoints = [...this.#unevaluated.values()];
    this.#unevaluated.clear();
    for (const endpoint of endpoints) this.#evaluateNow(endpoint);
  }

  #factsOf({ connectionId, endpointId }: EndpointRef): ReturnType<RuleEvaluator['factsOf']> {
    return this.#evaluator?.factsOf(connectionId, endpointId) ?? null;
  }

  #connectionOf(connectionId: string): Connection | undefined {
    return this.#connections.find(({ id }) => id === connectionId);
  }

  /** Whether the rule's endpoint is one of its connection's. A rule for all (null) always is. */
  #hasEndpoint({ connectionId, endpointId }: Pick<AlertRule, 'connectionId' | 'endpointId'>): boolean {
    return (
      endpointId === null || this.#connectionOf(connectionId)?.endpoints.some(({ id }) => id === endpointId) === true
    );
  }

  async #applyConnections(connections: readonly Connection[]): Promise<void> {
    const before = this.#connections;
    this.#connections = connections;
    for (const { id } of before) {
      if (connections.some((one) => one.id === id) || this.#evaluator === null) continue;
      this.#unread.delete(id);
      this.#apply(id, this.#evaluator.forget(id, this.#parts.clock.now()));
      await this.#rules.remove(id);
    }
    for (const connection of connections) {
      const former = before.find(({ id }) => id === connection.id);
      const isSame = former !== undefined && endpointIds(former).join('\n') === endpointIds(connection).join('\n');
      if (!isSame || this.#unread.has(connection.id)) await this.#watchOrLater(connection);
    }
  }

  /** As `#watch`. A connection whose rules cannot be read now is watched when they can. */
  async #watchOrLater(connection: Connection): Promise<void> {
    try {
      await this.#watch(connection);
      this.#unread.delete(connection.id);
    } catch (error) {
      this.#parts.log.error('the alert rules of a connection cannot be read; it is tried again', { error });
      this.#unread.add(connection.id);
      this.#readAtMs = this.#parts.clock.now() + againAfterMs;
      this.#setAlarm();
    }
  }

  /** Evaluates the connection's rules at its current endpoints. The kept readings of new endpoints are read back. */
  async #watch(connection: Connection): Promise<void> {
    if (this.#evaluator === null) return;
    const { id } = connection;
    const rules = this.#evaluator.rulesOf(id) ?? (await this.#rules.read(id));
    const added = new Set(endpointIds(connection).filter((endpointId) => !this.#evaluator?.factsOf(id, endpointId)));
    this.#apply(id, this.#evaluator.watch(id, endpointIds(connection), rules, this.#parts.clock.now()));
    if (added.size > 0) this.#later(() => this.#resumeReadings(id, added));
  }

  async #resumeReadings(connectionId: string, ids: ReadonlySet<string>): Promise<void> {
    const { history, clock } = this.#parts;
    const nowMs = clock.now();
    const kept = await history.healthSeries(connectionId, null, nowMs - resumedMs);
    for (const { endpointId, points } of kept.map(unpackSeries)) {
      const facts = ids.has(endpointId) ? this.#factsOf({ connectionId, endpointId }) : null;
      // Points from a run whose clock was ahead cannot be used.
      const readings = points.map(alertReadingOfPoint).filter(({ untilMs }) => untilMs <= nowMs);
      if (facts === null || readings.length === 0) continue;
      addSavedReadings(facts, readings);
      this.#evaluateNow({ connectionId, endpointId });
    }
  }

  /** Changes a connection's rules, on disk first. Calls `onChange` with the overview, then resolves with it. */
  #changeRules(
    connectionId: string,
    next: (rules: readonly AlertRule[]) => Result<AlertRule[]>,
  ): Promise<Result<AlertOverview>> {
    return this.#queue.run(async () => {
      const connection = this.#connectionOf(connectionId);
      const evaluator = this.#evaluator;
      if (connection === undefined || evaluator === null) return failed(noSuchConnection);
      const rules = next(evaluator.rulesOf(connectionId) ?? (await this.#rules.read(connectionId)));
      if (!rules.ok) return rules;
      const kept = await this.#rules.put(connectionId, rules.value);
      if (!kept.ok) return kept;
      const nowMs = this.#parts.clock.now();
      const evaluation = evaluator.watch(connectionId, endpointIds(connection), rules.value, nowMs);
      const overview = overviewOf(evaluator, connectionId);
      this.#parts.onChange(overview);
      this.#apply(connectionId, evaluation);
      return ok(overview);
    });
  }

  /** The p95 of an endpoint's runs; null while too few are known. */
  async #p95Ms({ connectionId, endpointId }: EndpointRef): Promise<number | null> {
    const times = (await this.#runTimes.read(connectionId)).find((one) => one.endpointId === endpointId);
    return times === undefined || times.count < minRuns ? null : times.executionP95Ms;
  }
}

function overviewOf(evaluator: RuleEvaluator | null, connectionId: string): AlertOverview {
  return {
    connectionId,
    rules: [...(evaluator?.rulesOf(connectionId) ?? [])],
    ruleStates: evaluator?.ruleStates(connectionId) ?? [],
  };
}

function endpointIds({ endpoints }: Connection): string[] {
  return endpoints.map(({ id }) => id);
}

const noSuchEndpoint = {
  kind: 'refused',
  field: 'endpointId',
  message: alertRuleText.noEndpoint,
} as const;
const unreadRules = { kind: 'storage', message: alertRuleText.couldNotRead } as const;
const noSuchConnection = { kind: 'absent', message: alertRuleText.noConnection } as const;
