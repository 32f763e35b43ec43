/** A limit holds in any ten seconds (spec: Limits; ruling 21). */
const windowMs = 10_000;
/** Requests sent evenly arrive unevenly: the window is kept this much longer than the service's. */
const jitterMs = 250;
/** So long after it was begun, a request counts no more. */
export const windowEndsAfterMs = windowMs + jitterMs;
/** The allowance comes back by this part of the share a second. */
const recoveryPerSecond = 0.01;

/** What one connection did with one operation of one endpoint. What may be spent is a matter of all of its account. */
export interface LaneUse {
  /** Start times inside the window, oldest first, from `head` on. */
  starts: number[];
  head: number;
  inFlight: number;
  /** Part of the share that is used, as it was at `factorAtMs`. */
  factor: number;
  factorAtMs: number;
  heldUntilMs: number;
  /** Step of the back-off ladder, 0 when calm. */
  step: number;
}

/** Nothing was done yet. */
export function newLaneUse(): LaneUse {
  return { starts: [], head: 0, inFlight: 0, factor: 1, factorAtMs: 0, heldUntilMs: 0, step: 0 };
}

/** Requests begun inside the window. */
export function spentBy(shared: readonly LaneUse[]): number {
  return shared.reduce((sum, { starts, head }) => sum + starts.length - head, 0);
}

/** Requests under way. */
export function inFlightOf(shared: readonly LaneUse[]): number {
  return shared.reduce((sum, { inFlight }) => sum + inFlight, 0);
}

/** Until when a 429 to any of them stops all; in the past where none does. */
export function heldUntil(shared: readonly LaneUse[]): number {
  return Math.max(...shared.map(({ heldUntilMs }) => heldUntilMs));
}

/** 429s in a row, whomever they were said to. */
export function stepOf(shared: readonly LaneUse[]): number {
  return Math.max(...shared.map(({ step }) => step));
}

/** The part of the share that is used now: the smallest of them, for whichever was answered 429 slows all. */
export function factorNow(shared: readonly LaneUse[], nowMs: number): number {
  // Nothing comes back while they are held.
  const heldUntilMs = heldUntil(shared);
  return Math.min(
    ...shared.map((use) => {
      if (use.factor >= 1) return 1;
      const calmMs = Math.max(0, nowMs - Math.max(use.factorAtMs, heldUntilMs));
      return Math.min(1, use.factor + (calmMs / 1_000) * recoveryPerSecond);
    }),
  );
}

/**
 * When the `place`th request from the last one was begun, counted over all of them; null where there are not so many.
 */
export function startFromLast(shared: readonly LaneUse[], place: number): number | null {
  const latest = shared.map(({ starts, head }) => starts.slice(Math.max(head, starts.length - place)));
  // One alone is in order already, as nearly all are.
  const [only = []] = latest;
  const starts = latest.length === 1 ? only : latest.flat().toSorted((a, b) => a - b);
  return starts.at(-place) ?? null;
}

/** Takes out what counts no more. */
export function forgetOld(use: LaneUse, nowMs: number): void {
  const oldest = nowMs - windowEndsAfterMs;
  while (use.head < use.starts.length && (use.starts[use.head] ?? nowMs) <= oldest) use.head += 1;
  // Moving the head is cheap; the array itself is cut when half of it is past.
  if (use.head > 256 && use.head * 2 > use.starts.length) {
    use.starts = use.starts.slice(use.head);
    use.head = 0;
  }
}
