import { isAlertOn, type AlertRecord, type AlertRule, type AlertStanding } from '../../src-preload/alert.ts';
import { alertText } from './alert-messages.ts';
import { evaluate } from './evaluate.ts';
import { readingStandsMs } from '../../src-preload/alert.ts';
import { noFacts, trimFacts, type EndpointFacts } from './facts.ts';
import { notAfter } from '../time/clock.ts';
import { windowMs } from './rules.ts';
import { step, type Standing } from './standing.ts';

/** What an evaluation brought about. */
export interface Evaluation {
  /** Alerts that began or ended, to be kept. */
  records: AlertRecord[];
  /** A phase is another than before: windows are to know. */
  isChanged: boolean;
}

/** How one rule stands at one endpoint, with its alert where one is not over. */
interface RuleState {
  standing: Standing;
  record: AlertRecord | null;
  wakeAtMs: number | null;
}

interface WatchedEndpoint {
  connectionId: string;
  endpointId: string;
  facts: EndpointFacts;
  /** By rule id. */
  states: Map<string, RuleState>;
}

interface WatchedConnection {
  rules: readonly AlertRule[];
  endpoints: Map<string, WatchedEndpoint>;
}

export interface RuleEvaluatorParts {
  newId: () => string;
  /** Alerts of a former run that were not over: they continue until a fact shows that they are. */
  unsettled: readonly AlertRecord[];
  lastFired: readonly { ruleId: string; endpointId: string; firedAtMs: number }[];
  nowMs: number;
}

/** Facts further back than any rule looks are of no use; this much more is kept, for the reading before the window. */
const marginMs = 2 * readingStandsMs;

/**
 * Rules, what is known of endpoints, and how the one stands by the other. Everything is at once; nothing is kept here.
 */
export class RuleEvaluator {
  readonly #newId: () => string;
  readonly #connections = new Map<string, WatchedConnection>();
  readonly #lastFiredAtMs: Map<string, number>;
  /** Alerts of a former run, until their rule is evaluated for the first time. */
  readonly #resumed: Map<string, AlertRecord>;

