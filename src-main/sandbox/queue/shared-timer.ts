import type { Clock, ClockTimer } from '../clock.ts';

/** An entry that waits for a moment. Both fields belong to the {@link Deadlines} that contains it. */
export interface Timed {
  /** Its deadline, in clock milliseconds. */
  dueMs: number;
  /** Its index in the heap. -1 without a deadline. */
  heapIndex: number;
}

export interface Deadlines<T extends Timed> {
  /** Gives the entry this deadline instead of the one it may have. */
  set(entry: T, dueMs: number): void;
  delete(entry: T): void;
  /** Removes all entries. Later calls of `set` do nothing. */
  close(): void;
}

/** Longer delays overflow Node's timers, which would then fire immediately. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * The deadlines of any number of entries on a single timer: with a timer each, a hundred thousand jobs would need more
 * memory for the timers than for the jobs. `onDue` is called once for each entry when its deadline has passed, earliest
 * first; the entry then has no deadline and may get another.
 */
export function createDeadlines<T extends Timed>(clock: Clock, onDue: (entry: T) => void): Deadlines<T> {
  // A binary heap: no entry is due before the one above it.
  const heap: T[] = [];
  let timer: ClockTimer | null = null;
  let armedForMs = 0;
  let isFiring = false;
  let isClosed = false;

  function place(entry: T, index: number): void {
    heap[index] = entry;
    entry.heapIndex = index;
  }

  /** Moves the entry at `index` up or down to its place. */
  function settle(entry: T, index: number): void {
    let at = index;
    for (let above = (at - 1) >> 1; at > 0; above = (at - 1) >> 1) {
      const parent = heap[above];
      if (parent === undefined || parent.dueMs <= entry.dueMs) break;
      place(parent, at);
      at = above;
    }
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      const child = right !== undefined && left !== undefined && right.dueMs < left.dueMs ? right : left;
      if (child === undefined || child.dueMs >= entry.dueMs) break;
      const below = child.heapIndex;
      place(child, at);
      at = below;
    }
    place(entry, at);
  }

  function take(entry: T): void {
    const index = entry.heapIndex;
    const last = heap.pop();
    entry.heapIndex = -1;
    if (last !== undefined && last !== entry) settle(last, index);
  }

  function disarm(): void {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  }

  /**
   * A timer for a deadline that was moved later is left to fire without effect, because that is cheaper than setting it
   * again each time.
   */
  function arm(): void {
    if (isFiring) return;
    const [first] = heap;
    if (first === undefined) return disarm();
    if (timer !== null && armedForMs <= first.dueMs) return;
    disarm();
    armedForMs = first.dueMs;
    timer = clock.setTimeout(fire, Math.min(LONGEST_DELAY_MS, Math.max(0, first.dueMs - clock.now())));
  }

  function fire(): void {
    timer = null;
    isFiring = true;
    try {
      for (let [first] = heap; first !== undefined && first.dueMs <= clock.now(); [first] = heap) {
        take(first);
        onDue(first);
      }
    } finally {
      isFiring = false;
      arm();
    }
  }

  return {
    set: (entry, dueMs) => {
      if (isClosed) return;
      if (entry.heapIndex === -1) {
        entry.heapIndex = heap.length;
        heap.push(entry);
      }
      entry.dueMs = dueMs;
      settle(entry, entry.heapIndex);
      arm();
    },
    delete: (entry) => {
      if (entry.heapIndex === -1) return;
      take(entry);
      arm();
    },
    close: () => {
      isClosed = true;
      for (const entry of heap) entry.heapIndex = -1;
      heap.length = 0;
      disarm();
    },
  };
}
