import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { returnFocus } from './return-focus.ts';
import styles from './sheet.module.css';

export interface SheetProps {
  /** Accessible name. */
  label: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Widest it gets, in pixels; the height is what the window leaves. */
  width?: number | undefined;
  /** Highest it gets, in pixels. */
  height?: number | undefined;
}

/** A large working surface over the window: the composer, the settings. Escape and the scrim close it. */
export function Sheet({ label, isOpen, onClose, children, width = 1208, height = 828 }: SheetProps) {
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Popup
          className={styles.sheet}
          finalFocus={returnFocus}
          aria-label={label}
          style={{ width: `min(${width}px, calc(100vw - 32px))`, height: `min(${height}px, calc(100vh - 64px))` }}
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
