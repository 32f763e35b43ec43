import { Dialog as Base } from '@base-ui/react/dialog';
import type { CSSProperties, ReactNode } from 'react';
import { classes } from './class-names.ts';
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
  takeFocus?: TakeFocus | undefined;
}

/** Puts the focus where it belongs when the popup opens; false leaves it to the first control. */
type TakeFocus = () => boolean;

/** What lies over the window: Escape and the scrim close it. */
function Popup({ isOpen, onClose, children, className, style, label, takeFocus }: PopupProps) {
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
          className={className}
          initialFocus={takeFocus === undefined ? undefined : () => !takeFocus()}
          finalFocus={returnFocus}
          aria-label={label}
          style={style}
        >
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
  /** It is text to read: long text scrolls by key, and so takes the focus. */
  isText?: boolean;
}

/** A question that must be answered, or a short list to read. */
export function Dialog({ title, isOpen, onClose, children, actions, width, isText = false }: DialogProps) {
  const style = width === undefined ? undefined : { width: `min(${width}px, calc(100vw - 32px))` };
  return (
    <Popup isOpen={isOpen} onClose={onClose} className={classes(styles.dialog, isText && styles.reading)} style={style}>
      <Base.Title className={styles.title}>{title}</Base.Title>
      <div className={styles.body} tabIndex={isText ? 0 : undefined}>
        {children}
      </div>
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
  /** Its width in pixels, where the window has it. */
  width?: number | undefined;
  /** Its height in pixels, where the window has it. */
  height?: number | undefined;
  /** On a large screen it grows with the window: for what is worked in, not for forms. */
  isRoomy?: boolean | undefined;
  takeFocus?: TakeFocus | undefined;
}

/** A large working surface over the window: the composer, the settings. */
export function Sheet({
  label,
  isOpen,
  onClose,
  children,
  width = 1208,
  height = 828,
  isRoomy = false,
  takeFocus,
}: SheetProps) {
  const [wide, high] = isRoomy ? [`max(${width}px, 64vw)`, `max(${height}px, 84vh)`] : [`${width}px`, `${height}px`];
  const style = { width: `min(${wide}, calc(100vw - 32px))`, height: `min(${high}, calc(100vh - 64px))` };
  return (
    <Popup isOpen={isOpen} onClose={onClose} className={styles.sheet} style={style} label={label} takeFocus={takeFocus}>
      {children}
    </Popup>
  );
}
