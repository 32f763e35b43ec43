import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../class-names.ts';
import { selectText } from '../../messages/design.ts';
import styles from './select.module.css';

interface SelectOption<V extends string> {
  value: V;
  label: string;
  note?: ReactNode;
  icon?: ReactNode;
}

export interface SelectProps<V extends string> {
  /** The accessible name. Show a visible label beside it if there is room. */
  label: string;
  value: V;
  options: readonly SelectOption<V>[];
  onChange: (value: V) => void;
  size?: 'sm' | 'md' | undefined;
  disabled?: boolean | undefined;
}

/** One option of a list, behind a button. */
export function Select<V extends string>({ label, value, options, onChange, size = 'md', disabled }: SelectProps<V>) {
  const chosen = options.find((option) => option.value === value);
  return (
    <Base.Root
      value={value}
      items={options.map(({ value: v, label: l }) => ({ value: v, label: l }))}
      disabled={disabled}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
    >
      <Base.Trigger
        className={classes(styles.trigger, size === 'sm' && styles.sm)}
        aria-label={`${label}: ${chosen?.label ?? selectText.none}`}
      >
        {chosen?.icon}
        <span className={classes(styles.value, 'trunc')}>{chosen?.label ?? selectText.choose}</span>
        {chosen?.note !== undefined && <span className={styles.note}>{chosen.note}</span>}
        <Base.Icon className={styles.chevrons}>
          <ChevronsUpDown />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal role="region" aria-label={label}>
        <Base.Positioner
          className={styles.positioner}
          alignItemWithTrigger={false}
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          <Base.Popup className={styles.popup}>
            <Base.List aria-label={label}>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={styles.item}>
                  {option.icon}
                  <Base.ItemText className={classes(styles.value, 'trunc')}>{option.label}</Base.ItemText>
                  {option.note !== undefined && <span className={styles.note}>{option.note}</span>}
                  <span className={styles.mark}>
                    <Base.ItemIndicator>
                      <Check />
                    </Base.ItemIndicator>
                  </span>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
