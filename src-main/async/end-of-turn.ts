/**
 * Calls `run` at the end of this turn of the event loop: after all promise callbacks of the current turn, and before
 * anything else happens (a message of a thread, a reply, a timer).
 */
export function atEndOfTurn(run: () => void): void {
  // A tick comes before the promises that are settled already, unless one of them plans it: then it comes after all.
  queueMicrotask(() => process.nextTick(run));
}

/** Resolves at the end of this turn of the event loop, after everything that `atEndOfTurn` runs there. */
export function endOfTurn(): Promise<void> {
  return new Promise(atEndOfTurn);
}