  constructor({ newId, unsettled, lastFired, nowMs }: RuleEvaluatorParts) {
    this.#newId = newId;
    this.#lastFiredAtMs = new Map(
      lastFired.map((one) => [idOf(one.ruleId, one.endpointId), notAfter(one.firedAtMs, nowMs)]),
    );
    this.#resumed = new Map(
      unsettled
        .filter(({ endedAtMs }) => endedAtMs === null)
        .map((record) => [idOf(record.ruleId, record.endpointId), keptRecord(record, nowMs)]),
    );
  }

  /** The rules of a connection and the endpoints it has. Alerts of what is no longer watched end. */
  watch(connectionId: string, endpointIds: readonly string[], rules: readonly AlertRule[], nowMs: number): Evaluation {
    const former = this.#connections.get(connectionId)?.endpoints ?? new Map<string, WatchedEndpoint>();
    const endpoints = new Map(
      endpointIds.map((endpointId): [string, WatchedEndpoint] => [
        endpointId,
        former.get(endpointId) ?? { connectionId, endpointId, facts: noFacts(), states: new Map() },
      ]),
    );
    const records = [...former.values()]
      .filter(({ endpointId }) => !endpoints.has(endpointId))
      .flatMap((endpoint) => endsOf(endpoint, nowMs));
    this.#connections.set(connectionId, { rules, endpoints });
    for (const endpoint of endpoints.values()) records.push(...this.#evaluate(endpoint, rules, nowMs).records);
    // Of a former run, and of a rule or an endpoint that no longer exists.
    for (const [id, record] of this.#resumed) {
      if (record.connectionId !== connectionId) continue;
      this.#resumed.delete(id);
      records.push({ ...record, endedAtMs: nowMs, isEndExact: false });
    }
    return { records, isChanged: true };
  }

  /** The connection is gone. Alerts of it end. */
  forget(connectionId: string, nowMs: number): Evaluation {
    const endpoints = [...(this.#connections.get(connectionId)?.endpoints.values() ?? [])];
    const records = endpoints.flatMap((endpoint) => endsOf(endpoint, nowMs));
    return { records, isChanged: this.#connections.delete(connectionId) };
  }

  /** The rules of a connection; null for one that is not watched. */
  rulesOf(connectionId: string): readonly AlertRule[] | null {
    return this.#connections.get(connectionId)?.rules ?? null;
  }

  /** Of an endpoint, to be added to; null where no rule could watch it. */
  factsOf(connectionId: string, endpointId: string): EndpointFacts | null {
    return this.#connections.get(connectionId)?.endpoints.get(endpointId)?.facts ?? null;
  }

  /** Evaluates all rules of an endpoint by what is known now. */
  evaluate(connectionId: string, endpointId: string, nowMs: number): Evaluation {
    const { rules = [], endpoints } = this.#connections.get(connectionId) ?? {};
    const endpoint = endpoints?.get(endpointId);
    if (endpoint === undefined) return { records: [], isChanged: false };
    trimFacts(endpoint.facts, nowMs - Math.max(shortestKeptMs, ...rules.map(windowMs)) - marginMs);
    return this.#evaluate(endpoint, rules, nowMs);
  }

  /** Evaluates the endpoints whose standing has changed by time alone; answers by connection what came of it. */
  evaluateDue(nowMs: number): Map<string, Evaluation> {
    const evaluations = new Map<string, Evaluation>();
    for (const [connectionId, { rules, endpoints }] of this.#connections) {
      for (const endpoint of endpoints.values()) {
        const isDue = [...endpoint.states.values()].some(({ wakeAtMs }) => wakeAtMs !== null && wakeAtMs <= nowMs);
        if (!isDue) continue;
        const { records, isChanged } = this.#evaluate(endpoint, rules, nowMs);
        const before = evaluations.get(connectionId);
        evaluations.set(connectionId, {
          records: [...(before?.records ?? []), ...records],
          isChanged: isChanged || before?.isChanged === true,
        });
      }
    }
    return evaluations;
  }

  /** When a standing changes by time alone; null while only news can change anything. */
  wakeAtMs(): number | null {
    let atMs = Infinity;
    for (const { wakeAtMs } of this.#states()) atMs = Math.min(atMs, wakeAtMs ?? Infinity);
    return atMs === Infinity ? null : atMs;
  }

  /** Alerts that are not over, with when each was last seen. */
  firing(): AlertRecord[] {
    return this.#states().flatMap(({ record }) => record ?? []);
  }

  /** How every rule of a connection stands at each of its endpoints. */
  standings(connectionId: string): AlertStanding[] {
    const { rules = [], endpoints = new Map<string, WatchedEndpoint>() } = this.#connections.get(connectionId) ?? {};
    return [...endpoints.values()].flatMap(({ endpointId, states }) =>
      rules
        .filter((rule) => rule.endpointId === null || rule.endpointId === endpointId)
        .map(({ id }) => {
          const lastFiredAtMs = this.#lastFiredAtMs.get(idOf(id, endpointId)) ?? null;
          return standingOf(id, endpointId, states.get(id)?.standing ?? { phase: 'quiet' }, lastFiredAtMs);
        }),
    );
  }

  #states(): RuleState[] {
    return [...this.#connections.values()].flatMap(({ endpoints }) =>
      [...endpoints.values()].flatMap(({ states }) => [...states.values()]),
    );
  }

  #evaluate(endpoint: WatchedEndpoint, rules: readonly AlertRule[], nowMs: number): Evaluation {
    const watching = rules.filter((rule) => isAlertOn(rule, endpoint.endpointId));
    const records: AlertRecord[] = [];
    let isChanged = false;
    for (const [ruleId, { record }] of endpoint.states) {
      if (watching.some(({ id }) => id === ruleId)) continue;
      if (record !== null) records.push({ ...record, endedAtMs: nowMs, isEndExact: true });
      endpoint.states.delete(ruleId);
      isChanged = true;
    }
    for (const rule of watching) {
      const before = endpoint.states.get(rule.id) ?? this.#firstState(rule.id, endpoint.endpointId);
      const after = this.#step(rule, before, endpoint, nowMs);
      records.push(...after.records);
      isChanged ||= after.state.standing.phase !== before.standing.phase;
      endpoint.states.set(rule.id, after.state);
    }
    return { records, isChanged };
  }

  /** One rule by the facts of now: its state, and the alert that began or ended with that. */
  #step(
    rule: AlertRule,
    before: RuleState,
    { connectionId, endpointId, facts }: WatchedEndpoint,
    nowMs: number,
  ): { state: RuleState; records: AlertRecord[] } {
    const verdict = evaluate(rule.condition, facts, nowMs);
    const { standing, news, wakeAtMs } = step(before.standing, verdict, rule.condition, nowMs);
    if (news?.kind === 'fired' && standing.phase === 'firing') {
      const record: AlertRecord = {
        id: this.#newId(),
        ruleId: rule.id,
        connectionId,
        endpointId,
        kind: rule.condition.kind,
        text: alertText(rule.condition, facts, nowMs),
        sinceMs: standing.sinceMs,
        firedAtMs: nowMs,
        lastSeenAtMs: standing.lastSeenAtMs,
        endedAtMs: null,
        isEndExact: true,
        delivery: 'due',
        deliveredAtMs: null,
      };
      this.#lastFiredAtMs.set(idOf(rule.id, endpointId), nowMs);
      return { state: { standing, record, wakeAtMs }, records: [record] };
    }
    if (news?.kind === 'ended' && before.record !== null) {
      const { endedAtMs, isEndExact } = news;
      return { state: { standing, record: null, wakeAtMs }, records: [{ ...before.record, endedAtMs, isEndExact }] };
    }
    const record =
      standing.phase === 'firing' && before.record !== null
        ? { ...before.record, lastSeenAtMs: standing.lastSeenAtMs }
        : before.record;
    return { state: { standing, record, wakeAtMs }, records: [] };
  }

  /** The state of a rule at an endpoint where it was not evaluated yet. */
  #firstState(ruleId: string, endpointId: string): RuleState {
    const id = idOf(ruleId, endpointId);
    const record = this.#resumed.get(id) ?? null;
    this.#resumed.delete(id);
    if (record === null) return { standing: { phase: 'quiet' }, record, wakeAtMs: null };
    const { sinceMs, firedAtMs, lastSeenAtMs } = record;
    return {
      standing: { phase: 'firing', sinceMs, firedAtMs, lastSeenAtMs, clearSinceMs: null },
      record,
      wakeAtMs: null,
    };
  }
}

