import type { Operation } from '../queue/operations.ts';
import { errorReply, tooManyReply, type Reply } from '../http/reply.ts';
import { createSeededRandom } from '../seeded-random.ts';

/**
 * What goes wrong:
 * - `status`: answered with `status` (default 500) without being processed; with `retryAfterS`, Retry-After.
 * - `html`: answered with an HTML error page (`status`, default 502) without being processed.
 * - `reset`: the connection is reset without being processed. `hang`: never answered.
 * - `delay`: processed after `delayMs`. (`delayMs` goes with every other kind too.)
 * - `invalid-json`, `truncated-json`: processed, the answer spoilt on its way.
 * - `drop-after-accept`: processed, then the connection is reset instead of answering.
 */
export type FaultKind =
  | 'status'
  | 'reset'
  | 'hang'
  | 'invalid-json'
  | 'truncated-json'
  | 'html'
  | 'delay'
  | 'drop-after-accept';

export interface FaultRule {
  kind: FaultKind;
  /** Left out: every operation. */
  operation?: Operation;
  /** Left out: every endpoint. */
  endpointId?: string;
  status?: number;
  /** 0 to 1; left out: always. */
  probability?: number;
  /** How many requests are hit before the rule is used up; left out: no end. */
  times?: number;
  delayMs?: number;
  retryAfterS?: number;
}

export interface Faults {
  /** Replaces all rules; null takes them away. */
  set(rules: FaultRule | readonly FaultRule[] | null): void;
  /** The rule that hits this request, if any; counts it as used. */
  pick(operation: Operation, endpointId: string): FaultRule | null;
}

/** Rules are tried in order; chance comes from a seed, so that a run repeats exactly. */
export function createFaults(seed: number): Faults {
  let active: { rule: FaultRule; timesLeft: number }[] = [];
  let random = createSeededRandom(seed);
  return {
    set: (rules) => {
      random = createSeededRandom(seed);
      active = (rules === null ? [] : [rules].flat()).map((rule) => ({ rule, timesLeft: rule.times ?? Infinity }));
    },
    pick: (operation, endpointId) => {
      for (const entry of active) {
        const { rule } = entry;
        if (rule.operation !== undefined && rule.operation !== operation) continue;
        if (rule.endpointId !== undefined && rule.endpointId !== endpointId) continue;
        if (entry.timesLeft <= 0 || random() >= (rule.probability ?? 1)) continue;
        entry.timesLeft -= 1;
        return rule;
      }
      return null;
    },
  };
}

/** The answer of a fault that keeps the request from being processed; null for the other kinds. */
export function refusalOf({ kind, status, retryAfterS }: FaultRule): Reply | null {
  if (kind === 'html') {
    const code = status ?? 502;
    const page = `<!doctype html>\n<html><head><title>${code}</title></head><body><h1>${code}</h1><p>The gateway could not answer.</p></body></html>\n`;
    return { status: code, body: page, headers: { 'content-type': 'text/html; charset=utf-8' } };
  }
  if (kind !== 'status') return null;
  const code = status ?? 500;
  if (code === 429) return tooManyReply('Too many requests.', retryAfterS ?? 1);
  const reply = errorReply(code, `The sandbox was told to answer ${code}.`);
  return retryAfterS === undefined ? reply : { ...reply, headers: { 'retry-after': String(retryAfterS) } };
}

/** The answer after the fault had its way with it. */
export function spoil(reply: Reply, kind: FaultKind): Reply {
  if (kind === 'truncated-json') return { ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length / 2)) };
  if (kind === 'invalid-json') return { ...reply, body: `{"id": ${reply.body.slice(1)}, oops` };
  return reply;
}
