import { MANAGEMENT_OPERATIONS, type ManagementOperation } from '../http/request-target.ts';
import { OPERATIONS, UNSERVED_OPERATIONS, type LimitedOperation } from '../specification.ts';
import { systemClock } from '../clock.ts';
import { createSeededRandom } from '../seeded-random.ts';

/** What a rule can be limited to: an operation of either interface, or webhook calls. */
export type FaultOperation = LimitedOperation | ManagementOperation | 'webhook';

const HTTP_OPERATIONS: readonly FaultOperation[] = [
  ...Object.keys(OPERATIONS).filter((name): name is keyof typeof OPERATIONS => Object.hasOwn(OPERATIONS, name)),
  ...Object.keys(UNSERVED_OPERATIONS).filter((name): name is keyof typeof UNSERVED_OPERATIONS =>
    Object.hasOwn(UNSERVED_OPERATIONS, name),
  ),
  ...MANAGEMENT_OPERATIONS,
];
const STATUS_READS: readonly FaultOperation[] = ['status', 'status-sync'];
const STREAM_READS: readonly FaultOperation[] = ['stream'];

/**
 * Every kind of fault with the operations it can affect. What goes wrong:
 * - `status`: answered with `status` (default 500) without being processed, a 3xx with a Location that does not
 *   exist; with `retryAfterS`, Retry-After. With `isProcessed`: the service processes the request and then gives this
 *   answer.
 * - `html`: as `status`, with an HTML page (default 502).
 * - `reset`: the connection is reset without processing. `hang`: never answered.
 * - `delay`: processed after `delayMs`. (`delayMs` can be combined with every other kind too.) For webhooks: sent
 *   that much later.
 * - `invalid-json`, `truncated-json`: processed, and the answer is damaged on its way.
 * - `drop-after-accept`: processed, then the connection is reset instead of answering.
 * - `deep`: the answer, with lists 100,000 deep in an unknown field. `large`: with `sizeBytes` of them (default 19
 *   MB).
 * - `huge`: the same, beyond what a client has to read (default 70 MB). `compressed`: the same in gzip, at a
 *   thousandth of the size (default 60 MB decoded). The content of the answer comes before it, so that it is in the
 *   beginning.
 * - `late-in-progress`: the status of a COMPLETED job is answered as IN_PROGRESS, without output.
 * - `unknown-status`: the status is RUNNING while the job is active, ERROR when it is over.
 * - `duplicate-chunks`: each chunk of a stream reply comes twice in a row.
 * - `replay-chunks`: a stream reply repeats from the first chunk of the job.
 * - `drop-webhook`: an attempt to call a webhook is not sent.
 * - `clock-skew`: the Date header and the times in management replies are wrong by `skewMs` (default 10 minutes).
 */
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

/** A fault that is injected on purpose. */
export interface FaultRule {
  kind: FaultKind;
  /** Default: every operation that the kind can affect (`delay`: except webhooks). */
  operation?: FaultOperation;
  /** Default: every endpoint. */
  endpointId?: string;
  status?: number;
  /** 0 to 1. Default: always. */
  probability?: number;
  /** How many requests are affected before the rule is used up. Default: no limit. */
  times?: number;
  /** When it begins, and how long it lasts after that, in the service's time since the rules were set. */
  fromMs?: number;
  forMs?: number;
  /** The request is processed before it gets the answer of the rule. */
  isProcessed?: boolean;
  /** The approximate size of the decoded answer. */
  sizeBytes?: number;
  /** In the service's time, which may run faster than real time. */
  delayMs?: number;
  /** In the client's time. */
  retryAfterS?: number;
  skewMs?: number;
}

/** Whether a name is a kind of fault. */
export function isFaultKind(name: string): name is FaultKind {
  return Object.hasOwn(FAULT_KINDS, name);
}

export const DEFAULT_SKEW_MS = 600_000;

/** Something that a rule may affect. */
export interface FaultTarget {
  operation: FaultOperation;
  /** Null for the management interface, which belongs to no endpoint. */
  endpointId: string | null;
}

export interface Faults {
  /** Replaces all rules, and restarts their random sequences and times. Null removes them. */
  set(rules: FaultRule | readonly FaultRule[] | null): void;
  rules(): FaultRule[];
  /** How often each rule was used, in the order of the rules. */
  hits(): number[];
  /**
   * The first rule of one of these kinds that applies to the target, which then counts as used. `applies` is called
   * only if a rule could be used; if it returns false, the rule is not used up and its random sequence does not
   * advance.
   */
  pick(kinds: readonly FaultKind[], target: FaultTarget, applies?: () => boolean): FaultRule | null;
}

interface ActiveRule {
  rule: FaultRule;
  random: () => number;
  hits: number;
}

function canHit({ rule, hits }: ActiveRule, { operation, endpointId }: FaultTarget, sinceSetMs: number): boolean {
  if (hits >= (rule.times ?? Infinity)) return false;
  const { fromMs = 0, forMs = Infinity } = rule;
  if (sinceSetMs < fromMs || sinceSetMs >= fromMs + forMs) return false;
  if (rule.endpointId !== undefined && rule.endpointId !== endpointId) return false;
  if (rule.operation !== undefined) return rule.operation === operation;
  // A rule for "every operation" means requests. Only a kind that concerns webhooks alone includes webhooks.
  if (operation === 'webhook' && rule.kind !== 'drop-webhook') return false;
  const operations: readonly FaultOperation[] = FAULT_KINDS[rule.kind];
  return operations.includes(operation);
}

/**
 * The active rules, tried in order. Each has its own random sequence from the seed and its index, which advances
 * whether or not an earlier rule applies: a run repeats exactly, and one rule does not change the results of another.
 * `now`: the service's time in milliseconds, for rules with a duration.
 */
export function createFaults(
  seed: number,
  rules: readonly FaultRule[] = [],
  now: () => number = systemClock.now,
): Faults {
  let active: ActiveRule[] = [];
  let setAtMs = now();
  const set: Faults['set'] = (next) => {
    setAtMs = now();
    active = (next === null ? [] : [next].flat()).map((rule, index) => ({
      rule,
      random: createSeededRandom(seed + index),
      hits: 0,
    }));
  };
  set(rules);

  return {
    set,
    rules: () => active.map(({ rule }) => ({ ...rule })),
    hits: () => active.map(({ hits }) => hits),
    pick: (kinds, target, applies) => {
      if (active.length === 0) return null;
      let isApplying: boolean | null = null;
      let hit: ActiveRule | null = null;
      const sinceSetMs = now() - setAtMs;
      for (const entry of active) {
        if (!kinds.includes(entry.rule.kind) || !canHit(entry, target, sinceSetMs)) continue;
        isApplying ??= applies?.() ?? true;
        if (!isApplying) return null;
        const isDrawn = entry.random() < (entry.rule.probability ?? 1);
        if (isDrawn) hit ??= entry;
      }
      if (hit === null) return null;
      hit.hits += 1;
      return hit.rule;
    },
  };
}
