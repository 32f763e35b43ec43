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

/** A tick with its label. */
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
      <Words id={id} label={label} hint={hint} />
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
  const id = useId();
  return (
    <label className={styles.line}>
      <Words id={id} label={label} hint={hint} />
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

/** A switch without words of its own, for a line that says beside it what it is. `name` is what it is read as. */
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

/** Its label is its name and its hint what describes it: a name of a whole paragraph is read at every visit. */
function namedBy(id: string, hint: ReactNode): { 'aria-labelledby': string; 'aria-describedby'?: string } {
  return { 'aria-labelledby': `${id}-name`, ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }) };
}

function Words({ id, label, hint }: Pick<ChoiceProps, 'label' | 'hint'> & { id: string }) {
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
