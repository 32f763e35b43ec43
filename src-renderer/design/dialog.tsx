import { Dialog as Base } from '@base-ui/react/dialog';
import type { CSSProperties, ReactNode } from 'react';
import { returnFocus } from './return-focus.ts';
import styles from './sheet.module.css';

interface PopupProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  className: string | undefined;
  style: CSSProperties | undefined;
  /** Accessible name, where no title within gives it. */
  label?: string;
}

/** What lies over the window: Escape and the scrim close it. */
function Popup({ isOpen, onClose, children, className, style, label }: PopupProps) {
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Popup className={className} finalFocus={returnFocus} aria-label={label} style={style}>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, the primary one last. */
  actions?: ReactNode;
  width?: number | undefined;
}

/** A question that must be answered, or a short list to read. */
export function Dialog({ title, isOpen, onClose, children, actions, width }: DialogProps) {
  const style = width === undefined ? undefined : { width: `min(${width}px, calc(100vw - 32px))` };
  return (
    <Popup isOpen={isOpen} onClose={onClose} className={styles.dialog} style={style}>
      <Base.Title className={styles.title}>{title}</Base.Title>
      <div className={styles.body}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </Popup>
  );
}

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

/** A large working surface over the window: the composer, the settings. */
export function Sheet({ label, isOpen, onClose, children, width = 1208, height = 828 }: SheetProps) {
  const style = { width: `min(${width}px, calc(100vw - 32px))`, height: `min(${height}px, calc(100vh - 64px))` };
  return (
    <Popup isOpen={isOpen} onClose={onClose} className={styles.sheet} style={style} label={label}>
      {children}
    </Popup>
  );
}
