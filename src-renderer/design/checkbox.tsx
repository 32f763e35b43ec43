import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './choice.module.css';

/** A tick with its label. */
export function Checkbox({
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
    <label className={styles.tick}>
      <Base.Root className={styles.check} checked={isOn} disabled={disabled} onCheckedChange={onChange}>
        <Base.Indicator>
          <Check className={styles.mark} />
        </Base.Indicator>
      </Base.Root>
      <span className={styles.words}>
        <span className={styles.name}>{label}</span>
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </span>
    </label>
  );
}

/** The tick alone, as rows show it; the row carries the meaning. */
export function CheckMark({ isOn }: { isOn: boolean }) {
  return (
    <span className={styles.check} data-checked={isOn ? '' : undefined} aria-hidden="true">
      {isOn && <Check className={styles.mark} />}
    </span>
  );
}
