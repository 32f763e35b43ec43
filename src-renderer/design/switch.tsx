import { Switch as Base } from '@base-ui/react/switch';
import type { ReactNode } from 'react';
import styles from './choice.module.css';

/** On or off, taking effect at once. */
export function Switch({
  label,
  isOn,
  onChange,
  hint,
  disabled,
}: {
  label: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  hint?: ReactNode;
  disabled?: boolean | undefined;
}) {
  return (
    <label className={styles.line}>
      <span className={styles.words}>
        <span className={styles.name}>{label}</span>
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </span>
      <Base.Root className={styles.switch} checked={isOn} disabled={disabled} onCheckedChange={onChange}>
        <Base.Thumb className={styles.thumb} />
      </Base.Root>
    </label>
  );
}
