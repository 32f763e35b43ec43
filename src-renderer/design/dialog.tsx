import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { returnFocus } from './return-focus.ts';
import styles from './sheet.module.css';

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
          className={styles.dialog}
          finalFocus={returnFocus}
          style={width === undefined ? undefined : { width: `min(${width}px, calc(100vw - 32px))` }}
        >
          <Base.Title className={styles.title}>{title}</Base.Title>
          <div className={styles.body}>{children}</div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
