import type { ReactElement } from 'react';
import { classes } from '../../design/class-names.ts';
import { rowProblemsText } from '../../messages/composer/batch.ts';
import { maxTypedChars, useBulk } from './bulk-store.ts';
import type { BadInput } from './parsed-inputs.ts';
import styles from './many-inputs.module.css';

/** How many problems are shown. Further ones are only counted. */
const maxShown = 50;

/** What is wrong with the rows, and why the last submission was refused. `onGo` shows a line in the field. */
export function RowProblems({ onGo }: { onGo: (line: number) => void }): ReactElement | null {
  const bad = useBulk((state) => state.parsed.bad);
  const problem = useBulk((state) => state.problem);
  const isTyped = useBulk((state) => state.text.length <= maxTypedChars);
  if (bad.length === 0 && problem === null) return null;
  return (
    <div className={styles.problems}>
      {problem !== null && (
        <p className={styles.refusal} role="alert">
          {problem}
        </p>
      )}
      <ul aria-label={rowProblemsText.label}>
        {bad.slice(0, maxShown).map((each) => (
          <Problem key={`${each.line} ${each.message}`} bad={each} onGo={isTyped ? onGo : null} />
        ))}
        {bad.length > maxShown && <li className={styles.more}>{rowProblemsText.more(bad.length - maxShown)}</li>}
      </ul>
    </div>
  );
}

function Problem({ bad, onGo }: { bad: BadInput; onGo: ((line: number) => void) | null }): ReactElement {
  const message = (
    <>
      <span className={styles.line}>{rowProblemsText.line(bad.line)}</span>
      <span className={styles.message}>{bad.message}</span>
      <span className={classes(styles.raw, 'trunc')} dir="auto">
        {bad.text}
      </span>
    </>
  );
  return (
    <li>
      {onGo === null ? (
        <span className={styles.problem}>{message}</span>
      ) : (
        <button type="button" className={styles.problem} onClick={() => onGo(bad.line)}>
          {message}
        </button>
      )}
    </li>
  );
}
