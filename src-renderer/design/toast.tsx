import { X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { create } from 'zustand';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import styles from './toast.module.css';

export interface ToastOptions {
  /** A status glyph or icon at the left. */
  glyph?: ReactNode;
  action?: { label: string; onSelect: () => void } | undefined;
}

interface ToastItem extends ToastOptions {
  id: number;
  message: string;
}

const shownMs = 5_000;
/** Longer where there is something to press. */
const shownWithActionMs = 9_000;
const mostShown = 3;

/** The toasts on view, the newest last. */
export const useToasts = create<{ items: ToastItem[] }>(() => ({ items: [] }));
let lastId = 0;

/** Says in passing that something is done. Never for an error that needs action (design language: Do not). */
export function toast(message: string, options: ToastOptions = {}): void {
  lastId += 1;
  const item: ToastItem = { id: lastId, message, ...options };
  useToasts.setState(({ items }) => ({
    items: [...items.filter((one) => one.message !== message), item].slice(-mostShown),
  }));
}

function dismiss(id: number): void {
  useToasts.setState(({ items }) => ({ items: items.filter((item) => item.id !== id) }));
}

/** Rendered once by app.tsx. */
export function Toasts() {
  const items = useToasts((state) => state.items);
  return (
    <div className={styles.stack} role="status" aria-live="polite">
      {items.map((item) => (
        <ToastLine key={item.id} item={item} />
      ))}
    </div>
  );
}

function ToastLine({ item }: { item: ToastItem }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => dismiss(item.id), item.action === undefined ? shownMs : shownWithActionMs);
    return () => clearTimeout(timer);
  }, [isHeld, item]);
  return (
    <div className={styles.toast} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      {item.glyph}
      <span className={styles.message}>{item.message}</span>
      {item.action !== undefined && (
        <Button
          variant="ghost"
          size="sm"
          onClick={() => {
            item.action?.onSelect();
            dismiss(item.id);
          }}
        >
          {item.action.label}
        </Button>
      )}
      <IconButton label="Dismiss" size="sm" hasSmallGlyph icon={<X />} onClick={() => dismiss(item.id)} />
    </div>
  );
}
