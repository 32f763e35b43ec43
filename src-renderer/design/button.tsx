import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classes } from './class-names.ts';
import { Kbd } from './keyboard/kbd.tsx';
import { Tooltip } from './tooltip.tsx';
import styles from './button.module.css';

type ButtonVariant = 'default' | 'primary' | 'ghost' | 'danger' | 'danger-solid';
type ButtonSize = 'sm' | 'md' | 'lg' | 'xl';

/** Without `title`, which the system would draw in its own way and late: `hint` is the window's. */
export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children' | 'title'> {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
  /** Shown as key caps; the accessible name stays the children's text. */
  keys?: readonly string[] | undefined;
  /**
   * The button stays, greyed and focusable, and shows the reason on hover and focus (design language: Not available).
   */
  disabledReason?: string | undefined;
  /** Shown on hover and focus, for a button whose words are left out where there is little room. */
  hint?: string | undefined;
  children: ReactNode;
}

/** A text button. At most one primary button per surface. */
export function Button(props: ButtonProps) {
  const {
    variant = 'default',
    size = 'md',
    icon,
    keys,
    disabledReason,
    hint,
    className,
    onClick,
    children,
    ...rest
  } = props;
  const isRefused = disabledReason !== undefined && disabledReason !== '';
  const button = (
    <button
      type="button"
      {...rest}
      className={classes(
        styles.button,
        variant !== 'default' && styles[variant],
        size !== 'md' && styles[size],
        className,
      )}
      aria-disabled={isRefused || undefined}
      aria-keyshortcuts={keys?.join('+').replace('Ctrl', 'Control')}
      onClick={isRefused ? undefined : onClick}
    >
      {icon}
      {children}
      {keys !== undefined && <Kbd keys={keys} />}
    </button>
  );
  // One that may be refused is the same element before, meanwhile and afterwards.
  return 'disabledReason' in props || hint !== undefined ? (
    <Tooltip text={isRefused ? disabledReason : hint}>{button}</Tooltip>
  ) : (
    button
  );
}
