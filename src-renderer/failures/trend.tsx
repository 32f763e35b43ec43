import type { StatusLook } from '../../src-preload/job.ts';
import { classes } from '../design/class-names.ts';
import { statusTextClass } from '../design/status-glyph.tsx';
import styles from './failures.module.css';

/** How often a cause came over the time that is looked at: one bar for each part of it. */
export function Trend({
  parts,
  look,
  isLarge = false,
}: {
  parts: readonly number[];
  look: StatusLook;
  isLarge?: boolean;
}) {
  const most = Math.max(1, ...parts);
  return (
    <span
      className={classes(
        styles.trend,
        isLarge && styles.large,
        statusTextClass(look === 'timeout' ? 'timeout' : 'fail'),
      )}
      aria-hidden="true"
    >
      {parts.map((count, at) => (
        <i
          key={at}
          style={{ height: count === 0 ? '1px' : `${Math.max(12, (count / most) * 100).toFixed(0)}%` }}
          data-none={count === 0 ? '' : undefined}
        />
      ))}
    </span>
  );
}
