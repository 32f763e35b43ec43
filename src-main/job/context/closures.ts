import { laneId } from '../schedule/request-candidate.ts';
import type { Closure } from '../../../src-preload/app.ts';
import type { GovernedOperation, Lane } from '../../service/rate-governor.ts';
import type { Door } from '../schedule/plan.ts';

/** What is closed is tried again after 30 s, then ever more rarely (ruling 35). */
const firstTryMs = 30_000;
const longestTryMs = 300_000;
/** These only read, so that one of them can be sent to find out whether it is taken again. */
const reads: ReadonlySet<GovernedOperation> = new Set<GovernedOperation>(['status', 'stream', 'health']);

/** How long after try number `tries` (from 0) a refused request is sent again. */
export function nextTryAfterMs(tries: number): number {
  return Math.min(longestTryMs, firstTryMs * 2 ** Math.min(tries, 10));
}

/** A 401 or 403 as it came. */
export interface Refusal {
  httpStatus: number;
  path: string;
  said: string | null;
}

interface ClosedLane extends Refusal {
  lane: Lane;
  sinceMs: number;
  /** Tries that were refused since. */
  tries: number;
  nextTryMs: number;
  triedAtMs: number;
  isTrying: boolean;
  /** Of an operation that is no read: a read of its endpoint was taken since, so that one request may find out. */
  isReadTaken: boolean;
}

/** Which operations of which endpoints the service refuses to this key. Closes what was refused and nothing else. */
export interface Closures {
  /** What stands before a request of this lane; null where nothing does. */
  door(lane: Lane): Door | null;
  /** A request leaves; on a closed lane it is the try. */
  asked(lane: Lane): void;
  /** A request of this lane was refused. Answers whether the lane was open before. */
  refused(lane: Lane, refusal: Refusal): boolean;
  /** A request of this lane was taken: it is open. */
  taken(lane: Lane): void;
  /** The try ended without a word about the key. */
  released(lane: Lane): void;
  /** Everything of this connection, or of all, may be tried at once. */
  tryNow(connectionId?: string): void;
  forget(connectionId: string): void;
  /** What is reported of this lane; null where it is open. */
  of(lane: Lane): Closure | null;
  all(): Closure[];
}

/** `onChange` is called when something closed, opened or was tried in vain. */
export function createClosures({ now, onChange }: { now: () => number; onChange: () => void }): Closures {
  const closed = new Map<string, ClosedLane>();
  const find = (lane: Lane): ClosedLane | undefined => closed.get(laneId(lane));

  /** A read of the endpoint was taken: what is no read there may be tried when its time has come. */
  function noteRead({ connectionId, endpointId }: Lane): void {
    for (const each of closed.values()) {
      const isThere = each.lane.connectionId === connectionId && each.lane.endpointId === endpointId;
      if (isThere && !reads.has(each.lane.operation) && each.nextTryMs <= now()) each.isReadTaken = true;
    }
  }

  return {
    door(lane) {
      const found = find(lane);
      if (found === undefined) return null;
      const { nextTryMs, triedAtMs, isTrying, isReadTaken } = found;
      // Where its health is refused as well there may be no read to wait for.
      const hasRead = !closed.has(laneId({ ...lane, operation: 'health' }));
      return {
        nextTryMs,
        triedAtMs,
        isTrying,
        isWaitingForRead: !reads.has(lane.operation) && hasRead && !isReadTaken,
      };
    },
    asked(lane) {
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
          isReadTaken: false,
        });
        onChange();
        return true;
      }
      // Others were in progress when it closed: they say nothing new.
      if (!found.isTrying) return false;
      const tries = found.tries + 1;
      closed.set(laneId(lane), {
        ...found,
        ...refusal,
        tries,
        nextTryMs: nowMs + nextTryAfterMs(tries),
        isTrying: false,
        isReadTaken: false,
      });
      onChange();
      return false;
    },
    taken(lane) {
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
        each.isReadTaken = true;
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

function closureOf({ lane, httpStatus, path, said, sinceMs, nextTryMs, isTrying }: ClosedLane): Closure {
  return { ...lane, httpStatus, path, said, sinceMs, nextTryMs: isTrying ? null : nextTryMs };
}
