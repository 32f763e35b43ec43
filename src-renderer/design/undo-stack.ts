import { minuteMs } from '../../src-preload/durations.ts';

/** Something that was done and can be undone. */
export interface Undoable {
  /** Of the toast that offers it. */
  id: number;
  /** What was done, as the toast says it. */
  message: string;
  atMs: number;
  undo: () => void;
  /** Whether it can still be undone. Always, if it is missing. */
  isPossible?: (() => boolean) | undefined;
}

/** How long the undo key reaches what was done, even if its toast is gone. */
export const undoableForMs = 5 * minuteMs;
/** How far back the undo key reaches. */
const most = 20;

let items: readonly Undoable[] = [];

/** Notes what can be undone from now on. */
export function noteUndoable(item: Undoable): void {
  items = [...items, item].slice(-most);
}

/** It was undone, or can no longer be. */
export function dropUndoable(id: number): void {
  items = items.filter((item) => item.id !== id);
}

/** The last thing that can be undone now, or null. */
export function lastUndoable(nowMs: number): Undoable | null {
  // A clock that was put back makes nothing undoable for longer.
  return (
    items.findLast(
      ({ atMs, isPossible }) => Math.abs(nowMs - atMs) <= undoableForMs && (isPossible === undefined || isPossible()),
    ) ?? null
  );
}
