import { classes } from '../design/class-names.ts';
import { ExecutionBar } from '../design/execution-bar.tsx';
import { differencesText, factsText } from '../messages/compare/differences.ts';
import { Change } from './change.tsx';
import { statusKindOf, type FactRow } from './fact-rows.ts';
import type { SideRead } from './sides.ts';
import styles from './compare.module.css';

interface FactsSectionProps {
  rows: readonly FactRow[];
  sides: readonly SideRead[];
  isEverything: boolean;
}

/** Times, costs and other facts of each side. */
export function FactsSection({ rows, sides, isEverything }: FactsSectionProps) {
  const differing = rows.filter(({ isEqual }) => !isEqual).length;
  return (
    <section className={styles.section} aria-label={factsText.title}>
      <div className={styles.sectionHead}>
        <h2>{factsText.title}</h2>
        <span>{factsText.summary(differing, rows.length - differing)}</span>
      </div>
      {rows
        .filter(({ isEqual }) => isEverything || !isEqual)
        .map((row) => (
          <Fact key={row.name} row={row} sides={sides} />
        ))}
    </section>
  );
}

function Fact({ row, sides }: { row: FactRow; sides: readonly SideRead[] }) {
  const max = Math.max(...row.cells.map(({ amount }) => amount ?? 0));
  return (
    <div
      className={classes(styles.row, styles.fact)}
      data-difference={row.isEqual ? undefined : ''}
      tabIndex={row.isEqual ? undefined : -1}
      role="group"
      aria-label={differencesText.row(row.name, row.isEqual)}
    >
      <span className={styles.factName}>{row.name}</span>
      {row.cells.map(({ text, amount }, at) => (
        <span key={at} className={styles.amount}>
          {amount !== null && max > 0 && <ExecutionBar kind={barOf(row, sides[at])} fraction={amount / max} />}
          <span className={amount === null ? styles.factText : styles.factAmount} title={text}>
            {text}
          </span>
        </span>
      ))}
      <Change text={row.change} />
    </div>
  );
}

function barOf({ bars }: FactRow, side: SideRead | undefined) {
  return bars === 'state' && side !== undefined ? statusKindOf(side) : bars === 'state' ? 'ink' : bars;
}
