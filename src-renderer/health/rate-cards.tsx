import { hourMs } from '../../src-preload/durations.ts';
import { RotateCcw } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { HealthPoint } from '../../src-preload/health.ts';
import { classes } from '../design/class-names.ts';
import { formatCount } from '../../src-preload/format.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { counterNames, rateCardText } from '../messages/health/charts.ts';
import type { HealthRange } from './range.ts';
import { counters, rateBars, counterIncreaseSince, type Counter } from './rates.ts';
import card from './card.module.css';
import styles from './rate-cards.module.css';

const glyphs: Readonly<Record<Counter, ReactNode>> = {
  completed: <StatusGlyph kind="done" />,
  failed: <StatusGlyph kind="fail" />,
  retried: <RotateCcw size={14} aria-hidden="true" />,
};

export interface RateCardsProps {
  points: readonly HealthPoint[];
  /** The current counters. */
  totals: Readonly<Record<Counter, number>>;
  range: HealthRange;
  nowMs: number;
}

/** Completed, failed and retried: the service's total, the increase of this hour, and the rate over the range. */
export function RateCards({ points, totals, range, nowMs }: RateCardsProps) {
  const lastHour = useMemo(
    () =>
      Object.fromEntries(counters.map((counter) => [counter, counterIncreaseSince(points, counter, nowMs - hourMs)])),
    [points, nowMs],
  );
  return (
    <div className={styles.cards}>
      {counters.map((counter) => (
        <section key={counter} className={styles.rate} aria-label={counterNames[counter]}>
          <div>
            <div className={styles.title}>
              {glyphs[counter]}
              {counterNames[counter]}
            </div>
            <div className={styles.total}>{formatCount(totals[counter])}</div>
            <div className={card.note}>{hourNote(counter, lastHour)}</div>
          </div>
          <Bars points={points} counter={counter} range={range} nowMs={nowMs} />
        </section>
      ))}
    </div>
  );
}

/** "312 this hour", and for failures their share of what ended. */
function hourNote(counter: Counter, lastHour: Record<string, number | null>): string {
  const count = lastHour[counter] ?? null;
  if (count === null) return rateCardText.thisHourUnknown;
  const ended = (lastHour['completed'] ?? 0) + (lastHour['failed'] ?? 0);
  return rateCardText.thisHour(count, counter === 'failed' && count > 0 && ended > 0 ? count / ended : null);
}

const barHeight = 30;
const pitch = 4.6;

interface BarsProps {
  points: readonly HealthPoint[];
  counter: Counter;
  range: HealthRange;
  nowMs: number;
}

function Bars({ points, counter, range, nowMs }: BarsProps) {
  // Bars begin at multiples of `barMs`, so that their heights stay the same as time moves.
  const toMs = Math.ceil(nowMs / range.barMs) * range.barMs;
  const bars = useMemo(
    () => rateBars(points, counter, { fromMs: toMs - range.spanMs, toMs, barMs: range.barMs, nowMs }),
    [points, counter, range, toMs, nowMs],
  );
  const top = Math.max(...bars.map((bar) => bar.perMinute ?? 0));
  const width = bars.length * pitch;
  // One base line alone looks like a stray dash.
  const hasBaseLine = bars.filter((bar) => bar.perMinute !== null).length > 2;
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${width} ${barHeight}`}
      width={width}
      height={barHeight}
      role="img"
      aria-label={rateCardText.bars(counterNames[counter], range.phrase, bars.at(-1)?.perMinute ?? null, top)}
    >
      {bars.map((bar, index) => {
        const height =
          bar.perMinute === null || (bar.perMinute === 0 && !hasBaseLine)
            ? 0
            : top === 0 || bar.perMinute === 0
              ? 1.5
              : Math.max(2.5, (bar.perMinute / top) * barHeight);
        return (
          <g key={bar.fromMs}>
            <title>{rateCardText.bar(bar.fromMs, bar.toMs, nowMs, bar.perMinute)}</title>
            <rect x={index * pitch} y={0} width={pitch} height={barHeight} fill="transparent" />
            <rect
              className={classes(
                index === bars.length - 1 ? styles[counter] : styles[`${counter}-past`],
                bar.perMinute === 0 && styles.none,
              )}
              x={index * pitch}
              y={barHeight - height}
              width={3.2}
              height={height}
              rx={1}
            />
          </g>
        );
      })}
    </svg>
  );
}
