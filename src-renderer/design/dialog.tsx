import { Dialog as Base } from '@base-ui/react/dialog';
import type { CSSProperties, KeyboardEvent, ReactNode, Ref } from 'react';
import { classes } from './class-names.ts';
import { returnFocus } from './keyboard/return-focus.ts';
import styles from './sheet.module.css';

interface PopupProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  className: string | undefined;
  style: CSSProperties | undefined;
  /** The accessible name, if there is no title inside. */
  label?: string;
  takeFocus?: TakeFocus | undefined;
}

/** Focuses the right element when the popup opens. False leaves it to the first control. */
type TakeFocus = () => boolean;

/** A layer over the window. Escape and a click outside close it. */
function Popup({ isOpen, onClose, children, className, style, label, takeFocus }: PopupProps) {
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open, { event }) => {
        if (!open && !isOnToast(event)) onClose();
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
          onKeyDown={noteTab}
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** A toast lies over the dialog: a press on it is meant for it alone. */
function isOnToast({ target }: Event): boolean {
  return target instanceof Element && target.closest('[data-toasts]') !== null;
}

/** A part that loads late then leaves the focus where the user brought it. */
function noteTab({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  if (key === 'Tab') currentTarget.dataset['tabbed'] = '';
}

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** The buttons. The primary one is last. */
  actions?: ReactNode;
  width?: number | undefined;
  /** A long text. Without a control before it, it gets the focus, so that keys scroll it. */
  isText?: boolean;
  /** Controls beside the title, such as a search of the text. */
  tools?: ReactNode;
  bodyRef?: Ref<HTMLDivElement>;
}

/** A question that must be answered, or a short text to read. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  actions,
  width,
  isText = false,
  tools,
  bodyRef,
}: DialogProps) {
  const style = width === undefined ? undefined : { width: `min(${width}px, calc(100vw - 32px))` };
  return (
    <Popup isOpen={isOpen} onClose={onClose} className={classes(styles.dialog, isText && styles.reading)} style={style}>
      <div className={styles.head}>
        <Base.Title className={styles.title}>{title}</Base.Title>
        {tools}
      </div>
      <div ref={bodyRef} className={styles.body} tabIndex={isText ? 0 : undefined}>
        {children}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </Popup>
  );
}

export interface SheetProps {
  /** The accessible name. */
  label: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Its width in pixels, if the window is wide enough. */
  width?: number | undefined;
  /** Its height in pixels, if the window is high enough. */
  height?: number | undefined;
  /** It grows with a large window. For working surfaces, not for forms. */
  isRoomy?: boolean | undefined;
  takeFocus?: TakeFocus | undefined;
}

/** A large surface over the window: the composer, the settings. */
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
