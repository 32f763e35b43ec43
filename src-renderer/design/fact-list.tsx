import { ArrowUpRight, TriangleAlert } from 'lucide-react';
import { classes } from './class-names.ts';
import styles from './fact-list.module.css';

export interface Fact {
  name: string;
  value: string;
  /** A short note before the value. */
  note?: string | undefined;
  /** Shown in the code font: a value as the service sent it. */
  isRaw?: boolean | undefined;
  /** Why the value needs attention, for screen readers. */
  warning?: string | undefined;
  /** What a press on the value does; without it the value is text. */
  action?: { label: string; onSelect: () => void } | undefined;
}

/** Names on the left, values on the right. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) => (
        <div key={fact.name} className={styles.fact}>
          <dt>{fact.name}</dt>
          <dd
            className={classes(fact.isRaw === true && styles.raw, fact.warning !== undefined && styles.warning)}
            title={fact.value}
          >
            {fact.note !== undefined && <span className={styles.note}>{fact.note}</span>}
            {fact.warning !== undefined && <TriangleAlert size={12} aria-hidden="true" />}
            {fact.action === undefined ? (
              fact.value
            ) : (
              <button type="button" className={styles.link} title={fact.action.label} onClick={fact.action.onSelect}>
                {fact.value}
                <ArrowUpRight size={12} aria-hidden="true" />
              </button>
            )}
            {fact.warning !== undefined && <span className="visually-hidden">, {fact.warning}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
