import { useId, type ReactNode } from 'react';
import styles from './choice.module.css';

export interface RadioCard<V extends string> {
  value: V;
  label: ReactNode;
  hint?: ReactNode;
}

/**
 * One of a few options, each a card with a short explanation. `columns` is how many are side by side, by default all.
 */
export function RadioCards<V extends string>({
  label,
  value,
  options,
  onChange,
  columns = options.length,
}: {
  label: string;
  value: V;
  options: readonly RadioCard<V>[];
  onChange: (value: V) => void;
  columns?: number;
}) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={styles.cards}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {options.map((option) => (
        <label key={option.value} className={styles.card}>
          <input
            type="radio"
            className={styles.radio}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={styles.words}>
            <span className={styles.name}>{option.label}</span>
            {option.hint !== undefined && <span className={styles.hint}>{option.hint}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}
