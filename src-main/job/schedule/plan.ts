import type { SubmitOperation } from '../../../src-preload/job.ts';
import type { Lane, Room } from '../../service/rate-governor.ts';
import type { Attention } from './cadence.ts';
import type { HealthGate } from './health-gate.ts';

/** A live job as the schedule sees it. */
export interface PlannedJob {
  key: string;
  /** Jobs of one group share their endpoint, and so its health: see `PlannedEndpoint`. */
  endpointKey: string;
  operation: SubmitOperation;
  /**
   * One of many that were submitted together: in the outbox it lets jobs go first that someone submitted on their own.
   */
  isBatchRow: boolean;
  /**
   * `waiting`: in the outbox. `sending`: its one request is in progress. `active`: on the service. `settling`: final
   * record saved, stream still to be drained.
   */
  stage: 'waiting' | 'sending' | 'active' | 'settling';
  acceptedAtMs: number;
  startedSeenAtMs: number | null;
  /** When the last status request that was answered left. */
  statusReadAtMs: number | null;
  /** When it is forecast to end (see forecasts.ts); null while nothing tells. */
  endsAtMs: number | null;
  ttlEndsAtMs: number | null;
  retentionEndsAtMs: number | null;
  /** Somebody has it open, in the pane or in a window of its own. */
  isOpened: boolean;
  /** Its row is on screen in some window. */
  isRowOnScreen: boolean;
  /** Someone or something wants a status read at once. */
  isStatusReadWanted: boolean;
  /**
   * No status request (or submission, while waiting) before this: back-off after a failure. Those behind it in the
   * outbox wait as well.
   */
  notBeforeMs: number;
  /** Its stream is to be collected as soon as it runs, which only a status read can tell. */
  isStreamAwaited: boolean;
  /** When its stream is to be read next; null: not now. */
  streamAtMs: number | null;
  /** When a cancel is to be sent; null: none is wanted. */
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
  gate: HealthGate;
  isHealthBusy: boolean;
  /** By how much its last ends were later than forecast, ascending; too few to go by at first (see end-odds.ts). */
  errorsMs: readonly number[];
}

/**
 * What stands between us and a connection. `closed` waits for its user; `offline` is tried with one request at a time,
 * and so is `refused`, which every endpoint answered with 401 or 403 (ruling 35): `isByHealth` asks an endpoint's
 * health rather than a job, because either may be refused alone.
 */
export type Gateway =
  | { kind: 'open' }
  | { kind: 'closed' }
  | { kind: 'offline'; probeAtMs: number; probedAtMs: number; isProbing: boolean }
  | { kind: 'refused'; probeAtMs: number; probedAtMs: number; isProbing: boolean; isByHealth: boolean };

/** An operation of an endpoint that is refused (ruling 35): one request at a time tries it. */
export interface Door {
  nextTryMs: number;
  triedAtMs: number;
  isTrying: boolean;
  /** It is no read: one of the endpoint has to be taken before it is tried. */
  isWaitingForRead: boolean;
}

/** All that a plan is made from. */
export interface ScheduleInput extends Attention {
  nowMs: number;
  isPaused: boolean;
  jobs: readonly PlannedJob[];
  endpointStates: ReadonlyMap<string, PlannedEndpoint>;
  gateway: (connectionId: string) => Gateway;
  /** What stands before one operation of one endpoint; null where nothing does. */
  door: (lane: Lane) => Door | null;
  room: (lane: Lane) => Room;
  /** How many requests of a lane our share of its limit allows in ten seconds, as things stand. */
  allowance: (lane: Lane) => number;
  /** How many more requests may be in progress in all. */
  freeSlots: number;
}

export type PlannedRequest =
  | { kind: 'submit' | 'status' | 'stream' | 'cancel'; key: string }
  | { kind: 'health'; endpointKey: string };

export interface Plan {
  requests: PlannedRequest[];
  /** When planning again can matter; null when only an answer or the user can change anything. */
  wakeAtMs: number | null;
  /** When the next request is expected to leave, for the status bar; null when nothing is active. */
  nextRequestAtMs: number | null;
  /** Endpoints whose jobs were all read since a moment after their counters moved (see `allRead`). */
  readThrough: { endpointKey: string; sinceMs: number }[];
}
