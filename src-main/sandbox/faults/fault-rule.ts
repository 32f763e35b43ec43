import { MANAGEMENT_OPERATIONS } from '../http/request-target.ts';
import type { ManagementOperation } from '../http/request-target.ts';
import { OPERATIONS, UNSERVED_OPERATIONS } from '../specification.ts';
import type { LimitedOperation } from '../specification.ts';

/** What a rule can be limited to: an operation of either interface, or the calls of webhooks. */
export type FaultOperation = LimitedOperation | ManagementOperation | 'webhook';

/**
 * What goes wrong, and where it can:
 * - `status`: answered with `status` (default 500) without being processed, a 3xx with a Location that leads nowhere;
 *   with
 *   `retryAfterS`, Retry-After. With `isProcessed`: done by the service, and answered so all the same.
 * - `html`: as `status`, with an HTML page (default 502).
 * - `reset`: the connection is reset without being processed. `hang`: never answered.
 * - `delay`: processed after `delayMs`. (`delayMs` goes with every other kind too.) For webhooks: sent that much later.
 * - `invalid-json`, `truncated-json`: processed, the answer spoilt on its way.
 * - `drop-after-accept`: processed, then the connection is reset instead of answering.
 * - `deep`: the answer, with lists 100,000 deep in a field that nobody knows. `large`: with `sizeBytes` of them
 *   (default 19 MB).
 * - `huge`: the same beyond what any client has to read (default 70 MB). `compressed`: the same in gzip, a thousandth
 *   as long
 *   (default 60 MB decoded). What the answer says stands before it, so that whoever reads the beginning has it.
 * - `late-in-progress`: the status of a COMPLETED job is answered as IN_PROGRESS, without output.
 * - `unknown-status`: the status is RUNNING while the job is active, ERROR when it is over.
 * - `duplicate-chunks`: each chunk of a stream reply comes twice in a row.
 * - `replay-chunks`: a stream reply repeats from the first chunk of the job.
 * - `drop-webhook`: an attempt to call a webhook is not sent.
 * - `clock-skew`: the Date header and the times in management replies are off by `skewMs` (default 10 minutes).
 */
const HTTP_OPERATIONS: readonly FaultOperation[] = [
  ...Object.keys(OPERATIONS).filter((name): name is keyof typeof OPERATIONS => Object.hasOwn(OPERATIONS, name)),
  ...Object.keys(UNSERVED_OPERATIONS).filter((name): name is keyof typeof UNSERVED_OPERATIONS =>
    Object.hasOwn(UNSERVED_OPERATIONS, name),
  ),
  ...MANAGEMENT_OPERATIONS,
];
const STATUS_READS: readonly FaultOperation[] = ['status', 'status-sync'];
const STREAM_READS: readonly FaultOperation[] = ['stream'];

/** Every kind with the operations it can hit. */
export const FAULT_KINDS = {
  status: HTTP_OPERATIONS,
  html: HTTP_OPERATIONS,
  reset: HTTP_OPERATIONS,
  hang: HTTP_OPERATIONS,
  delay: [...HTTP_OPERATIONS, 'webhook'],
  'invalid-json': HTTP_OPERATIONS,
  'truncated-json': HTTP_OPERATIONS,
  'drop-after-accept': HTTP_OPERATIONS,
  deep: HTTP_OPERATIONS,
  large: HTTP_OPERATIONS,
  huge: HTTP_OPERATIONS,
  compressed: HTTP_OPERATIONS,
  'late-in-progress': STATUS_READS,
  'unknown-status': STATUS_READS,
  'duplicate-chunks': STREAM_READS,
  'replay-chunks': STREAM_READS,
  'drop-webhook': ['webhook'],
  'clock-skew': HTTP_OPERATIONS,
} as const satisfies Record<string, readonly FaultOperation[]>;

export type FaultKind = keyof typeof FAULT_KINDS;

export const FAULT_OPERATIONS: readonly FaultOperation[] = [...HTTP_OPERATIONS, 'webhook'];

/** One thing that goes wrong on purpose. */
export interface FaultRule {
  kind: FaultKind;
  /** Left out: every operation that the kind can hit (`delay`: but no webhooks). */
  operation?: FaultOperation;
  /** Left out: every endpoint. */
  endpointId?: string;
  status?: number;
  /** 0 to 1; left out: always. */
  probability?: number;
  /** How many requests are hit before the rule is used up; left out: no end. */
  times?: number;
  /** When it begins, and for how long it lasts from then on: of the service's time since the rules were set. */
  fromMs?: number;
  forMs?: number;
  /** The request is done before it is answered as the rule says. */
  isProcessed?: boolean;
  /** Of the decoded answer, about. */
  sizeBytes?: number;
  /** Of the service's time, which may run faster than real. */
  delayMs?: number;
  /** Of the client's time. */
  retryAfterS?: number;
  skewMs?: number;
}

export function isFaultKind(name: string): name is FaultKind {
  return Object.hasOwn(FAULT_KINDS, name);
}

export const DEFAULT_SKEW_MS = 600_000;
