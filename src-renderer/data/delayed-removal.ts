import { create } from 'zustand';
import { toast, undoAction } from '../design/toast.tsx';

/** How long something that disappears from the screen can be brought back. */
export const undoMs = 8_000;

interface RemovalParts<T> {
  idOf: (item: T) => string;
  /** Removes it for good. Returns what the user must know if it did not, or null. */
  remove: (item: T) => Promise<string | null>;
}

/** The removal of things from a list, each with an undo. */
export interface DelayedRemoval<T> {
  /** `items` without those that were removed and can still come back. */
  useShown: (items: readonly T[] | undefined) => readonly T[] | undefined;
  /** The same for now, outside of components. */
  shownNow: (items: readonly T[]) => readonly T[];
  /** Hides an item immediately. It is removed for good when the time to undo has passed. */
  remove: (item: T, message: string) => void;
}

/**
 * Creates the removal of one kind of thing. Only this window knows of what waits to be removed: if it is closed
 * meanwhile, nothing is removed.
 */
export function createDelayedRemoval<T>({ idOf, remove }: RemovalParts<T>): DelayedRemoval<T> {
  const useHidden = create<ReadonlySet<string>>(() => new Set());
  const without = (items: readonly T[], hidden: ReadonlySet<string>): readonly T[] =>
    hidden.size === 0 ? items : items.filter((item) => !hidden.has(idOf(item)));
  const show = (item: T): void =>
    useHidden.setState(new Set([...useHidden.getState()].filter((id) => id !== idOf(item))), true);
  const finish = async (item: T): Promise<void> => {
    const problem = await remove(item);
    show(item);
    if (problem !== null) toast(problem);
  };
  return {
    useShown: (items) => {
      const hidden = useHidden();
      return items === undefined ? undefined : without(items, hidden);
    },
    shownNow: (items) => without(items, useHidden.getState()),
    remove: (item, message) => {
      useHidden.setState(new Set([...useHidden.getState(), idOf(item)]), true);
      toast(message, {
        shownMs: undoMs,
        action: undoAction(() => show(item)),
        onGone: () => void finish(item),
      });
    },
  };
}
