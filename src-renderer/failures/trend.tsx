import type { FailureKind } from '../../src-preload/failure-cause.ts';
import { classes } from '../design/class-names.ts';
import { formatClock, formatDay } from '../design/format.ts';
import { statusTextClass } from '../design/status-glyph.tsx';
import styles from './failures.module.css';

/** How often a cause occurred over the period, as one bar for each part of it. */
export function Trend({
  parts,
  kind,
  isLarge = false,
}: {
  parts: readonly number[];
  kind: FailureKind;
  isLarge?: boolean;
}) {
  const most = Math.max(1, ...parts);
  return (
    <span className={classes(styles.trend, isLarge && styles.large, statusTextClass(kind))} aria-hidden="true">
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

const dayMs = 86_400_000;
/** Where the chart has dates, as shares of its period. */
const datedShares = [0, 0.25, 0.5, 0.75] as const;

/** The trend with dates or times of day. */
export function TrendChart({
  parts,
  kind,
  sinceMs,
  nowMs,
}: {
  parts: readonly number[];
  kind: FailureKind;
  sinceMs: number;
  nowMs: number;
}) {
  const timeAt = (share: number): string => {
    const atMs = sinceMs + (nowMs - sinceMs) * share;
    return nowMs - sinceMs <= dayMs ? formatClock(atMs).slice(0, 5) : formatDay(atMs, nowMs);
  };
  return (
    <div className={styles.chart}>
      <Trend parts={parts} kind={kind} isLarge />
      <p className={styles.dates} aria-label="Time of the trend">
        {datedShares.map((share) => (
          <span key={share}>{timeAt(share)}</span>
        ))}
        <span>now</span>
      </p>
    </div>
  );
}
