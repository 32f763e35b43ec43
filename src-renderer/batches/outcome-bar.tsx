import type { Batch } from '../../src-preload/batch.ts';
import { classes } from '../design/class-names.ts';
import { outcomesOf, outcomeText } from './outcomes.ts';
import styles from './outcome-bar.module.css';

/** A batch's rows as one bar, divided by their outcome. */
export function OutcomeBar({ batch, isSmall = false }: { batch: Batch; isSmall?: boolean }) {
  return (
    <span className={classes(styles.bar, isSmall && styles.small)} role="img" aria-label={outcomeText(batch)}>
      {outcomesOf(batch).map(({ kind, word, count }) => (
        <span key={word} className={classes(styles.part, styles[kind])} style={{ flexGrow: count }} />
      ))}
    </span>
  );
}
