import { dayMs } from '../../src-preload/durations.ts';
import type { StatusKind } from '../../src-preload/job.ts';
import { classes } from '../design/class-names.ts';
import { formatClock, formatDay } from '../../src-preload/format.ts';
import { statusBarClass } from '../design/status-glyph.tsx';
import { trendText } from '../messages/failures/cause.tsx';
import styles from './failures.module.css';

/** How often a cause occurred over the period, as one bar for each part of it. */
export function Trend({
  parts,
  kind,
  isLarge = false,
}: {
  parts: readonly number[];
  kind: StatusKind;
  isLarge?: boolean;
}) {
  const max = Math.max(1, ...parts);
  return (
    <span className={classes(styles.trend, isLarge && styles.large, statusBarClass(kind))} aria-hidden="true">
      {parts.map((count, at) => (
        <i
          key={at}
          style={{ height: count === 0 ? '1px' : `${Math.max(12, (count / max) * 100).toFixed(0)}%` }}
          data-none={count === 0 ? '' : undefined}
        />
      ))}
    </span>
  );
}

/** Where the chart has dates, as shares of its period. */
const datedShares = [0, 0.25, 0.5, 0.75] as const;

/** A moment in a trend: `llm updated`. */
export interface TrendMark {
  atMs: number;
  text: string;
}

/** The trend with dates or times of day, and a line at each mark. Only the last one has room for its text. */
export function TrendChart({
  parts,
  kind,
  sinceMs,
  nowMs,
  marks,
}: {
  parts: readonly number[];
  kind: StatusKind;
  sinceMs: number;
  nowMs: number;
  marks: readonly TrendMark[];
}) {
  const shareOf = (atMs: number): number => (atMs - sinceMs) / Math.max(1, nowMs - sinceMs);
  const shown = marks.filter(({ atMs }) => atMs >= sinceMs && atMs <= nowMs);
  const timeAt = (share: number): string => {
    const atMs = sinceMs + (nowMs - sinceMs) * share;
    return nowMs - sinceMs <= dayMs ? formatClock(atMs).slice(0, 5) : formatDay(atMs, nowMs);
  };
  return (
    <div className={styles.chart}>
      <div className={styles.marked}>
        <Trend parts={parts} kind={kind} isLarge />
        {shown.map(({ atMs, text }, at) => {
          const share = shareOf(atMs);
          const isLast = at === shown.length - 1;
          return (
            <span
              key={`${atMs} ${text}`}
              className={classes(styles.mark, share > 0.6 && styles.markBefore)}
              style={{ left: `${(share * 100).toFixed(2)}%` }}
              title={trendText.mark(text, atMs, nowMs)}
            >
              <span className={isLast ? undefined : 'visually-hidden'}>{text}</span>
            </span>
          );
        })}
      </div>
      <p className={styles.dates} aria-label={trendText.time}>
        {datedShares.map((share) => (
          <span key={share}>{timeAt(share)}</span>
        ))}
        <span>{trendText.now}</span>
      </p>
    </div>
  );
}
