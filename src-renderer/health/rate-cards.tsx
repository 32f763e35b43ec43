import { hourMs } from '../../src-preload/durations.ts';
import { RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import type { HealthPoint } from '../../src-preload/health.ts';
import { formatCount, formatMinute } from '../../src-preload/format.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import type { HealthRange } from './range.ts';
import { counters, rateBars, counterIncreaseSince, type Counter, type RateBar } from './rates.ts';
import { dayAndTime, rateText } from './time-and-rate.ts';
import card from './card.module.css';
import styles from './rate-cards.module.css';

const countersShown = {
  completed: { title: 'Completed', glyph: <StatusGlyph kind="done" /> },
  failed: { title: 'Failed', glyph: <StatusGlyph kind="fail" /> },
  retried: { title: 'Retried', glyph: <RotateCcw size={14} aria-hidden="true" /> },
} as const;

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
        <section key={counter} className={styles.rate} aria-label={countersShown[counter].title}>
          <div>
            <div className={styles.title}>
              {countersShown[counter].glyph}
              {countersShown[counter].title}
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
  if (count === null) return 'this hour unknown';
  const ended = (lastHour['completed'] ?? 0) + (lastHour['failed'] ?? 0);
  const share = counter === 'failed' && count > 0 && ended > 0 ? `, ${((count / ended) * 100).toFixed(1)} %` : '';
  return `${formatCount(count)} this hour${share}`;
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
    () => rateBars(points, counter, toMs - range.spanMs, toMs, range.barMs, nowMs),
    [points, counter, range, toMs, nowMs],
  );
  const top = Math.max(...bars.map((bar) => bar.perMinute ?? 0));
  const width = bars.length * pitch;
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${width} ${barHeight}`}
      width={width}
      height={barHeight}
      role="img"
      aria-label={barsLabel(bars, counter, range, top)}
    >
      {bars.map((bar, index) => {
        const height =
          bar.perMinute === null
            ? 0
            : top === 0 || bar.perMinute === 0
              ? 1.5
              : Math.max(2.5, (bar.perMinute / top) * barHeight);
        return (
          <g key={bar.fromMs}>
            <title>{barTitle(bar, nowMs)}</title>
            <rect x={index * pitch} y={0} width={pitch} height={barHeight} fill="transparent" />
            <rect
              className={index === bars.length - 1 ? styles[counter] : styles[`${counter}-past`]}
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

function barTitle(bar: RateBar, nowMs: number): string {
  const time = `${dayAndTime(bar.fromMs, nowMs)} to ${formatMinute(bar.toMs)}`;
  return bar.perMinute === null ? `${time}: no data` : `${time}: ${rateText(bar.perMinute)} a minute`;
}

function barsLabel(bars: readonly RateBar[], counter: Counter, range: HealthRange, top: number): string {
  const now = bars.at(-1)?.perMinute ?? null;
  return (
    `${countersShown[counter].title} per minute over ${range.phrase}: ` +
    `${now === null ? 'no data now' : `now ${rateText(now)}`}, at most ${rateText(top)}`
  );
}
