import type { AlertOverview, AlertRecord, AlertRule, AlertRuleDraft } from '../../src-preload/alert.ts';
import type { Connection } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Health, HealthPoint } from '../../src-preload/health.ts';
import type { RunTimes } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { errorText } from '../async/error-text.ts';
import { openCollection } from '../history/collection.ts';
import type { Documents } from '../history/collection.ts';
import type { AlertsAtStart } from '../history/records.ts';
import type { Log } from '../log.ts';
import { addKeptReadings, addLongRun, addReading, noteEnd, noteJob, readingOf, readingOfPoint } from './facts.ts';
import { createJudge } from './judge.ts';
import type { Judge, Judged } from './judge.ts';
import { defaultRules, ruleKind, withDraft, withRestored, withSwitch, withoutRule } from './rules.ts';
import { createTeller } from './teller.ts';
import type { TellerParts } from './teller.ts';

/**
 * Alert rules, how they stand, and the telling of what fires. Facts are pushed; nothing is ever asked of the service
 * for an alert.
 */
export interface Alerts {
  /**
   * Takes up what a former run left; kept readings and live jobs come after it resolved. Until then facts are let pass.
   */
  start(connections: readonly Connection[]): Promise<void>;
  connectionsChanged(connections: readonly Connection[]): void;
  /** A health was read and kept. */
  healthRead(health: Health): void;
  /** Jobs as they now stand. */
  jobsChanged(jobs: readonly Job[]): void;
  /** A job ended; told once for each attempt. */
  jobEnded(job: Job): void;
  /** Settings or mutes are others than before: what waits to be told may be told otherwise. */
  tellingChanged(): void;
  overview(connectionId: string): Promise<Result<AlertOverview>>;
  saveRule(draft: AlertRuleDraft): Promise<Result<AlertOverview>>;
  removeRule(connectionId: string, ruleId: string): Promise<Result<AlertOverview>>;
  /** Takes a removal back. Refuses a rule of another connection, or of an endpoint that is gone. */
  restoreRule(connectionId: string, rule: AlertRule, place: number): Promise<Result<AlertOverview>>;
  setOn(connectionId: string, ruleId: string, endpointId: string | null, isOn: boolean): Promise<Result<AlertOverview>>;
  /** Resolves when all that was found so far is on disk and told. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface AlertsParts extends Omit<TellerParts, 'history' | 'now' | 'onTrouble'> {
  history: Documents & {
    putAlert(alert: AlertRecord): Promise<void>;
    alertsAtStart(): Promise<AlertsAtStart>;
    runTimes(connectionId: string): Promise<RunTimes[]>;
  };
  /** As last told or newer. */
  liveJobs: () => readonly Job[];
  /** Kept points of a connection's endpoints since then, oldest first. */
  pointsSince: (
    connectionId: string,
    sinceMs: number,
  ) => Promise<{ endpointId: string; points: readonly HealthPoint[] }[]>;
  clock: { now(): number; after(delayMs: number, run: () => void): { cancel(): void } };
  newId: () => string;
  /** Told after it is on disk. */
  onChange: (overview: AlertOverview) => void;
  log: Log;
}

/** A run is compared only with a p95 of at least so many. */
const fewestRuns = 20;
const runTimesStandMs = 30_000;
/** Kept readings taken up at the start. */
const resumedMs = 3_600_000;

