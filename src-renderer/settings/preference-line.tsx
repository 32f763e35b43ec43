import type { ReactElement, ReactNode } from 'react';
import { classes } from '../design/class-names.ts';
import styles from './preferences.module.css';

interface PreferenceLineProps {
  name: string;
  hint: ReactNode;
  isProblem?: boolean;
  children: ReactElement;
}

/** One choice of the preferences: its name, one sentence about it, and the control. */
export function PreferenceLine({ name, hint, isProblem = false, children }: PreferenceLineProps): ReactElement {
  return (
    <div className={styles.line}>
      <dt>
        <span className={styles.name}>{name}</span>
        <span className={classes(styles.hint, isProblem && styles.problem)} role={isProblem ? 'alert' : undefined}>
          {hint}
        </span>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
