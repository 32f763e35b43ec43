import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import type { KeyboardEvent, ReactNode } from 'react';
import { classes } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';
import styles from './segmented.module.css';

interface SegmentedOption<V extends string> {
  value: V;
  label: ReactNode;
  icon?: ReactNode;
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

/** One of a few options, side by side. A radio group: arrows move, and it is one tab stop. */
export function Segmented<V extends string>({ label, value, options, onChange, size = 'md' }: SegmentedProps<V>) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next: V) => onChange(next)}
      className={classes(styles.group, size === 'sm' && styles.sm)}
      onKeyDown={keepArrows}
    >
      {options.map((option) => (
        <Tooltip key={option.value} text={option.disabledReason}>
          <Radio.Root value={option.value} disabled={option.disabledReason !== undefined} className={styles.option}>
            {option.icon}
            {option.label}
          </Radio.Root>
        </Tooltip>
      ))}
    </RadioGroup>
  );
}

/** An arrow key that moves within the group must not also move the list behind it. */
function keepArrows(event: KeyboardEvent): void {
  if (event.key.startsWith('Arrow')) event.stopPropagation();
}
