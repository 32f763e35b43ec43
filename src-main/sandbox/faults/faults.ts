import { systemClock } from '../clock.ts';
import { createSeededRandom } from '../seeded-random.ts';
import { FAULT_KINDS } from './fault-rule.ts';
import type { FaultKind, FaultOperation, FaultRule } from './fault-rule.ts';

/** Something a rule may hit. */
export interface FaultTarget {
  operation: FaultOperation;
  /** Null for the management interface, which belongs to no endpoint. */
  endpointId: string | null;
}

export interface Faults {
  /** Replaces all rules, and begins their chance and their time anew; null takes them away. */
  set(rules: FaultRule | readonly FaultRule[] | null): void;
  rules(): FaultRule[];
  /** How often each rule has hit, in the order of the rules. */
  hits(): number[];
  /**
   * The first rule of one of these kinds that hits the target, counted as used. `applies` is asked only when a rule
   * could hit, and a rule that it refuses is neither used up nor does its chance move on.
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
  // A rule for "every operation" means requests; only what is about webhooks alone also means those.
  if (operation === 'webhook' && rule.kind !== 'drop-webhook') return false;
  const operations: readonly FaultOperation[] = FAULT_KINDS[rule.kind];
  return operations.includes(operation);
}

/**
 * The rules in force, tried in order. Each has a chance of its own from the seed and its place, drawn whether or not
 * an earlier rule hits first: a run repeats exactly, and one rule does not move the hits of another. `now`: the
 * service's time in milliseconds, for rules that last.
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
