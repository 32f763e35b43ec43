import { useId, type ComponentPropsWithRef, type ReactNode, type Ref } from 'react';
import { classes } from '../class-names.ts';
import styles from './field.module.css';

export interface TextFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'onChange' | 'value' | 'size' | 'ref'> {
  /** Shown above the field as its accessible name. Without it, pass `aria-label`. */
  label?: ReactNode;
  hint?: ReactNode;
  /** Why the value is invalid. Shown instead of the hint, and announced. */
  problem?: string | null | undefined;
  value: string;
  onChange: (text: string) => void;
  isMono?: boolean | undefined;
  /** Shown as dots, and not offered to password managers or spell checkers. */
  isSecret?: boolean | undefined;
  icon?: ReactNode;
  trailing?: ReactNode;
  size?: 'sm' | 'md' | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

/** One line of text with label, hint and problem. */
export function TextField({
  label,
  hint,
  problem,
  value,
  onChange,
  isMono,
  isSecret,
  icon,
  trailing,
  size = 'md',
  inputRef,
  id,
  className,
  ...rest
}: TextFieldProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  const hasProblem = problem !== undefined && problem !== null && problem !== '';
  const hasNote = hasProblem || (hint !== undefined && hint !== null && hint !== '');
  return (
    <div className={classes(styles.wrap, className)}>
      {label !== undefined && (
        <label className={styles.label} htmlFor={fieldId}>
          {label}
        </label>
      )}
      <div className={classes(styles.field, size === 'sm' && styles.sm, hasProblem && styles.bad)}>
        {icon}
        <input
          autoComplete="off"
          spellCheck={false}
          {...rest}
          ref={inputRef}
          id={fieldId}
          type={isSecret === true ? 'password' : 'text'}
          className={classes(styles.input, isMono === true && styles.mono)}
          value={value}
          aria-invalid={hasProblem || undefined}
          aria-describedby={hasNote ? `${fieldId}-note` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        {trailing}
      </div>
      {hasNote && (
        <p
          id={`${fieldId}-note`}
          className={classes(styles.note, hasProblem && styles.problem)}
          role={hasProblem ? 'alert' : undefined}
        >
          {hasProblem ? problem : hint}
        </p>
      )}
    </div>
  );
}
