import {
  isAlertOn,
  readingValidMs,
  type AlertRecord,
  type AlertRule,
  type AlertRuleState,
} from '../../src-preload/alert.ts';
import { whatFired } from './what-fired.ts';
import { evaluate, slowRunValidMs } from './evaluate.ts';
import { noFacts, trimFacts, type EndpointFacts } from './endpoint-facts.ts';
import { notAfter } from '../time/clock.ts';
import { windowMs } from './rules.ts';
import { nextRuleState, type RuleState } from './rule-state.ts';

/** The result of an evaluation. */
export interface Evaluation {
  /** Alerts that began or ended, to be saved. */
  records: AlertRecord[];
  /** A phase changed, so windows must be informed. */
  isChanged: boolean;
}

/** A rule's state at one endpoint, with its alert unless that is over. */
interface EvaluatedRule {
  ruleState: RuleState;
  record: AlertRecord | null;
  wakeAtMs: number | null;
}

interface WatchedEndpoint {
  connectionId: string;
  endpointId: string;
  facts: EndpointFacts;
  /** By rule id. */
  states: Map<string, EvaluatedRule>;
}

interface WatchedConnection {
  rules: readonly AlertRule[];
  endpoints: Map<string, WatchedEndpoint>;
}

export interface RuleEvaluatorParts {
  newId: () => string;
  /** Alerts of an earlier run that were not over. They continue until a fact shows that they are. */
  unsettled: readonly AlertRecord[];
  lastFired: readonly { ruleId: string; endpointId: string; firedAtMs: number }[];
  nowMs: number;
}

/**
 * Facts older than any rule's window are dropped, except for this margin, because the reading before the window is
 * needed.
 */
const marginMs = 2 * readingValidMs;

/**
 * The rules, the facts about endpoints, and the state of each rule at each endpoint. It is synchronous and saves
 * nothing.
 */
export class RuleEvaluator {
  readonly #newId: () => string;
  readonly #connections = new Map<string, WatchedConnection>();
  readonly #lastFiredAtMs: Map<string, number>;
  /** Alerts of an earlier run, until their rule is first evaluated. */
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

