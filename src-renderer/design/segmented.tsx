import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { classes } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';
import styles from './segmented.module.css';

interface SegmentedOption<V extends string> {
  value: V;
  label: ReactNode;
  icon?: ReactNode;
  /** Why it cannot be chosen now, as a tooltip. Present, even if undefined, where that may change. */
  disabledReason?: string | undefined;
}

export interface SegmentedProps<V extends string> {
  /** Accessible name of the group. */
  label: string;
  value: V;
  options: readonly SegmentedOption<V>[];
  onChange: (value: V) => void;
  size?: 'sm' | 'md' | undefined;
}

/**
 * One of a few options, side by side. Native radio buttons, each spread over its label: arrows move, and the group is
 * one tab stop.
 */
export function Segmented<V extends string>({ label, value, options, onChange, size = 'md' }: SegmentedProps<V>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={classes(styles.group, size === 'sm' && styles.sm)}
      onKeyDown={keepArrows}
    >
      {options.map((option) => {
        const choice = (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              className={styles.radio}
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabledReason !== undefined}
              onChange={() => onChange(option.value)}
            />
            {option.icon}
            {option.label}
          </label>
        );
        if (!('disabledReason' in option)) return choice;
        return (
          <Tooltip key={option.value} text={option.disabledReason}>
            {choice}
          </Tooltip>
        );
      })}
    </div>
  );
}

/** An arrow key that moves within the group must not also move the list behind it. */
function keepArrows(event: KeyboardEvent): void {
  if (event.key.startsWith('Arrow')) event.stopPropagation();
}