/** Ends what is still open of an endpoint that is no longer watched: its real end was not seen. */
function endsOf({ states }: WatchedEndpoint, nowMs: number): AlertRecord[] {
  return [...states.values()].flatMap(({ record }) =>
    record === null ? [] : [{ ...record, endedAtMs: nowMs, isEndExact: false }],
  );
}

/** An alert that a former run kept, none of its times ahead of now. */
function keptRecord(record: AlertRecord, nowMs: number): AlertRecord {
  return {
    ...record,
    sinceMs: notAfter(record.sinceMs, nowMs),
    firedAtMs: notAfter(record.firedAtMs, nowMs),
    lastSeenAtMs: notAfter(record.lastSeenAtMs, nowMs),
  };
}

/** Slow runs are news for five minutes whatever the rules' windows are. */
const shortestKeptMs = 600_000;

function standingOf(
  ruleId: string,
  endpointId: string,
  standing: Standing,
  lastFiredAtMs: number | null,
): AlertStanding {
  switch (standing.phase) {
    case 'quiet':
      return { ruleId, endpointId, phase: 'quiet', sinceMs: null, lastFiredAtMs };
    case 'pending':
      return { ruleId, endpointId, phase: 'pending', sinceMs: standing.sinceMs, lastFiredAtMs };
    case 'firing':
      return { ruleId, endpointId, phase: 'firing', sinceMs: standing.firedAtMs, lastFiredAtMs: standing.firedAtMs };
  }
}

function idOf(ruleId: string, endpointId: string): string {
  return `${ruleId}\n${endpointId}`;
}
