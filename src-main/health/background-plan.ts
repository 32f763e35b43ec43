import type { EndpointRef } from '../../src-preload/endpoint-key.ts';

/**
 * How often an endpoint is read if no job and no window needs it. A reading is valid for 90 s (`readingValidMs`), so
 * the next one comes in time even if it waits for its turn.
 */
export const paceMs = 60_000;
/** At most this many endpoints are read in the background, over all connections: 3,600 requests per hour. */
const maxEndpoints = 60;
/** How many reads begin in one second. */
export const maxInSecond = 6;
const secondMs = 1_000;
/** An endpoint that is due this soon after another is read together with it, so that the computer wakes up once. */
const togetherMs = 10_000;
/** An endpoint whose health cannot be read is tried less and less often, down to this. */
const slowestMs = 300_000;

/** An endpoint as the plan sees it. */
export interface BackgroundEndpoint extends EndpointRef {
  /** When its health was last read or tried, by anyone. -Infinity: not yet. */
  triedAtMs: number;
  /** Failed tries in a row. */
  failures: number;
  /** A background read of it is in progress. */
  isBusy: boolean;
  /** When a job of ours changed there, or its health was opened. -Infinity: never. */
  usedAtMs: number;
}

/** Whether requests that no user made may be sent to a connection. */
export type WayTo =
  | { kind: 'open' }
  /** No key, or another request tests the connection now. */
  | { kind: 'closed' }
  /** It is out of reach, or refuses the key: one request may test it, from then on. */
  | { kind: 'probe'; fromMs: number };

/**
 * The endpoints to read, if there are more than `max`: first those with alert rules of their own, then those used last.
 * Pure.
 */
export function chooseEndpoints(
  endpoints: readonly BackgroundEndpoint[],
  hasOwnRule: (endpoint: EndpointRef) => boolean,
  max = maxEndpoints,
): readonly BackgroundEndpoint[] {
  if (endpoints.length <= max) return endpoints;
  const ranked = endpoints.map((endpoint) => ({ endpoint, isFirst: hasOwnRule(endpoint) }));
  return ranked
    .toSorted((a, b) =>
      a.isFirst === b.isFirst ? later(a.endpoint.usedAtMs, b.endpoint.usedAtMs) : Number(b.isFirst) - Number(a.isFirst),
    )
    .slice(0, max)
    .map(({ endpoint }) => endpoint);
}

/** What to read now, and when to plan again: within a minute, because a pause or a key may have changed. */
export interface BackgroundPlan {
  reads: readonly BackgroundEndpoint[];
  wakeAtMs: number;
}

/** The plan at `nowMs`. `room`: how many reads may still begin in this second. Pure. */
export function planBackgroundReads({
  nowMs,
  endpoints,
  wayTo,
  room,
}: {
  nowMs: number;
  endpoints: readonly BackgroundEndpoint[];
  wayTo: (connectionId: string) => WayTo;
  room: number;
}): BackgroundPlan {
  const waiting: { endpoint: BackgroundEndpoint; dueAtMs: number }[] = [];
  for (const [connectionId, group] of Map.groupBy(endpoints, (endpoint) => endpoint.connectionId)) {
    const way = wayTo(connectionId);
    if (way.kind === 'open') {
      for (const endpoint of group) if (!endpoint.isBusy) waiting.push({ endpoint, dueAtMs: dueOf(endpoint) });
    } else if (way.kind === 'probe') {
      const probe = probeOf(group, way.fromMs);
      if (probe !== null) waiting.push(probe);
    }
  }
  waiting.sort((a, b) => later(b.dueAtMs, a.dueAtMs));
  const isAnyDue = waiting.some(({ dueAtMs }) => dueAtMs <= nowMs);
  const isNow = ({ dueAtMs }: { dueAtMs: number }): boolean => isAnyDue && dueAtMs <= nowMs + togetherMs;
  const due = waiting.filter(isNow);
  const next = due.length > room ? nowMs + secondMs : (waiting.find((one) => !isNow(one))?.dueAtMs ?? Infinity);
  return { reads: due.slice(0, room).map(({ endpoint }) => endpoint), wakeAtMs: Math.min(nowMs + paceMs, next) };
}

function dueOf({ triedAtMs, failures }: BackgroundEndpoint): number {
  return triedAtMs + Math.min(slowestMs, paceMs * 2 ** Math.max(0, failures - 1));
}

/** One request tests the whole connection. It is about the endpoint whose last try is longest ago. */
function probeOf(
  group: readonly BackgroundEndpoint[],
  fromMs: number,
): { endpoint: BackgroundEndpoint; dueAtMs: number } | null {
  if (group.some(({ isBusy }) => isBusy)) return null;
  const [longest] = group.toSorted((a, b) => later(b.triedAtMs, a.triedAtMs));
  const lastTriedAtMs = Math.max(...group.map(({ triedAtMs }) => triedAtMs));
  // A try that Jobdeck itself did not send changes nothing, so the next one must not come at once.
  return longest === undefined ? null : { endpoint: longest, dueAtMs: Math.max(fromMs, lastTriedAtMs + secondMs) };
}

/** Sorts the later time first; equal ones, even if infinite, keep their order. */
function later(a: number, b: number): number {
  return a === b ? 0 : b - a;
}
