import type { EndpointRef } from '../../src-preload/endpoint-key.ts';
import type { Budget, Closure } from '../../src-preload/app.ts';
import { ownPurgesPerWindow } from '../../src-preload/purge.ts';
import type { BudgetFacts } from '../data/budget.ts';

/** Base limits per 10 seconds (spec: Limits). */
const baseLimits: Readonly<Record<string, number>> = {
  run: 1_000,
  runsync: 2_000,
  status: 2_000,
  stream: 2_000,
  cancel: 100,
  'purge-queue': 2,
};
/** Always shown, in this order. Other operations are shown only while they are in use. */
const alwaysShown = ['run', 'status', 'stream', 'cancel', 'purge-queue'] as const;
/** The service counts requests over ten seconds (spec: Limits). */
const windowMs = 10_000;

export interface BudgetRow {
  operation: string;
  spent: number;
  /** How much of it Jobdeck may use (ruling 21). */
  allowed: number;
  limit: number;
  /** Seconds until the next try, while a 429 or an outage delays this operation. Otherwise null. */
  heldForS: number | null;
  /** Set while the service refuses this operation to the key (ruling 35). */
  closure: Closure | null;
}

/**
 * An endpoint's request budgets, the usual operations first. Health reads are left out: their limit is Jobdeck's own.
 */
export function budgetRows(
  budgets: readonly Budget[],
  of: EndpointRef,
  { share, nowMs, readAtMs, closures }: BudgetFacts,
): BudgetRow[] {
  const mine = budgets.filter(
    (budget) =>
      budget.connectionId === of.connectionId &&
      budget.endpointId === of.endpointId &&
      baseLimits[budget.operation] !== undefined,
  );
  const others = mine
    .map((budget) => budget.operation)
    .filter((operation) => !alwaysShown.some((one) => one === operation));
  return [...alwaysShown, ...new Set(others)].map((operation) => {
    const budget = mine.find((one) => one.operation === operation);
    const limit = budget?.limit ?? baseLimits[operation] ?? 0;
    const held = budget?.heldUntilMs ?? null;
    return {
      operation,
      spent: nowMs - readAtMs > windowMs ? 0 : (budget?.spent ?? 0),
      allowed:
        operation === 'purge-queue' ? ownPurgesPerWindow : (budget?.allowed ?? Math.max(1, Math.floor(limit * share))),
      limit,
      heldForS: held !== null && held > nowMs ? Math.ceil((held - nowMs) / 1_000) : null,
      closure:
        closures.find(
          (closure) =>
            closure.connectionId === of.connectionId &&
            closure.endpointId === of.endpointId &&
            closure.operation === operation,
        ) ?? null,
    };
  });
}
