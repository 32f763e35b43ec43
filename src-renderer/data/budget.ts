import type { Budget, Closure } from '../../src-preload/app.ts';
import { endpointName, type Connection } from '../../src-preload/connection.ts';
import { formatCount, formatIn } from '../../src-preload/format.ts';
import type { Condition } from './condition.ts';

const leftOut: ReadonlySet<string> = new Set(['health', 'purge-queue']);
/** The service counts requests over ten seconds (spec: Limits). */
const windowMs = 10_000;

export interface BudgetText {
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

/**
 * The budget in the status bar: that budget of the current connection which is closest to used up, with all of them in
 * the tooltip (ruling 21). Two are left out: health reads have a limit of Jobdeck's own, and a purge allows one request
 * at a time and says so on its card. `readAtMs` is when the figures came; after ten seconds everything in them has
 * expired. Null if no budget is in use. `closures` are the refused operations of the connection.
 */
export function describeBudgets(
  budgets: readonly Budget[],
  connection: Connection | null,
  share: number,
  nowMs: number,
  readAtMs = nowMs,
  closures: readonly Closure[] = [],
): BudgetText | null {
  const isOver = nowMs - readAtMs > windowMs;
  const mine = budgets
    .filter((budget) => budget.connectionId === connection?.id && budget.allowed > 0 && !leftOut.has(budget.operation))
    .map((budget) => (isOver ? { ...budget, spent: 0 } : budget));
  const [tightest] = [...mine].sort((a, b) => b.spent / b.allowed - a.spent / a.allowed);
  if (tightest === undefined) return null;
  const name = (budget: Pick<Budget, 'operation' | 'endpointId'>): string => {
    const endpoint = connection?.endpoints.find((one) => one.id === budget.endpointId);
    return `${budget.operation}, ${endpoint === undefined ? budget.endpointId : endpointName(endpoint)}`;
  };
  const isHeld = (budget: Budget): boolean => budget.heldUntilMs !== null && budget.heldUntilMs > nowMs;
  const refused = closures.map((closure) => ({ name: name(closure), figures: refusedFigures(closure, nowMs) }));
  const held = mine.find(isHeld);
  const used = mine.filter((budget) => budget.spent >= budget.allowed && !isHeld(budget));
  return {
    spent: tightest.spent,
    allowed: tightest.allowed,
    why:
      `The service's limits are shared with everything else that uses this key, so Jobdeck uses at most ` +
      `${Math.round(share * 100)} % of them.`,
    lines: mine.slice(0, 8).map((budget) => ({
      name: name(budget),
      figures:
        `${formatCount(budget.spent)} / ${formatCount(budget.allowed)} of ${formatCount(budget.limit)}` +
        (isSlowed(budget, share) ? `, slowed to ${slowedTo(budget, share)}` : ''),
    })),
    slowed: mine.some((budget) => isSlowed(budget, share))
      ? 'Slowed: the service answered 429, so Jobdeck uses less of its share there. The share recovers as ' +
        'requests succeed.'
      : null,
    used:
      used.length === 0
        ? null
        : `Used up: ${used.slice(0, 3).map(name).join('; ')}` +
          `${used.length > 3 ? ` and ${formatCount(used.length - 3)} more` : ''}. ` +
          'New requests there wait a few seconds.',
    held:
      held === undefined || held.heldUntilMs === null
        ? null
        : `${held.reason ?? 'The service answered 429'}. Next ${held.operation} in ` +
          `${Math.max(1, Math.ceil((held.heldUntilMs - nowMs) / 1000))} s.`,
    refused,
  };
}

/** `refused (403), next try in 2:10`. */
export function refusedFigures(
  { httpStatus, nextTryMs }: Pick<Closure, 'httpStatus' | 'nextTryMs'>,
  nowMs: number,
): string {
  return `refused (${httpStatus}), ${nextTryText(nextTryMs, nowMs)}`;
}

/** `next try in 2:10`. Null while a try is in progress. */
export function nextTryText(nextTryMs: number | null, nowMs: number): string {
  return nextTryMs === null || nextTryMs <= nowMs ? 'trying now' : `next try ${formatIn(nextTryMs - nowMs)}`;
}

/** Whether a 429 reduced the budget below its share of the limit. */
function isSlowed({ allowed, limit }: Budget, share: number): boolean {
  return allowed < Math.floor(limit * share);
}

/** What a 429 left of its share, such as `4 %`. */
function slowedTo({ allowed, limit }: Budget, share: number): string {
  return `${Math.max(1, Math.round((allowed / (limit * share)) * 100))} %`;
}

/** Whether the connection answers, as shown in the status bar. */
export interface OnlineStatus {
  word: string;
  dot: 'on' | 'off' | 'none';
  isTrouble: boolean;
}

/** The word at the left of the status bar. */
export function onlineStatus(state: Condition | null, isPaused: boolean): OnlineStatus {
  switch (state?.kind) {
    case undefined:
      return { word: 'No connection', dot: 'none', isTrouble: false };
    case 'sandbox-stopped':
      return { word: 'Sandbox stopped', dot: 'off', isTrouble: true };
    case 'offline':
      return { word: 'Offline', dot: 'off', isTrouble: true };
    case 'key-refused':
      return { word: 'Key refused', dot: 'off', isTrouble: true };
    case 'no-key':
      return { word: 'No key', dot: 'off', isTrouble: true };
    case 'ready':
      return isPaused
        ? { word: 'Paused', dot: 'none', isTrouble: false }
        : { word: 'Online', dot: 'on', isTrouble: false };
  }
}
