import type { Budget, Closure } from '../../src-preload/app.ts';
import { endpointName, type Connection } from '../../src-preload/connection.ts';
import { refusedFigures } from '../messages/data/closures.ts';
import { budgetText, onlineWords } from '../messages/data/connection-state.ts';
import type { ShownConnectionState } from './connection-state.ts';

const leftOut: ReadonlySet<string> = new Set(['health', 'purge-queue']);
/** The service counts requests over ten seconds (spec: Limits). */
const windowMs = 10_000;
/** How many used-up budgets are named. Further ones are counted. */
const maxNamed = 3;

export interface BudgetText {
  /** The operation that is closest to its limit. `spent` and `allowed` are those of this operation. */
  operation: string;
  spent: number;
  allowed: number;
  why: string;
  lines: { name: string; figures: string }[];
  /** Why a budget is smaller than its share. Null if none is. */
  slowed: string | null;
  /** Which budget is used up, so that its next request waits. Null if none is. */
  used: string | null;
  /** Why requests wait now. Null if none does. */
  held: string | null;
  /** One line for each operation that the service currently refuses to this key (ruling 35). */
  refused: { name: string; figures: string }[];
}

/** What else is known of budgets. */
export interface BudgetFacts {
  /** Jobdeck's part of a limit, 0 to 1. */
  share: number;
  nowMs: number;
  /** When the budgets came. After ten seconds everything in them has expired. */
  readAtMs: number;
  /** The refused operations of the connection. */
  closures: readonly Closure[];
}

/**
 * The budget in the status bar: that budget of the current connection which is closest to used up, with all of them in
 * the tooltip (ruling 21). Two are left out: health reads have a limit of Jobdeck's own, and a purge allows one request
 * at a time and says so on its card. Null if no budget is in use.
 */
export function describeBudgets(
  budgets: readonly Budget[],
  connection: Connection | null,
  { share, nowMs, readAtMs, closures }: BudgetFacts,
): BudgetText | null {
  const isOver = nowMs - readAtMs > windowMs;
  const mine = budgets
    .filter((budget) => budget.connectionId === connection?.id && budget.allowed > 0 && !leftOut.has(budget.operation))
    .map((budget) => (isOver ? { ...budget, spent: 0 } : budget));
  const [tightest] = [...mine].sort((a, b) => b.spent / b.allowed - a.spent / a.allowed);
  if (tightest === undefined) return null;
  const name = (budget: Pick<Budget, 'operation' | 'endpointId'>): string => {
    const endpoint = connection?.endpoints.find((one) => one.id === budget.endpointId);
    return budgetText.name(budget.operation, endpoint === undefined ? budget.endpointId : endpointName(endpoint));
  };
  const isHeld = (budget: Budget): boolean => budget.heldUntilMs !== null && budget.heldUntilMs > nowMs;
  const refused = closures.map((closure) => ({ name: name(closure), figures: refusedFigures(closure, nowMs) }));
  const held = mine.find(isHeld);
  const used = mine.filter((budget) => budget.spent >= budget.allowed && !isHeld(budget));
  return {
    operation: tightest.operation,
    spent: tightest.spent,
    allowed: tightest.allowed,
    why: budgetText.why(share),
    lines: mine.slice(0, 8).map((budget) => ({
      name: name(budget),
      figures: [
        budgetText.spent(budget.spent, budget.allowed, budget.limit),
        ...(isSlowed(budget, share) ? [budgetText.slowedTo(budget.allowed / (budget.limit * share))] : []),
      ].join(', '),
    })),
    slowed: mine.some((budget) => isSlowed(budget, share)) ? budgetText.slowed : null,
    used:
      used.length === 0
        ? null
        : budgetText.usedUp(used.slice(0, maxNamed).map(name), Math.max(0, used.length - maxNamed)),
    held:
      held === undefined || held.heldUntilMs === null
        ? null
        : budgetText.held(held.reason ?? budgetText.tooMany, held.operation, held.heldUntilMs - nowMs),
    refused,
  };
}

/** Whether a 429 reduced the budget below its share of the limit. */
function isSlowed({ allowed, limit }: Budget, share: number): boolean {
  return allowed < Math.floor(limit * share);
}

/** Whether the connection answers, as shown in the status bar. */
export interface OnlineStatus {
  word: string;
  dot: 'on' | 'off' | 'none';
  isTrouble: boolean;
}

/** The word at the left of the status bar. */
export function onlineStatus(state: ShownConnectionState | null, isPaused: boolean): OnlineStatus {
  switch (state?.kind) {
    case undefined:
      return { word: onlineWords.none, dot: 'none', isTrouble: false };
    case 'sandbox-stopped':
      return { word: onlineWords['sandbox-stopped'], dot: 'off', isTrouble: true };
    case 'offline':
      return { word: onlineWords.offline, dot: 'off', isTrouble: true };
    case 'key-refused':
      return { word: onlineWords['key-refused'], dot: 'off', isTrouble: true };
    case 'no-key':
      return { word: onlineWords['no-key'], dot: 'off', isTrouble: true };
    case 'ready':
      return isPaused
        ? { word: onlineWords.paused, dot: 'none', isTrouble: false }
        : { word: onlineWords.ready, dot: 'on', isTrouble: false };
  }
}
