import { isAlertOn } from '../../src-preload/alert.ts';
import type { AlertRecord, AlertRule, AlertStanding } from '../../src-preload/alert.ts';
import { alertText } from './alert-words.ts';
import { evaluate } from './evaluate.ts';
import { noFacts, readingStandsMs, trimFacts } from './facts.ts';
import type { EndpointFacts } from './facts.ts';
import { windowMs } from './rules.ts';
import { step } from './standing.ts';
import type { Standing } from './standing.ts';

/** What one judging brought about. */
export interface Judged {
  /** Alerts that began or ended, to be kept. */
  records: AlertRecord[];
  /** A phase is another than before: worth telling windows. */
  isChanged: boolean;
}

/**
 * Rules, what is known of endpoints, and how the one stands by the other. Everything is at once; nothing is kept here.
 */
export interface Judge {
  /** The rules of a connection and the endpoints it has. Alerts of what is not watched any more end. */
  watch(connectionId: string, endpointIds: readonly string[], rules: readonly AlertRule[], nowMs: number): Judged;
  /** The connection is gone. Alerts of it end. */
  forget(connectionId: string, nowMs: number): Judged;
  rulesOf(connectionId: string): readonly AlertRule[] | null;
  /** Of an endpoint, to be added to; null where no rule could watch it. */
  factsOf(connectionId: string, endpointId: string): EndpointFacts | null;
  /** Judges an endpoint anew. */
  judge(connectionId: string, endpointId: string, nowMs: number): Judged;
  /** Judges the endpoints whose standing changes by time alone, by now; answers the connections of those. */
  judgeDue(nowMs: number): Map<string, Judged>;
  /** When that is next; null while only news can change anything. */
  wakeAtMs(): number | null;
  standings(connectionId: string): AlertStanding[];
  /** Alerts that are not over, with when each was last seen. */
  firing(): AlertRecord[];
}

interface WatchedEndpoint {
  facts: EndpointFacts;
  /** By rule id. */
  standings: Map<string, { standing: Standing; record: AlertRecord | null; wakeAtMs: number | null }>;
}

interface WatchedConnection {
  rules: readonly AlertRule[];
  endpoints: Map<string, WatchedEndpoint>;
}

export interface JudgeParts {
  newId: () => string;
  /** Alerts of a former run that were not over: they go on until a fact shows that they are. */
  unsettled: readonly AlertRecord[];
  lastFired: readonly { ruleId: string; endpointId: string; firedAtMs: number }[];
}

/** Facts further back than any rule looks are of no use; this much more is kept, for the reading before the window. */
const marginMs = 2 * readingStandsMs;

