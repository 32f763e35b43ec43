import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { Check } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import styles from './choice.module.css';

interface ChoiceProps {
  label: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  hint?: ReactNode;
  disabled?: boolean | undefined;
}

/** A checkbox with its label. */
export function Checkbox({ label, isOn, onChange, hint, disabled }: ChoiceProps) {
  const id = useId();
  return (
    <label className={styles.tick}>
      <BaseCheckbox.Root
        className={styles.check}
        checked={isOn}
        disabled={disabled}
        onCheckedChange={onChange}
        {...namedBy(id, hint)}
      >
        <BaseCheckbox.Indicator>
          <Check className={styles.mark} />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <LabelText id={id} label={label} hint={hint} />
    </label>
  );
}

/** A switch, which takes effect immediately. */
export function Switch({ label, isOn, onChange, hint, disabled }: ChoiceProps) {
  const id = useId();
  return (
    <label className={styles.line}>
      <LabelText id={id} label={label} hint={hint} />
      <BaseSwitch.Root
        className={styles.switch}
        checked={isOn}
        disabled={disabled}
        onCheckedChange={onChange}
        {...namedBy(id, hint)}
      >
        <BaseSwitch.Thumb className={styles.thumb} />
      </BaseSwitch.Root>
    </label>
  );
}

/** A switch without a visible label, for a line that has the label beside it. `name` is the accessible name. */
export function LineSwitch({
  name,
  isOn,
  onChange,
}: {
  name: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <BaseSwitch.Root className={styles.switch} checked={isOn} onCheckedChange={onChange} aria-label={name}>
      <BaseSwitch.Thumb className={styles.thumb} />
    </BaseSwitch.Root>
  );
}

/**
 * The label is the name and the hint the description. If both were the name, a screen reader would read the whole
 * paragraph every time.
 */
function namedBy(id: string, hint: ReactNode): { 'aria-labelledby': string; 'aria-describedby'?: string } {
  return { 'aria-labelledby': `${id}-name`, ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }) };
}

function LabelText({ id, label, hint }: Pick<ChoiceProps, 'label' | 'hint'> & { id: string }) {
  return (
    <span className={styles.words}>
      <span id={`${id}-name`} className={styles.name}>
        {label}
      </span>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
    </span>
  );
}
