import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { create } from 'zustand';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { StatusGlyph } from './status-glyph.tsx';
import { commonText, undoneText } from '../messages/common.ts';
import { dropUndoable, lastUndoable, noteUndoable } from './undo-stack.ts';
import styles from './toast.module.css';

interface ToastAction {
  label: string;
  onSelect: () => void;
  /** It undoes what the toast reports, and sends nothing. The undo key does it too, even when the toast is gone. */
  isUndo?: true;
  /** Whether an undo can still be done: what it restores may be deleted for good meanwhile. */
  isPossible?: (() => boolean) | undefined;
}

/** The action that undoes what a toast reports. It must send nothing (docs/decisions/099). */
export function undoAction(
  onSelect: () => void,
  { label = commonText.undo, isPossible }: { label?: string; isPossible?: () => boolean } = {},
): ToastAction {
  return { label, onSelect, isUndo: true, isPossible };
}

interface ToastOptions {
  /** An icon on the left, or the glyph of the result. */
  glyph?: ReactElement | 'done' | 'fail';
  action?: ToastAction | undefined;
  /** Called when the toast is gone and its action was not chosen, so that the action can no longer be undone. */
  onGone?: () => void;
  shownMs?: number;
  /** Replaces the toast before it with the same slot. */
  slot?: string;
}

interface ToastItem extends ToastOptions {
  id: number;
  message: string;
}

const shownMs = 5_000;
/** Longer if there is an action. */
const shownWithActionMs = 9_000;
const maxShown = 3;

/** The toasts on screen, the newest last. */
export const useToasts = create<{ items: ToastItem[] }>(() => ({ items: [] }));
let lastId = 0;

/**
 * Shows a short message about something that was done. Never for an error that needs an action (design language: Do
 * not).
 */
export function toast(message: string, options: ToastOptions = {}): void {
  lastId += 1;
  const item: ToastItem = { id: lastId, message, ...options };
  const { action } = options;
  if (action?.isUndo === true)
    noteUndoable({ id: lastId, message, atMs: Date.now(), undo: action.onSelect, isPossible: action.isPossible });
  const before = useToasts.getState().items;
  // The same message is shown once, unless each has an action of its own.
  const others = before.filter(
    (one) =>
      (options.slot === undefined || one.slot !== options.slot) &&
      (one.message !== message || one.onGone !== undefined || one.action?.isUndo === true),
  );
  const items = [...others, item].slice(-maxShown);
  useToasts.setState({ items });
  for (const one of others) if (!items.includes(one)) end(one);
}

/** A toast is gone, and its action was not chosen. What it waited for cannot be undone then. */
function end({ id, onGone }: ToastItem): void {
  if (onGone === undefined) return;
  dropUndoable(id);
  onGone();
}

/** What the undo key would undo now, as its toast says it. Null: nothing. */
export function nextUndo(): string | null {
  return lastUndoable(Date.now())?.message ?? null;
}

/** Undoes the last thing that can be undone, and says what that was. Returns whether there was one. */
export function undoLast(): boolean {
  const last = lastUndoable(Date.now());
  if (last === null) return false;
  dropUndoable(last.id);
  useToasts.setState(({ items }) => ({ items: items.filter(({ id }) => id !== last.id) }));
  toast(undoneText(last.message), { slot: 'undone' });
  last.undo();
  return true;
}

/** Removes the offers to undo what can no longer be undone. */
export function dropImpossible(): void {
  useToasts.setState(({ items }) => ({ items: items.filter(({ action }) => action?.isPossible?.() !== false) }));
}

function dismiss(id: number, isChosen = false): void {
  const { items } = useToasts.getState();
  const gone = items.find((item) => item.id === id);
  useToasts.setState({ items: items.filter((item) => item !== gone) });
  if (gone === undefined) return;
  if (!isChosen) return end(gone);
  dropUndoable(id);
  gone.action?.onSelect();
}

/**
 * Rendered once by app.tsx, over dialogs too: what is done in one is reported there. F6 focuses the newest toast, and
 * returns from it.
 */
export function Toasts() {
  const items = useToasts((state) => state.items);
  const stack = useRef<HTMLDivElement>(null);
  useToastKey(stack);
  return createPortal(
    <div ref={stack} className={styles.stack} role="status" aria-live="polite" data-toasts>
      {items.map((item) => (
        <ToastLine key={item.id} item={item} />
      ))}
    </div>,
    document.body,
  );
}

/**
 * Toasts are last in the document. This key reaches their buttons without the Tab key passing through everything
 * before.
 */
function useToastKey(stack: RefObject<HTMLElement | null>): void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const newest = [...(stack.current?.children ?? [])].at(-1)?.querySelector('button');
      if (event.key !== 'F6' || newest == null) return;
      event.preventDefault();
      const { activeElement } = document;
      const isBack = stack.current?.contains(activeElement) === true;
      if (!isBack) before.current = activeElement;
      const target = isBack ? before.current : newest;
      if (target instanceof HTMLElement) target.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [stack]);
}

function ToastLine({ item }: { item: ToastItem }) {
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const isHeld = isPointedAt || hasFocus;
  useEffect(() => {
    if (isHeld) return undefined;
    return countTimeShown(item.shownMs ?? (item.action === undefined ? shownMs : shownWithActionMs), () =>
      dismiss(item.id),
    );
  }, [isHeld, item]);
  return (
    <div
      className={styles.toast}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget))}
    >
      {item.glyph === 'done' || item.glyph === 'fail' ? <StatusGlyph kind={item.glyph} size={16} /> : item.glyph}
      <span className={styles.message}>{item.message}</span>
      {item.action !== undefined && (
        <Button variant="ghost" size="sm" onClick={() => dismiss(item.id, true)}>
          {item.action.label}
        </Button>
      )}
      <IconButton label={commonText.dismiss} size="sm" hasSmallGlyph icon={<X />} onClick={() => dismiss(item.id)} />
    </div>
  );
}

/** Milliseconds that a timer counts for, however late it is. */
const stepMs = 500;

/**
 * Calls `onOver` when something was on screen for `shownMs`. Time in which the window does nothing, because the
 * computer is too busy, does not count: nothing can be read or pressed in it. Returns the function that ends the count.
 */
export function countTimeShown(shownMs: number, onOver: () => void): () => void {
  let leftMs = shownMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (): void => {
    if (leftMs <= 0) {
      onOver();
      return;
    }
    const waitMs = Math.min(stepMs, leftMs);
    leftMs -= waitMs;
    timer = setTimeout(next, waitMs);
  };
  next();
  return () => clearTimeout(timer);
}
