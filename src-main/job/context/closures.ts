import { laneId } from '../schedule/request-candidate.ts';
import type { Closure } from '../../../src-preload/app.ts';
import type { QueueOperation } from '../../service/reply.ts';
import type { Lane } from '../../service/rate-governor.ts';
import type { PlannedClosure } from '../schedule/plan.ts';

/** A closed operation is tried again after 30 s, then less and less often (ruling 35). */
const firstTryMs = 30_000;
const maxTryMs = 300_000;
/** These only read, so one of them can be sent to test whether it is accepted again. */
const reads: ReadonlySet<QueueOperation> = new Set<QueueOperation>(['status', 'stream', 'health']);

/** How long after try number `tries` (from 0) a refused request is sent again. */
export function nextTryAfterMs(tries: number): number {
  return Math.min(maxTryMs, firstTryMs * 2 ** Math.min(tries, 10));
}

/** A 401 or 403 as it came. */
export interface Refusal {
  httpStatus: number;
  path: string;
  serviceSaid: string | null;
}

interface ClosedLane extends Refusal {
  lane: Lane;
  sinceMs: number;
  /** How many tries were refused since. */
  tries: number;
  nextTryMs: number;
  triedAtMs: number;
  isTrying: boolean;
  /**
   * For an operation that is not a read: a read of its endpoint was accepted since, so that one request may test it.
   */
  isReadAccepted: boolean;
}

/** Which operations of which endpoints the service refuses to this key. Only the refused operation is closed. */
export interface Closures {
  /** What restricts requests of this lane, or null. */
  closure(lane: Lane): PlannedClosure | null;
  /** A request leaves. On a closed lane it is the try. */
  sent(lane: Lane): void;
  /** A request of this lane was refused. Returns whether the lane was open before. */
  refused(lane: Lane, refusal: Refusal): boolean;
  /** A request of this lane was accepted, so it is open. */
  accepted(lane: Lane): void;
  /** The try ended without an answer about the key. */
  released(lane: Lane): void;
  /** Everything of this connection, or of all, may be tried immediately. */
  tryNow(connectionId?: string): void;
  forget(connectionId: string): void;
  /** The closure of this lane, or null if it is open. */
  of(lane: Lane): Closure | null;
  all(): Closure[];
}

/** `onChange` is called when an operation closed or opened, or a try was refused. */
export function createClosures({ now, onChange }: { now: () => number; onChange: () => void }): Closures {
  const closed = new Map<string, ClosedLane>();
  const find = (lane: Lane): ClosedLane | undefined => closed.get(laneId(lane));

  /** A read of the endpoint was accepted: its other operations may be tried when they are due. */
  function noteRead({ connectionId, endpointId }: Lane): void {
    for (const each of closed.values()) {
      const isOfEndpoint = each.lane.connectionId === connectionId && each.lane.endpointId === endpointId;
      if (isOfEndpoint && !reads.has(each.lane.operation) && each.nextTryMs <= now()) each.isReadAccepted = true;
    }
  }

  return {
    closure(lane) {
      const found = find(lane);
      if (found === undefined) return null;
      const { nextTryMs, triedAtMs, isTrying, isReadAccepted } = found;
      // If its health is refused as well, there may be no read to wait for.
      const hasRead = !closed.has(laneId({ ...lane, operation: 'health' }));
      return {
        nextTryMs,
        triedAtMs,
        isTrying,
        isWaitingForRead: !reads.has(lane.operation) && hasRead && !isReadAccepted,
      };
    },
    sent(lane) {
      const found = find(lane);
      if (found === undefined) return;
      found.isTrying = true;
      found.triedAtMs = now();
    },
    refused(lane, refusal) {
      const nowMs = now();
      const found = find(lane);
      if (found === undefined) {
        const nextTryMs = nowMs + nextTryAfterMs(0);
        closed.set(laneId(lane), {
          lane,
          ...refusal,
          sinceMs: nowMs,
          tries: 0,
          nextTryMs,
          triedAtMs: nowMs,
          isTrying: false,
          isReadAccepted: false,
        });
        onChange();
        return true;
      }
      // Others were in progress when it closed. Their refusals say nothing new.
      if (!found.isTrying) return false;
      const tries = found.tries + 1;
      closed.set(laneId(lane), {
        ...found,
        ...refusal,
        tries,
        nextTryMs: nowMs + nextTryAfterMs(tries),
        isTrying: false,
        isReadAccepted: false,
      });
      onChange();
      return false;
    },
    accepted(lane) {
      if (reads.has(lane.operation)) noteRead(lane);
      if (closed.delete(laneId(lane))) onChange();
    },
    released(lane) {
      const found = find(lane);
      if (found === undefined || !found.isTrying) return;
      found.isTrying = false;
      found.nextTryMs = Math.max(found.nextTryMs, now() + firstTryMs);
    },
    tryNow(connectionId) {
      for (const each of closed.values()) {
        if (connectionId !== undefined && each.lane.connectionId !== connectionId) continue;
        each.nextTryMs = Math.min(each.nextTryMs, now());
        each.isReadAccepted = true;
      }
    },
    forget(connectionId) {
      const size = closed.size;
      for (const [id, { lane }] of closed) if (lane.connectionId === connectionId) closed.delete(id);
      if (closed.size !== size) onChange();
    },
    of(lane) {
      const found = find(lane);
      return found === undefined ? null : closureOf(found);
    },
    all: () => [...closed.values()].map(closureOf),
  };
}

function closureOf({ lane, httpStatus, path, serviceSaid, sinceMs, nextTryMs, isTrying }: ClosedLane): Closure {
  return { ...lane, httpStatus, path, serviceSaid, sinceMs, nextTryMs: isTrying ? null : nextTryMs };
}
