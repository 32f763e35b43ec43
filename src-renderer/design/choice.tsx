import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './choice.module.css';

interface ChoiceProps {
  label: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  hint?: ReactNode;
  disabled?: boolean | undefined;
}

/** A tick with its label. */
export function Checkbox({ label, isOn, onChange, hint, disabled }: ChoiceProps) {
  return (
    <label className={styles.tick}>
      <BaseCheckbox.Root className={styles.check} checked={isOn} disabled={disabled} onCheckedChange={onChange}>
        <BaseCheckbox.Indicator>
          <Check className={styles.mark} />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <Words label={label} hint={hint} />
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

/** On or off, taking effect at once. */
export function Switch({ label, isOn, onChange, hint, disabled }: ChoiceProps) {
  return (
    <label className={styles.line}>
      <Words label={label} hint={hint} />
      <BaseSwitch.Root className={styles.switch} checked={isOn} disabled={disabled} onCheckedChange={onChange}>
        <BaseSwitch.Thumb className={styles.thumb} />
      </BaseSwitch.Root>
    </label>
  );
}

function Words({ label, hint }: Pick<ChoiceProps, 'label' | 'hint'>) {
  return (
    <span className={styles.words}>
      <span className={styles.name}>{label}</span>
      {hint !== undefined && <span className={styles.hint}>{hint}</span>}
    </span>
  );
}
