import type { Budget } from '../../src-preload/app.ts';
import { maxBackoffMs } from '../../src-preload/backoff.ts';
import { slowedText } from '../messages/windows/states.tsx';

/** A wait is shown from this many 429s in a row on. Earlier ones are over soon. */
const shownFromStep = 2;
/** At most this many waits are drawn, because the first ones are very short. */
const stepsShown = 4;

/** The operation of a connection that waits longest after 429s in a row, or is tried again after them. Pure. */
export function slowedLane(budgets: readonly Budget[], connectionId: string): Budget | null {
  const slowed = budgets.filter(
    (budget) => budget.connectionId === connectionId && budget.backoffStep >= shownFromStep,
  );
  return slowed.toSorted((one, other) => (other.heldUntilMs ?? 0) - (one.heldUntilMs ?? 0))[0] ?? null;
}

/** The parts of a connection that the 429s do not affect. Pure. */
export function stillWorks(budgets: readonly Budget[], connectionId: string): string {
  const isHeld = (operation: string): boolean =>
    budgets.some(
      (budget) => budget.connectionId === connectionId && budget.operation === operation && budget.heldUntilMs !== null,
    );
  if (!isHeld('run')) return slowedText.submittingWorks;
  return isHeld('status') ? slowedText.newJobsWait : slowedText.onlyNewJobsWait;
}

export interface BackoffLadder {
  /** The waits, with the current one last. For earlier ones, the longest possible wait. */
  steps: { step: number; waitMs: number; isCurrent: boolean }[];
  /** How much of the current wait is over, 0 to 1. */
  done: number;
}

/** The waits after 429s of an operation so far. Pure. */
export function backoffLadder(
  { backoffStep, heldSinceMs, heldUntilMs }: Pick<Budget, 'backoffStep' | 'heldSinceMs' | 'heldUntilMs'>,
  nowMs: number,
): BackoffLadder {
  const earlier = Array.from({ length: Math.max(0, backoffStep - 1) }, (_, step) => ({
    step,
    waitMs: maxBackoffMs(step),
    isCurrent: false,
  })).slice(1 - stepsShown);
  if (heldSinceMs === null || heldUntilMs === null || heldUntilMs <= heldSinceMs)
    return {
      steps: [...earlier, { step: backoffStep, waitMs: maxBackoffMs(backoffStep - 1), isCurrent: true }],
      done: 1,
    };
  const waitMs = heldUntilMs - heldSinceMs;
  return {
    steps: [...earlier, { step: backoffStep, waitMs, isCurrent: true }],
    done: Math.min(1, Math.max(0, (nowMs - heldSinceMs) / waitMs)),
  };
}
