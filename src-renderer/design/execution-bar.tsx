import type { StatusKind } from '../../src-preload/job.ts';
import { classes } from './class-names.ts';
import styles from './status.module.css';

/** The position of the p95 tick (design language: Execution bar). */
export const p95Position = 0.76;

interface ExecutionBarProps {
  /** The status it shows, or `ink` for an amount without one. */
  kind: StatusKind | 'ink';
  fraction: number;
  p95Fraction?: number | null | undefined;
}

/**
 * The run time compared with the endpoint's usual one. `fraction` of the track is 0 to 1. The tick is shown only if a
 * p95 is known.
 */
export function ExecutionBar({ kind, fraction, p95Fraction }: ExecutionBarProps) {
  const width = `${(Math.min(1, Math.max(0, fraction)) * 100).toFixed(1)}%`;
  return (
    <span className={styles.bar} aria-hidden="true">
      <span
        className={classes(styles.fill, styles[`bar-${kind}`], kind === 'run' && styles.moving)}
        style={{ width }}
      />
      {p95Fraction !== undefined && p95Fraction !== null && (
        <span className={styles.p95} style={{ left: `${(p95Fraction * 100).toFixed(1)}%` }} />
      )}
    </span>
  );
}