  /** Sets a connection's rules and endpoints. Alerts of removed ones end. */
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
    // Alerts of an earlier run whose rule or endpoint no longer exists.
    for (const [id, record] of this.#resumed) {
      if (record.connectionId !== connectionId) continue;
      this.#resumed.delete(id);
      records.push({ ...record, endedAtMs: nowMs, isEndExact: false });
    }
    return { records, isChanged: true };
  }

  /** The connection was removed. Its alerts end. */
  forget(connectionId: string, nowMs: number): Evaluation {
    const endpoints = [...(this.#connections.get(connectionId)?.endpoints.values() ?? [])];
    const records = endpoints.flatMap((endpoint) => endsOf(endpoint, nowMs));
    return { records, isChanged: this.#connections.delete(connectionId) };
  }

  /** The rules of a connection, or null if it is not known here. */
  rulesOf(connectionId: string): readonly AlertRule[] | null {
    return this.#connections.get(connectionId)?.rules ?? null;
  }

  /** The facts of an endpoint, to be added to. Null if no rule applies to it. */
  factsOf(connectionId: string, endpointId: string): EndpointFacts | null {
    return this.#connections.get(connectionId)?.endpoints.get(endpointId)?.facts ?? null;
  }

  /** Evaluates all rules of an endpoint by the current facts. */
  evaluate(connectionId: string, endpointId: string, nowMs: number): Evaluation {
    const { rules = [], endpoints } = this.#connections.get(connectionId) ?? {};
    const endpoint = endpoints?.get(endpointId);
    if (endpoint === undefined) return { records: [], isChanged: false };
    trimFacts(endpoint.facts, nowMs - Math.max(minKeptMs, ...rules.map(windowMs)) - marginMs);
    return this.#evaluate(endpoint, rules, nowMs);
  }

  /** Evaluates the endpoints whose state changes with time alone. Returns the results by connection. */
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

  /** When a state next changes with time alone, or null. */
  wakeAtMs(): number | null {
    let atMs = Infinity;
    for (const { wakeAtMs } of this.#states()) atMs = Math.min(atMs, wakeAtMs ?? Infinity);
    return atMs === Infinity ? null : atMs;
  }

  /** Alerts that are not over, with when each was last seen. */
  firing(): AlertRecord[] {
    return this.#states().flatMap(({ record }) => record ?? []);
  }

  /** As `firing`, with the current figures where they are known. */
  firingNow(nowMs: number): AlertRecord[] {
    return [...this.#connections.values()].flatMap(({ rules, endpoints }) =>
      [...endpoints.values()].flatMap(({ facts, states }) =>
        [...states].flatMap(([ruleId, { record }]) => {
          if (record === null) return [];
          const condition = rules.find(({ id }) => id === ruleId)?.condition;
          const isKnown = condition !== undefined && evaluate(condition, facts, nowMs).result === 'met';
          return [isKnown ? { ...record, text: whatFired(condition, facts, nowMs) } : record];
        }),
      ),
    );
  }

  /** The state of every rule of a connection at each of its endpoints. */
  ruleStates(connectionId: string): AlertRuleState[] {
    const { rules = [], endpoints = new Map<string, WatchedEndpoint>() } = this.#connections.get(connectionId) ?? {};
    return [...endpoints.values()].flatMap(({ endpointId, states }) =>
      rules
        .filter((rule) => rule.endpointId === null || rule.endpointId === endpointId)
        .map(({ id }) => {
          const lastFiredAtMs = this.#lastFiredAtMs.get(idOf(id, endpointId)) ?? null;
          return alertRuleStateOf(id, endpointId, states.get(id)?.ruleState ?? { phase: 'quiet' }, lastFiredAtMs);
        }),
    );
  }

  #states(): EvaluatedRule[] {
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
      const after = this.#nextRuleState(rule, before, endpoint, nowMs);
      records.push(...after.records);
      isChanged ||= after.state.ruleState.phase !== before.ruleState.phase;
      endpoint.states.set(rule.id, after.state);
    }
    return { records, isChanged };
  }

  /** Evaluates one rule by the current facts: its state, and the alert that began or ended. */
  #nextRuleState(
    rule: AlertRule,
    before: EvaluatedRule,
    { connectionId, endpointId, facts }: WatchedEndpoint,
    nowMs: number,
  ): { state: EvaluatedRule; records: AlertRecord[] } {
    const verdict = evaluate(rule.condition, facts, nowMs);
    const { ruleState, news, wakeAtMs } = nextRuleState(before.ruleState, verdict, rule.condition, nowMs);
    if (news?.kind === 'fired' && ruleState.phase === 'firing') {
      const record: AlertRecord = {
        id: this.#newId(),
        ruleId: rule.id,
        connectionId,
        endpointId,
        kind: rule.condition.kind,
        text: whatFired(rule.condition, facts, nowMs),
        sinceMs: ruleState.sinceMs,
        firedAtMs: nowMs,
        lastSeenAtMs: ruleState.lastSeenAtMs,
        endedAtMs: null,
        isEndExact: true,
        delivery: 'due',
        deliveredAtMs: null,
      };
      this.#lastFiredAtMs.set(idOf(rule.id, endpointId), nowMs);
      return { state: { ruleState, record, wakeAtMs }, records: [record] };
    }
    if (news?.kind === 'ended' && before.record !== null) {
      const { endedAtMs, isEndExact } = news;
      return { state: { ruleState, record: null, wakeAtMs }, records: [{ ...before.record, endedAtMs, isEndExact }] };
    }
    const record =
      ruleState.phase === 'firing' && before.record !== null
        ? { ...before.record, lastSeenAtMs: ruleState.lastSeenAtMs }
        : before.record;
    return { state: { ruleState, record, wakeAtMs }, records: [] };
  }

  /** The state of a rule that was not evaluated at this endpoint yet. */
  #firstState(ruleId: string, endpointId: string): EvaluatedRule {
    const id = idOf(ruleId, endpointId);
    const record = this.#resumed.get(id) ?? null;
    this.#resumed.delete(id);
    if (record === null) return { ruleState: { phase: 'quiet' }, record, wakeAtMs: null };
    const { sinceMs, firedAtMs, lastSeenAtMs } = record;
    return {
      ruleState: { phase: 'firing', sinceMs, firedAtMs, lastSeenAtMs, clearSinceMs: null },
      record,
      wakeAtMs: null,
    };
  }
}

/** Ends the open alerts of an endpoint that was removed. Their real end was not seen. */
function endsOf({ states }: WatchedEndpoint, nowMs: number): AlertRecord[] {
  return [...states.values()].flatMap(({ record }) =>
    record === null ? [] : [{ ...record, endedAtMs: nowMs, isEndExact: false }],
  );
}

/** A saved alert of an earlier run, with times in the future set to now. */
function keptRecord(record: AlertRecord, nowMs: number): AlertRecord {
  return {
    ...record,
    sinceMs: notAfter(record.sinceMs, nowMs),
    firedAtMs: notAfter(record.firedAtMs, nowMs),
    lastSeenAtMs: notAfter(record.lastSeenAtMs, nowMs),
  };
}

/** A slow run counts that long, however short the windows of the rules are. Facts are dropped well after that. */
const minKeptMs = 2 * slowRunValidMs;

function alertRuleStateOf(
  ruleId: string,
  endpointId: string,
  ruleState: RuleState,
  lastFiredAtMs: number | null,
): AlertRuleState {
  switch (ruleState.phase) {
    case 'quiet':
      return { ruleId, endpointId, phase: 'quiet', sinceMs: null, lastFiredAtMs };
    case 'pending':
      return { ruleId, endpointId, phase: 'pending', sinceMs: ruleState.sinceMs, lastFiredAtMs };
    case 'firing':
      return { ruleId, endpointId, phase: 'firing', sinceMs: ruleState.firedAtMs, lastFiredAtMs: ruleState.firedAtMs };
  }
}

function idOf(ruleId: string, endpointId: string): string {
  return `${ruleId}\n${endpointId}`;
}