export function createJudge({ newId, unsettled, lastFired }: JudgeParts): Judge {
  const connections = new Map<string, WatchedConnection>();
  const formerly = new Map(lastFired.map((one) => [idOf(one.ruleId, one.endpointId), one.firedAtMs]));
  const goingOn = new Map(
    unsettled
      .filter(({ endedAtMs }) => endedAtMs === null)
      .map((record) => [idOf(record.ruleId, record.endpointId), record]),
  );

  function ended(record: AlertRecord, endedAtMs: number, isEndExact: boolean): AlertRecord {
    return { ...record, endedAtMs, isEndExact };
  }

  /** The standing of a rule at an endpoint where it was not judged yet. */
  function begin(
    ruleId: string,
    endpointId: string,
  ): { standing: Standing; record: AlertRecord | null; wakeAtMs: null } {
    const id = idOf(ruleId, endpointId);
    const record = goingOn.get(id) ?? null;
    goingOn.delete(id);
    const standing: Standing =
      record === null
        ? { phase: 'quiet' }
        : {
            phase: 'firing',
            sinceMs: record.sinceMs,
            firedAtMs: record.firedAtMs,
            lastSeenAtMs: record.lastSeenAtMs,
            clearSinceMs: null,
          };
    return { standing, record, wakeAtMs: null };
  }

  function judgeEndpoint(
    connectionId: string,
    endpointId: string,
    { rules }: WatchedConnection,
    endpoint: WatchedEndpoint,
    nowMs: number,
  ): Judged {
    const records: AlertRecord[] = [];
    let isChanged = false;
    const watching = rules.filter((rule) => isAlertOn(rule, endpointId));
    for (const [ruleId, { record }] of endpoint.standings) {
      if (watching.some(({ id }) => id === ruleId)) continue;
      if (record !== null) records.push(ended(record, nowMs, true));
      endpoint.standings.delete(ruleId);
      isChanged = true;
    }
    for (const rule of watching) {
      const before = endpoint.standings.get(rule.id) ?? begin(rule.id, endpointId);
      const verdict = evaluate(rule.condition, endpoint.facts, nowMs);
      const { standing, news, wakeAtMs } = step(before.standing, verdict, rule.condition, nowMs);
      let { record } = before;
      if (news?.kind === 'fired' && standing.phase === 'firing') {
        record = {
          id: newId(),
          ruleId: rule.id,
          connectionId,
          endpointId,
          kind: rule.condition.kind,
          text: alertText(rule.condition, endpoint.facts, nowMs),
          sinceMs: standing.sinceMs,
          firedAtMs: nowMs,
          lastSeenAtMs: standing.lastSeenAtMs,
          endedAtMs: null,
          isEndExact: true,
          telling: 'due',
          toldAtMs: null,
        };
        formerly.set(idOf(rule.id, endpointId), nowMs);
        records.push(record);
      }
      if (standing.phase === 'firing' && record !== null) record = { ...record, lastSeenAtMs: standing.lastSeenAtMs };
      if (news?.kind === 'ended' && record !== null) {
        records.push(ended(record, news.endedAtMs, news.isEndExact));
        record = null;
      }
      isChanged ||= standing.phase !== before.standing.phase;
      endpoint.standings.set(rule.id, { standing, record, wakeAtMs });
    }
    return { records, isChanged };
  }

  /** Ends what is still open of an endpoint that is not watched any more. */
  function release(endpoint: WatchedEndpoint, nowMs: number): AlertRecord[] {
    return [...endpoint.standings.values()].flatMap(({ record }) =>
      record === null ? [] : [ended(record, nowMs, false)],
    );
  }

  return {
    watch(connectionId, endpointIds, rules, nowMs) {
      const former = connections.get(connectionId);
      const records: AlertRecord[] = [];
      const endpoints = new Map(
        endpointIds.map((id) => [id, former?.endpoints.get(id) ?? { facts: noFacts(), standings: new Map() }]),
      );
      for (const [id, endpoint] of former?.endpoints ?? [])
        if (!endpoints.has(id)) records.push(...release(endpoint, nowMs));
      const watched: WatchedConnection = { rules, endpoints };
      connections.set(connectionId, watched);
      for (const [id, endpoint] of endpoints)
        records.push(...judgeEndpoint(connectionId, id, watched, endpoint, nowMs).records);
      // Of a former run, and of a rule or an endpoint that is not there any more.
      for (const [id, record] of goingOn) {
        if (record.connectionId !== connectionId) continue;
        goingOn.delete(id);
        records.push(ended(record, nowMs, false));
      }
      return { records, isChanged: true };
    },

    forget(connectionId, nowMs) {
      const records = [...(connections.get(connectionId)?.endpoints.values() ?? [])].flatMap((endpoint) =>
        release(endpoint, nowMs),
      );
      return { records, isChanged: connections.delete(connectionId) };
    },

    rulesOf: (connectionId) => connections.get(connectionId)?.rules ?? null,
    factsOf: (connectionId, endpointId) => connections.get(connectionId)?.endpoints.get(endpointId)?.facts ?? null,

    judge(connectionId, endpointId, nowMs) {
      const watched = connections.get(connectionId);
      const endpoint = watched?.endpoints.get(endpointId);
      if (watched === undefined || endpoint === undefined) return { records: [], isChanged: false };
      trimFacts(endpoint.facts, nowMs - Math.max(shortestKeptMs, ...watched.rules.map(windowMs)) - marginMs);
      return judgeEndpoint(connectionId, endpointId, watched, endpoint, nowMs);
    },

    judgeDue(nowMs) {
      const judged = new Map<string, Judged>();
      for (const [connectionId, watched] of connections) {
        for (const [endpointId, endpoint] of watched.endpoints) {
          if (![...endpoint.standings.values()].some(({ wakeAtMs }) => wakeAtMs !== null && wakeAtMs <= nowMs))
            continue;
          const { records, isChanged } = judgeEndpoint(connectionId, endpointId, watched, endpoint, nowMs);
          const before = judged.get(connectionId);
          judged.set(connectionId, {
            records: [...(before?.records ?? []), ...records],
            isChanged: isChanged || before?.isChanged === true,
          });
        }
      }
      return judged;
    },

    wakeAtMs() {
      let atMs = Infinity;
      for (const { endpoints } of connections.values()) {
        for (const { standings } of endpoints.values())
          for (const { wakeAtMs } of standings.values()) atMs = Math.min(atMs, wakeAtMs ?? Infinity);
      }
      return atMs === Infinity ? null : atMs;
    },

    firing: () =>
      [...connections.values()].flatMap(({ endpoints }) =>
        [...endpoints.values()].flatMap(({ standings }) =>
          [...standings.values()].flatMap(({ record }) => record ?? []),
        ),
      ),

    standings(connectionId) {
      const watched = connections.get(connectionId);
      if (watched === undefined) return [];
      return [...watched.endpoints].flatMap(([endpointId, endpoint]) =>
        watched.rules
          .filter((rule) => rule.endpointId === null || rule.endpointId === endpointId)
          .map((rule) =>
            standingOf(
              rule.id,
              endpointId,
              endpoint.standings.get(rule.id)?.standing ?? { phase: 'quiet' },
              formerly.get(idOf(rule.id, endpointId)) ?? null,
            ),
          ),
      );
    },
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
