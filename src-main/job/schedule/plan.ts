import type { SubmitOperation } from '../../../src-preload/job.ts';
import type { Lane, Room } from '../../service/rate-governor.ts';
import type { Attention } from './cadence.ts';
import type { CountedEnds } from './counted-ends.ts';

/** A live job as the schedule sees it. */
export interface PlannedJob {
  key: string;
  /** Jobs with the same key share their endpoint, and so its health. See `PlannedEndpoint`. */
  addressKey: string;
  operation: SubmitOperation;
  /** One of many that were submitted together. In the outbox, single jobs go first. */
  isBatchRow: boolean;
  /**
   * `waiting`: in the outbox. `sending`: its request is in progress. `active`: at the service. `settling`: its final
   * record is saved, or waits for the disk; its stream still has to be drained.
   */
  stage: 'waiting' | 'sending' | 'active' | 'settling';
  acceptedAtMs: number;
  startedSeenAtMs: number | null;
  /** The service answered with a status that the specification does not list (ruling 8). */
  isStatusUnlisted: boolean;
  /** When the last status request that was answered left. */
  statusReadAtMs: number | null;
  /** When it is forecast to end (see forecasts.ts). Null if that is not known. */
  endsAtMs: number | null;
  ttlEndsAtMs: number | null;
  retentionEndsAtMs: number | null;
  /** It is open, in the pane or in a window of its own. */
  isOpened: boolean;
  /** Its row is on screen in some window. */
  isRowOnScreen: boolean;
  /** A status read is wanted immediately. */
  isStatusReadWanted: boolean;
  /**
   * No status request (or submission, while waiting) before this: back-off after a failure. Those behind it in the
   * outbox wait as well.
   */
  notBeforeMs: number;
  /** Its stream must be collected as soon as it runs, which only a status read can show. */
  isStreamAwaited: boolean;
  /** When its stream is read next. Null: not now. */
  streamAtMs: number | null;
  /** When a cancel must be sent. Null: none is wanted. */
  cancelAtMs: number | null;
  /** A status request or submission is in progress. */
  isBusy: boolean;
  /** Reads of its stream in progress. */
  streamReads: number;
  isCancelBusy: boolean;
}

/** An endpoint of a connection at one base URL, with what its health showed. */
export interface PlannedEndpoint {
  id: string;
  connectionId: string;
  endpointId: string;
  countedEnds: CountedEnds;
  isHealthBusy: boolean;
  /** By how much its last ends were later than forecast, ascending. At first too few to use (see end-odds.ts). */
  errorsMs: readonly number[];
}

/**
 * What keeps us from reaching a connection. `closed` waits for the user. `offline` is tried with one request at a time,
 * and so is `refused`, for which every endpoint answered 401 or 403 (ruling 35); `isByHealth` reads an endpoint's
 * health instead of a job, because either may be refused alone.
 */
export type ConnectionAccess =
  | { kind: 'open' }
  | { kind: 'closed' }
  | { kind: 'offline'; probeAtMs: number; probedAtMs: number; isProbing: boolean }
  | { kind: 'refused'; probeAtMs: number; probedAtMs: number; isProbing: boolean; isByHealth: boolean };

/** A refused operation of an endpoint (ruling 35). One request at a time tries it. */
export interface PlannedClosure {
  nextTryMs: number;
  triedAtMs: number;
  isTrying: boolean;
  /** It is not a read: a read of the endpoint must be accepted before it is tried. */
  isWaitingForRead: boolean;
}

/** Everything that a plan is made from. */
export interface ScheduleInput extends Attention {
  nowMs: number;
  isPaused: boolean;
  jobs: readonly PlannedJob[];
  endpointStates: ReadonlyMap<string, PlannedEndpoint>;
  access: (connectionId: string) => ConnectionAccess;
  /** When the last request left to a connection that does not answer, or not yet (0: none left). Null: it answers. */
  triedAtMs: (connectionId: string) => number | null;
  /** What restricts one operation of one endpoint, or null. */
  closure: (lane: Lane) => PlannedClosure | null;
  room: (lane: Lane) => Room;
  /** How many requests of a lane our present share of its limit allows in ten seconds. */
  allowance: (lane: Lane) => number;
  /** How many more requests may be in progress, over all endpoints. */
  freeSlots: number;
}

export type PlannedRequest =
  | { kind: 'submit' | 'status' | 'stream' | 'cancel'; key: string }
  | { kind: 'health'; addressKey: string };

export interface Plan {
  requests: PlannedRequest[];
  /** When planning again can matter. Null if only an answer or the user can change anything. */
  wakeAtMs: number | null;
  /** When the next request is expected to leave, for the status bar. Null if no job is active. */
  nextRequestAtMs: number | null;
  /** Endpoints whose jobs were all read since a moment after their counters moved (see `allRead`). */
  readThrough: { addressKey: string; sinceMs: number }[];
}
