import { Check } from 'lucide-react';
import styles from './choice.module.css';

/** The box alone, as rows show it. The row has the accessible state. */
export function CheckMark({ isOn }: { isOn: boolean }) {
  return (
    <span className={styles.check} data-checked={isOn ? '' : undefined} aria-hidden="true">
      {isOn && <Check className={styles.mark} />}
    </span>
  );
}
