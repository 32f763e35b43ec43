import type { CSSProperties } from 'react';
import { formatCount } from '../../src-preload/format.ts';
import { chartText } from '../messages/health/charts.ts';
import { dayAndClock } from '../messages/health/figures.ts';
import type { Columns, Gauge } from './columns.ts';
import { plotLeft, plotRight } from './draw-chart.ts';
import type { Layer } from './layers.ts';
import { classes } from '../design/class-names.ts';
import styles from './point-tip.module.css';

/** The swatch of a gauge, drawn like its area in the chart. */
function Swatch({ gauge, isHollow = false }: { gauge: Gauge; isHollow?: boolean }) {
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

interface PointTipProps {
  columns: Columns;
  row: number;
  atMs: number;
  fromMs: number;
  toMs: number;
  layers: readonly Layer[];
  workers: readonly Layer[];
  /** The time of one column. If it holds several readings, the highest number of waiting jobs is shown. */
  columnMs: number;
}

/** The values at the crosshair, beside it. */
export function PointTip({ columns, row, atMs, fromMs, toMs, layers, workers, columnMs }: PointTipProps) {
  const share = (atMs - fromMs) / (toMs - fromMs);
  const isKnown = columns.values.running[row] != null;
  // On the side of the crosshair that has room.
  const place: CSSProperties & { '--share': number; '--left': string; '--right': string } = {
    '--share': share,
    '--left': `${plotLeft}px`,
    '--right': `${plotRight}px`,
  };
  return (
    <div className={share > 0.5 ? styles.before : styles.after} style={place} aria-hidden="true">
      <div className={styles.time}>{dayAndClock(atMs, toMs)}</div>
      {isKnown ? (
        <>
          {layers.map((layer) => (
            <Line
              key={layer.gauge}
              gauge={layer.gauge}
              name={layer.gauge === 'queued' && columnMs >= 60_000 ? chartText.max(layer.name) : layer.name}
              value={columns.values[layer.gauge][row] ?? 0}
            />
          ))}
          <div className={styles.rule} />
          {workers.map((layer) => (
            <Line key={layer.gauge} {...layer} value={columns.values[layer.gauge][row] ?? 0} />
          ))}
        </>
      ) : (
        <div className={styles.line}>{chartText.noData}</div>
      )}
    </div>
  );
}

function Line({ gauge, name, value }: Layer & { value: number }) {
  return (
    <div className={styles.line}>
      <Swatch gauge={gauge} isHollow={gauge === 'idle'} />
      {name}
      <b>{formatCount(value)}</b>
    </div>
  );
}
