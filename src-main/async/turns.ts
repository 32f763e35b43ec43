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

/** The work done in one turn of the event loop: rows, or characters of input. */
const atOnce = { rows: 50, chars: 200_000 };

/** Does `work` over `all` in parts, each in a turn of the event loop of its own, so that nothing else is blocked. */
export async function inParts(
  all: readonly string[],
  work: (slice: readonly string[], from: number) => void | Promise<void>,
): Promise<void> {
  for (let from = 0; from < all.length;) {
    let to = from;
    for (let chars = 0; to < all.length && to - from < atOnce.rows && (to === from || chars < atOnce.chars); to += 1)
      chars += all[to]?.length ?? 0;
    await work(all.slice(from, to), from);
    from = to;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
