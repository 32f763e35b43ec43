import { classes } from '../design/class-names.ts';
import type { Gauge } from './columns.ts';
import styles from './legend.module.css';

/** The swatch of a gauge, drawn like its area in the chart. */
export function Swatch({ gauge, isHollow = false }: { gauge: Gauge; isHollow?: boolean }) {
  return <i className={classes(styles.swatch, styles[gauge], isHollow && styles.hollow)} aria-hidden="true" />;
}

/** Swatches with their names, in the order of the stack from the top. */
export function Legend({ of }: { of: readonly { gauge: Gauge; name: string }[] }) {
  return of.map(({ gauge, name }) => (
    <span key={gauge} className={styles.entry}>
      <Swatch gauge={gauge} />
      {name}
    </span>
  ));
}
