import type { StatusKind } from '../../src-preload/job.ts';
import { classes } from '../design/class-names.ts';
import { statusBarClass } from '../design/status-glyph.tsx';
import { tickText, timeTicks } from '../design/ticks.ts';
import { trendText } from '../messages/failures/cause.tsx';
import styles from './trend.module.css';

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

const maxTicks = 7;
/** The text of a later tick would reach the word at the end where the pane is at its narrowest. */
const lastTickShare = 0.8;

/** The dates or times of day under a trend, at their shares of its period. Pure. */
export function trendTicks(sinceMs: number, nowMs: number): { share: number; text: string }[] {
  const spanMs = Math.max(1, nowMs - sinceMs);
  return timeTicks(sinceMs, nowMs, maxTicks)
    .map((atMs) => ({ share: (atMs - sinceMs) / spanMs, text: tickText(atMs, spanMs) }))
    .filter(({ share }) => share <= lastTickShare);
}

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
        {trendTicks(sinceMs, nowMs).map(({ share, text }) => (
          <span key={share} style={{ left: `${(share * 100).toFixed(2)}%` }}>
            {text}
          </span>
        ))}
        <span className={styles.lastDate}>{trendText.now}</span>
      </p>
    </div>
  );
}
