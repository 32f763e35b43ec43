import { useRef, type KeyboardEvent, type ReactNode } from 'react';
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

/** One of a few, side by side. A radio group: arrows move, one tab stop. */
export function Segmented<V extends string>({ label, value, options, onChange, size = 'md' }: SegmentedProps<V>) {
  const group = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step =
      event.key === 'ArrowRight' || event.key === 'ArrowDown'
        ? 1
        : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
          ? -1
          : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const usable = options.filter((option) => option.disabledReason === undefined);
    const at = usable.findIndex((option) => option.value === value);
    const next = usable[(at + step + usable.length) % usable.length];
    if (next === undefined) return;
    onChange(next.value);
    group.current?.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus();
  };
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      className={classes(styles.group, size === 'sm' && styles.sm)}
      onKeyDown={move}
    >
      {options.map((option) => {
        const isRefused = option.disabledReason !== undefined;
        const isOn = option.value === value;
        const button = (
          <button
            key={option.value}
            type="button"
            role="radio"
            data-value={option.value}
            aria-checked={isOn}
            aria-disabled={isRefused || undefined}
            tabIndex={isOn ? 0 : -1}
            className={styles.option}
            onClick={() => {
              if (!isRefused) onChange(option.value);
            }}
          >
            {option.icon}
            {option.label}
          </button>
        );
        return isRefused ? (
          <Tooltip key={option.value} text={option.disabledReason}>
            {button}
          </Tooltip>
        ) : (
          button
        );
      })}
    </div>
  );
}
