import { ChartNoAxesCombined, Table2 } from 'lucide-react';
import { useMemo, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import type { HealthPoint } from '../../src-preload/health.ts';
import { IconButton } from '../design/icon-button.tsx';
import { chartText } from '../messages/health/charts.ts';
import { chartColumns, isReported, rowAt, type Columns } from './columns.ts';
import { lastIdleTakenMs } from './figures.ts';
import { jobLayers, readyLayer, workerLayers, type Layer } from './layers.ts';
import { Legend, PointTip } from './point-tip.tsx';
import { chartFromMs, type HealthRange } from './range.ts';
import { StackChart } from './stack-chart.tsx';
import { ValuesTable } from './values-table.tsx';
import card from './card.module.css';
import styles from './charts-card.module.css';

/**
 * The sample that the pressed key leads to, by its index, before the first one and after the last one too: arrows move
 * by one, with Shift by ten, Home and End to the ends. Null: it is no such key, as with the chords of the window.
 */
export function pointedBy(
  press: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  at: number,
  last: number,
): number | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const step = press.shiftKey ? 10 : 1;
  switch (press.key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return at - step;
    case 'ArrowRight':
    case 'ArrowUp':
      return at + step;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

interface ChartsCardProps {
  points: readonly HealthPoint[];
  range: HealthRange;
  nowMs: number;
  /** The newest points are old. */
  isStale: boolean;
}

/** Jobs and workers over the range, with one crosshair through both charts, and the same values as a table. */
export function ChartsCard({ points, range, nowMs, isStale }: ChartsCardProps) {
  const [isTable, setTable] = useState(false);
  const rangeFromMs = nowMs - range.spanMs;
  const fromMs = chartFromMs(points, range, nowMs);
  const columns = useMemo(() => chartColumns(points, fromMs, nowMs, range.columnMs), [points, fromMs, nowMs, range]);
  const markerMs = useMemo(() => lastIdleTakenMs(points), [points]);
  const swap = (
    <IconButton
      label={isTable ? chartText.showCharts : chartText.showTable}
      size="sm"
      hasSmallGlyph
      icon={isTable ? <ChartNoAxesCombined /> : <Table2 />}
      onClick={() => setTable(!isTable)}
    />
  );
  return (
    <section className={styles.card} aria-label={chartText.title}>
      {isTable ? (
        <>
          <div className={card.head}>
            <h3>{chartText.title}</h3>
            <span className="grow" />
            {swap}
          </div>
          <ValuesTable points={points} columns={columns} fromMs={rangeFromMs} toMs={nowMs} range={range} />
        </>
      ) : (
        <Charts
          columns={columns}
          range={range}
          fromMs={fromMs}
          nowMs={nowMs}
          markerMs={markerMs}
          isLive={!isStale}
          firstMs={fromMs > rangeFromMs ? (points[0]?.atMs ?? null) : null}
          swap={swap}
        />
      )}
    </section>
  );
}

/** What a window has above the height for which the pane is designed. */
function spareHeightPx(): number {
  return Math.max(0, window.innerHeight - 900);
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

interface ChartsProps {
  columns: Columns;
  range: HealthRange;
  fromMs: number;
  nowMs: number;
  markerMs: number | null;
  isLive: boolean;
  /** The first reading there is, if the charts begin with it. */
  firstMs: number | null;
  swap: React.ReactNode;
}

function Charts({ columns, range, fromMs, nowMs, markerMs, isLive, firstMs, swap }: ChartsProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const workers = useMemo(() => workerLayers(columns), [columns]);
  const line = isReported(columns, 'ready') ? readyLayer : null;
  const sparePx = useSyncExternalStore(onResize, spareHeightPx);
  const row = pointed === null || pointed < fromMs ? -1 : rowAt(columns, pointed);
  // The crosshair snaps to a sample, except at times without samples.
  const atMs =
    row === -1 || pointed === null
      ? null
      : columns.values.running[row] == null
        ? pointed
        : Math.max(fromMs, columns.atMs[row] ?? pointed);
  const shown = { columns, fromMs, toMs: nowMs, markerMs, isLive, atMs, onPoint: setPointed };
  return (
    <div className={styles.plots} onKeyDown={(event) => moveByKey(event, columns, atMs, nowMs, setPointed)}>
      <div className={card.head}>
        <h3>{chartText.jobs}</h3>
        <Legend of={[...jobLayers].reverse()} />
        {firstMs !== null && <span className={styles.first}>{chartText.firstReading(firstMs, nowMs)}</span>}
        <span className="grow" />
        {markerMs !== null && markerMs > fromMs && (
          <span className={styles.marked}>{chartText.lastIdleTaken(markerMs, nowMs)}</span>
        )}
        {swap}
      </div>
      <div
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={chartText.over(range.phrase)}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, columns.atMs.length - 1)}
        aria-valuenow={row === -1 ? Math.max(0, columns.atMs.length - 1) : row}
        aria-valuetext={spoken(columns, row === -1 ? columns.atMs.length - 1 : row, [...jobLayers, ...workers])}
        onBlur={() => setPointed(null)}
      >
        <StackChart {...shown} layers={jobLayers} height={180 + Math.round(sparePx * 0.4)} hasTimeAxis={false} />
      </div>
      <div className={styles.second}>
        <h3>{chartText.workers}</h3>
        <Legend of={[...workers, ...(line === null ? [] : [line])]} />
      </div>
      <StackChart {...shown} layers={workers} line={line} height={104 + Math.round(sparePx * 0.2)} hasTimeAxis />
      {atMs !== null && (
        <PointTip
          columns={columns}
          row={row}
          atMs={atMs}
          fromMs={fromMs}
          toMs={nowMs}
          layers={[...jobLayers].reverse()}
          workers={[...workers, ...(line === null ? [] : [line])]}
          columnMs={range.columnMs}
        />
      )}
    </div>
  );
}

/** Moves the crosshair as `pointedBy` says. Escape removes it. */
function moveByKey(
  event: KeyboardEvent,
  columns: Columns,
  atMs: number | null,
  nowMs: number,
  point: (atMs: number | null) => void,
): void {
  const last = columns.atMs.length - 1;
  const at = atMs === null ? last + 1 : rowAt(columns, atMs);
  const to = pointedBy(event, at, last);
  if (event.key === 'Escape' && atMs !== null) point(null);
  else if (to === null || last < 0) return;
  else point(Math.min(nowMs, columns.atMs[Math.min(last, Math.max(0, to))] ?? nowMs));
  event.preventDefault();
  event.stopPropagation();
}

/** "14:30:00: 9 queued, 5 in progress, 5 running, 0 idle", for screen readers. */
function spoken(columns: Columns, row: number, layers: readonly Layer[]): string {
  const atMs = columns.atMs[row];
  if (atMs === undefined) return chartText.noData;
  const isKnown = layers.some((layer) => columns.values[layer.gauge][row] != null);
  const values = layers.map(({ gauge, name }) => ({ name, count: columns.values[gauge][row] ?? 0 }));
  return chartText.values(atMs, isKnown ? values : null);
}