export function createAlerts(parts: AlertsParts): Alerts {
  const { history, clock, log } = parts;
  const keptRules = openCollection(history, ruleKind);
  let judge: Judge | null = null;
  let known: readonly Connection[] = [];
  const teller = createTeller({
    history,
    now: clock.now,
    settings: parts.settings,
    mutedUntilMs: parts.mutedUntilMs,
    endpointName: parts.endpointName,
    show: parts.show,
    onTrouble: (error) => log.error('an alert could not be kept', { error }),
  });
  const runTimes = new Map<string, { readAtMs: number; times: Promise<RunTimes[]> }>();
  let tellAtMs: number | null = null;
  let timer: { atMs: number; cancel(): void } | null = null;
  let isClosed = false;
  /** Endpoints with facts that were not judged yet. */
  const unjudged = new Map<string, { connectionId: string; endpointId: string }>();
  /** One after the other, so that windows hear of changes in their order. */
  let work: Promise<unknown> = Promise.resolve();

  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = work.then(run);
    work = turn.catch((error: unknown) => log.error('alerts could not be brought up to date', { error }));
    return turn;
  }
  function later(run: () => Promise<void>): void {
    if (!isClosed) inTurn(run).catch(() => undefined);
  }

  function overviewOf(connectionId: string): AlertOverview {
    return {
      connectionId,
      rules: [...(judge?.rulesOf(connectionId) ?? [])],
      standings: judge?.standings(connectionId) ?? [],
    };
  }

  function wakeLater(): void {
    const atMs = Math.min(judge?.wakeAtMs() ?? Infinity, tellAtMs ?? Infinity);
    if (timer?.atMs === atMs) return;
    timer?.cancel();
    timer = null;
    if (atMs === Infinity || isClosed) return;
    timer = {
      atMs,
      ...clock.after(Math.max(0, atMs - clock.now()), () => {
        timer = null;
        for (const [connectionId, judged] of judge?.judgeDue(clock.now()) ?? []) take(connectionId, judged);
        if (tellAtMs !== null && tellAtMs <= clock.now()) later(tell);
        wakeLater();
      }),
    };
  }

  /** Keeps what judging brought, tells windows, then the user. */
  function take(connectionId: string, judged: Judged): void {
    teller.note(judged.records);
    if (judged.records.length === 0 && !judged.isChanged) return;
    later(async () => {
      await teller.keep();
      await tell();
      parts.onChange(overviewOf(connectionId));
    });
  }

  async function tell(): Promise<void> {
    tellAtMs = await teller.tell();
    wakeLater();
  }

  function judgeNow(connectionId: string, endpointId: string): void {
    if (judge === null || isClosed) return;
    take(connectionId, judge.judge(connectionId, endpointId, clock.now()));
    wakeLater();
  }

  /** Judges when all that is told in this moment is known: jobs end by the hundred in one commit. */
  function judgeSoon({ connectionId, endpointId }: { connectionId: string; endpointId: string }): void {
    unjudged.set(`${connectionId}\n${endpointId}`, { connectionId, endpointId });
    if (unjudged.size === 1) queueMicrotask(judgeUnjudged);
  }

  function judgeUnjudged(): void {
    const endpoints = [...unjudged.values()];
    unjudged.clear();
    for (const { connectionId, endpointId } of endpoints) judgeNow(connectionId, endpointId);
  }

  /** Whether what a rule watches is one of its connection's endpoints; a rule for all (null) always is. */
  function isThere({ connectionId, endpointId }: Pick<AlertRule, 'connectionId' | 'endpointId'>): boolean {
    return (
      endpointId === null ||
      known.some(({ id, endpoints }) => id === connectionId && endpoints.some((one) => one.id === endpointId))
    );
  }

  async function rulesOf(connectionId: string): Promise<AlertRule[]> {
    const kept = await keptRules.find(connectionId);
    if (kept !== null && kept.value === null)
      log.warn('The alert rules of a connection cannot be read; the defaults stand in', { connectionId });
    return kept?.value ?? defaultRules(connectionId);
  }

  /** Watches the endpoints a connection has now, by its rules. Kept readings of those that are new are taken up. */
  async function watch(connection: Connection): Promise<void> {
    if (judge === null) return;
    const rules = judge.rulesOf(connection.id) ?? (await rulesOf(connection.id));
    const endpointIds = connection.endpoints.map(({ id }) => id);
    const fresh = new Set(endpointIds.filter((id) => judge?.factsOf(connection.id, id) === null));
    take(connection.id, judge.watch(connection.id, endpointIds, rules, clock.now()));
    wakeLater();
    if (fresh.size > 0) later(() => takeKept(connection.id, fresh));
  }

  /** Takes up what was read before. */
  async function takeKept(connectionId: string, endpointIds: ReadonlySet<string>): Promise<void> {
    for (const { endpointId, points } of await parts.pointsSince(connectionId, clock.now() - resumedMs)) {
      const facts = endpointIds.has(endpointId) ? (judge?.factsOf(connectionId, endpointId) ?? null) : null;
      if (facts === null || points.length === 0) continue;
      addKeptReadings(facts, points.map(readingOfPoint));
      judgeNow(connectionId, endpointId);
    }
  }

  function jobsChanged(jobs: readonly Job[]): void {
    for (const job of jobs) {
      const facts = judge?.factsOf(job.connectionId, job.endpointId) ?? null;
      if (facts === null) continue;
      noteJob(facts, job);
      judgeSoon(job);
    }
  }

  async function takeConnections(connections: readonly Connection[]): Promise<void> {
    const before = known;
    known = connections;
    for (const { id } of before) {
      if (connections.some((one) => one.id === id) || judge === null) continue;
      take(id, judge.forget(id, clock.now()));
      await keptRules
        .remove(id)
        .catch((error: unknown) =>
          log.error('the alert rules of a removed connection could not be forgotten', { error }),
        );
    }
    for (const connection of connections) {
      const former = before.find(({ id }) => id === connection.id);
      const isSame =
        former !== undefined &&
        former.endpoints.map(({ id }) => id).join('\n') === connection.endpoints.map(({ id }) => id).join('\n');
      if (!isSame) await watch(connection);
    }
  }

  /** Changes a connection's rules: on disk first. */
  function change(
    connectionId: string,
    next: (rules: readonly AlertRule[]) => Result<AlertRule[]>,
  ): Promise<Result<AlertOverview>> {
    return inTurn(async () => {
      const connection = known.find(({ id }) => id === connectionId);
      if (connection === undefined || judge === null) return failed(noSuchConnection);
      const rules = next(judge.rulesOf(connectionId) ?? (await rulesOf(connectionId)));
      if (!rules.ok) return rules;
      try {
        await keptRules.put(connectionId, rules.value);
      } catch (error) {
        return failed({
          kind: 'storage',
          message: 'The alert rules could not be saved. Check that the disk is not full, then try again.',
          detail: errorText(error),
        });
      }
      take(
        connectionId,
        judge.watch(
          connectionId,
          connection.endpoints.map(({ id }) => id),
          rules.value,
          clock.now(),
        ),
      );
      wakeLater();
      return ok(overviewOf(connectionId));
    });
  }

  /** The p95 of an endpoint's runs; null while too few are known. */
  async function p95Ms(connectionId: string, endpointId: string): Promise<number | null> {
    const nowMs = clock.now();
    let learned = runTimes.get(connectionId);
    if (learned === undefined || Math.abs(nowMs - learned.readAtMs) > runTimesStandMs)
      runTimes.set(connectionId, (learned = { readAtMs: nowMs, times: history.runTimes(connectionId) }));
    const times = (await learned.times).find((one) => one.endpointId === endpointId);
    return times === undefined || times.count < fewestRuns ? null : times.executionP95Ms;
  }

  return {
    start: (connections) =>
      inTurn(async () => {
        const { unsettled, lastFired, lastToldAtMs } = await history.alertsAtStart();
        teller.resume(unsettled, lastToldAtMs);
        judge = createJudge({ newId: parts.newId, unsettled, lastFired });
        await takeConnections(connections);
        // Behind the kept readings, by which they are judged.
        later(async () => jobsChanged(parts.liveJobs()));
        later(tell);
      }),

    connectionsChanged: (connections) => {
      if (judge !== null) later(() => takeConnections(connections));
    },

    healthRead(health) {
      const facts = judge?.factsOf(health.connectionId, health.endpointId) ?? null;
      if (facts === null) return;
      addReading(facts, readingOf(health));
      judgeNow(health.connectionId, health.endpointId);
    },

    jobsChanged,

    jobEnded(job) {
      const { connectionId, endpointId, executionTimeMs } = job;
      const facts = judge?.factsOf(connectionId, endpointId) ?? null;
      if (facts === null) return;
      noteEnd(facts, job, clock.now());
      judgeSoon(job);
      if (
        executionTimeMs === null ||
        judge?.rulesOf(connectionId)?.some(({ condition }) => condition.kind === 'slow-runs') !== true
      )
        return;
      later(async () => {
        const p95 = await p95Ms(connectionId, endpointId);
        if (p95 === null || executionTimeMs <= p95) return;
        addLongRun(facts, { atMs: clock.now(), executionMs: executionTimeMs, p95Ms: p95 });
        judgeNow(connectionId, endpointId);
      });
    },

    tellingChanged: () => {
      if (judge !== null) later(tell);
    },

    overview: (connectionId) =>
      inTurn(async () =>
        known.some(({ id }) => id === connectionId) ? ok(overviewOf(connectionId)) : failed(noSuchConnection),
      ),
    saveRule: (draft) =>
      change(draft.connectionId, (rules) =>
        isThere(draft) ? withDraft(rules, draft, parts.newId) : failed(noSuchEndpoint),
      ),
    removeRule: (connectionId, ruleId) => change(connectionId, (rules) => withoutRule(rules, ruleId)),
    restoreRule: (connectionId, rule, place) =>
      change(connectionId, (rules) =>
        rule.connectionId === connectionId && isThere(rule) ? withRestored(rules, rule, place) : failed(noSuchEndpoint),
      ),
    setOn: (connectionId, ruleId, endpointId, isOn) =>
      change(connectionId, (rules) => withSwitch(rules, ruleId, endpointId, isOn)),

    async idle() {
      for (let before: unknown = null; before !== work;) await (before = work);
    },
    async close() {
      if (isClosed) return;
      judgeUnjudged();
      isClosed = true;
      timer?.cancel();
      timer = null;
      await work;
      await teller.keep();
      // Until when it was seen: a later start knows then how long nobody looked.
      await teller.keepSeen(judge?.firing() ?? []);
    },
  };
}

const noSuchEndpoint = {
  kind: 'refused',
  field: 'endpointId',
  message: 'This endpoint is not one of the connection any more.',
} as const;
const noSuchConnection = { kind: 'absent', message: 'This connection is not there any more.' } as const;
