import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classes } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';
import styles from './button.module.css';

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  /** The accessible name and the tooltip. */
  label: string;
  icon: ReactNode;
  /** For a toggle: whether it is on. */
  isOn?: boolean | undefined;
  size?: 'sm' | 'md' | 'lg' | undefined;
  /** A glyph of 14 px instead of 16. */
  hasSmallGlyph?: boolean | undefined;
  keys?: readonly string[] | undefined;
  disabledReason?: string | undefined;
}

/** A square ghost button with an icon. Its label is shown on hover and focus. */
export function IconButton({
  label,
  icon,
  isOn,
  size = 'md',
  hasSmallGlyph,
  keys,
  disabledReason,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  const isRefused = disabledReason !== undefined && disabledReason !== '';
  return (
    <Tooltip text={isRefused ? disabledReason : label} keys={isRefused ? undefined : keys}>
      <button
        type="button"
        {...rest}
        className={classes(
          styles.button,
          styles.ghost,
          styles.icon,
          size !== 'md' && styles[size],
          hasSmallGlyph === true && styles['small-glyph'],
          isOn === true && styles.on,
          className,
        )}
        aria-label={label}
        aria-pressed={isOn}
        aria-disabled={isRefused || undefined}
        aria-keyshortcuts={keys?.join('+').replace('Ctrl', 'Control')}
        onClick={isRefused ? undefined : onClick}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
