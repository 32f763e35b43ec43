import { minuteMs } from '../../src-preload/durations.ts';
import { formatMinute } from '../../src-preload/format.ts';
import { endpointKey, type EndpointRef } from '../../src-preload/endpoint-key.ts';
import type { Closure, TrackerState } from '../../src-preload/app.ts';
import { closedMeaning, closedOperations, closedStatuses } from '../../src-preload/messages/closure.ts';
import { refusalText } from '../messages/notifications.ts';

/** What a service refuses to a key: all of a connection, or some operations of one endpoint (ruling 35). */
export type ServiceRefusal =
  | { kind: 'key'; connectionId: string; httpStatus: number; sinceMs: number; nextTryMs: number | null }
  | { kind: 'operations'; connectionId: string; endpointId: string; closures: Closure[] };

/** The names that the user chose. */
export interface RefusalNames {
  connectionName: (connectionId: string) => string;
  endpointName: (endpoint: EndpointRef) => string;
}

/** Everything that is refused now, refused keys first. A refused key stands for its connection's operations. */
export function refusalsOf({
  connections,
  closures,
}: Pick<TrackerState, 'connections' | 'closures'>): ServiceRefusal[] {
  const keys = connections.flatMap(({ connectionId, state }): Extract<ServiceRefusal, { kind: 'key' }>[] => {
    if (state.kind !== 'key-refused') return [];
    return [
      { kind: 'key', connectionId, httpStatus: state.httpStatus, sinceMs: state.sinceMs, nextTryMs: state.nextTryMs },
    ];
  });
  const wholly = new Set(keys.map(({ connectionId }) => connectionId));
  const single = closures.filter(({ connectionId }) => !wholly.has(connectionId));
  const byEndpoint = Map.groupBy(single, ({ connectionId, endpointId }) => endpointKey({ connectionId, endpointId }));
  return [
    ...keys,
    ...[...byEndpoint.values()].flatMap((each): ServiceRefusal[] => {
      const [first] = each;
      return first === undefined
        ? []
        : [{ kind: 'operations', connectionId: first.connectionId, endpointId: first.endpointId, closures: each }];
    }),
  ];
}

/** One line: `Key refused: Production` or `Refused: status and stream on Chat`. */
export function refusalLine(refusal: ServiceRefusal, names: RefusalNames): string {
  if (refusal.kind === 'key') return refusalText.keyLine(names.connectionName(refusal.connectionId));
  return refusalText.operationsLine(operationsOf(refusal, names));
}

/** Title and body of the one notification about a refusal. */
export function refusalMessage(refusal: ServiceRefusal, names: RefusalNames): { title: string; body: string } {
  if (refusal.kind === 'key') {
    return {
      title: refusalText.keyTitle(names.connectionName(refusal.connectionId), refusal.httpStatus),
      body: `${refusalText.keyBody} ${again(refusal.nextTryMs)}`,
    };
  }
  const title = refusalText.operationsTitle(
    operationsOf(refusal, names),
    refusal.closures.length,
    closedStatuses(refusal.closures),
  );
  const nextTryMs = refusal.closures.reduce<number | null>(
    (nearest, closure) => nearer(nearest, closure.nextTryMs),
    null,
  );
  return { title, body: `${closedMeaning(refusal.closures)} ${again(nextTryMs)}` };
}

function operationsOf(
  { connectionId, closures }: Extract<ServiceRefusal, { kind: 'operations' }>,
  names: RefusalNames,
): string {
  return closedOperations(closures, (endpointId) => names.endpointName({ connectionId, endpointId }));
}

function nearer(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

function again(nextTryMs: number | null): string {
  return nextTryMs === null ? refusalText.tryingNow : refusalText.nextTry(formatMinute(nextTryMs));
}

/** A refusal within this time after an acceptance is not new (ruling 35: the user is notified once). */
const quietMs = 10 * minuteMs;

/**
 * The refusals that the user was notified of. The value is null while it is refused, otherwise when it was accepted
 * again.
 */
export type NotifiedRefusals = ReadonlyMap<string, number | null>;

export interface RefusalNews {
  /** Each gets one notification. */
  show: ServiceRefusal[];
  notified: NotifiedRefusals;
}

/**
 * The new refusals in `state`: those that were not shown yet and were not merely interrupted for less than ten minutes.
 * What was refused before `startedAtMs`, when Jobdeck started, was shown by the run before. Pure.
 */
export function refusalNews(
  notified: NotifiedRefusals,
  state: Pick<TrackerState, 'connections' | 'closures'>,
  nowMs: number,
  startedAtMs: number,
): RefusalNews {
  const refused = idsOf(state);
  const isNew = (id: string, sinceMs: number): boolean => {
    if (sinceMs < startedAtMs) return false;
    const acceptedSinceMs = notified.get(id);
    if (acceptedSinceMs === undefined) return true;
    return acceptedSinceMs !== null && nowMs - acceptedSinceMs >= quietMs;
  };
  const show = refusalsOf(state).flatMap((refusal): ServiceRefusal[] => {
    if (refusal.kind === 'key') return isNew(refusal.connectionId, refusal.sinceMs) ? [refusal] : [];
    const closures = refusal.closures.filter((closure) => isNew(idOf(closure), closure.sinceMs));
    return closures.length === 0 ? [] : [{ ...refusal, closures }];
  });
  const next = new Map<string, number | null>([...refused].map((id) => [id, null]));
  for (const [id, acceptedSinceMs] of notified) {
    if (refused.has(id)) continue;
    const sinceMs = acceptedSinceMs ?? nowMs;
    if (nowMs - sinceMs < quietMs) next.set(id, sinceMs);
  }
  return { show, notified: next };
}

/**
 * The ids of everything that is refused, including what a refused key stands for, which is then not new when the key is
 * accepted.
 */
function idsOf({ connections, closures }: Pick<TrackerState, 'connections' | 'closures'>): Set<string> {
  const keys = connections.filter(({ state }) => state.kind === 'key-refused').map(({ connectionId }) => connectionId);
  return new Set([...keys, ...closures.map(idOf)]);
}

interface IdOfInput {
  connectionId: string;
  endpointId: string;
  operation: string;
}

function idOf({ connectionId, endpointId, operation }: IdOfInput): string {
  return `${connectionId}/${endpointId}/${operation}`;
}

/** The connection and the endpoint of a refusal. Null: all endpoints of the connection. */
export function subjectOfRefusal(refusal: ServiceRefusal): { connectionId: string; endpointId: string | null } {
  return {
    connectionId: refusal.connectionId,
    endpointId: refusal.kind === 'operations' ? refusal.endpointId : null,
  };
}

/** The identity of a refusal, so that it is reported once. */
export function aboutRefusal(refusal: ServiceRefusal): string {
  if (refusal.kind === 'key') return `refusal/${refusal.connectionId}/${refusal.sinceMs}`;
  const operations = refusal.closures.map(({ operation, sinceMs }) => `${operation}@${sinceMs}`).join(',');
  return `refusal/${refusal.connectionId}/${refusal.endpointId}/${operations}`;
}
