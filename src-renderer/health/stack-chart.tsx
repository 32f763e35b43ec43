import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { readChartColors, useThemeName } from './chart-colors.ts';
import type { Columns } from './columns.ts';
import { chartData, createChart, placeCrosshair, plotLeft, plotRight, type ChartView } from './draw-chart.ts';
import type { Layer } from './layers.ts';
import 'uplot/dist/uPlot.min.css';
import styles from './stack-chart.module.css';

/** Returns the same array as long as a new list has the same items, so that memoised values stay valid. */
export function useSameList<T>(list: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(list);
  if (kept.length === list.length && kept.every((item, index) => item === list[index])) return kept;
  setKept(list);
  return list;
}

interface StackChartProps {
  columns: Columns;
  layers: readonly Layer[];
  line?: Layer | null;
  fromMs: number;
  toMs: number;
  markerMs: number | null;
  isLive: boolean;
  height: number;
  hasTimeAxis: boolean;
  /** The time of the crosshair, or null for none. Epoch milliseconds. */
  atMs: number | null;
  /** The time under the pointer, or null. */
  onPoint: (atMs: number | null) => void;
}

/** A stacked chart over time. It is hidden from assistive technology; the caller describes it in text. */
export function StackChart({
  columns,
  layers,
  line = null,
  fromMs,
  toMs,
  markerMs,
  isLive,
  height,
  hasTimeAxis,
  atMs,
  onPoint,
}: StackChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const view = useRef<ChartView>({ columns, fromMs, toMs, markerMs, isLive, atMs });
  const width = useWidth(host);
  const theme = useThemeName();
  const sameLayers = useSameList(layers);
  const shape = useMemo(() => ({ layers: sameLayers, line }), [sameLayers, line]);

  useLayoutEffect(() => {
    if (host.current === null || width === 0) return undefined;
    const made = createChart(
      host.current,
      { ...shape, colors: readChartColors(), width, height, hasTimeAxis, isNamingGaps: !hasTimeAxis },
      view.current,
    );
    chart.current = made;
    return () => {
      chart.current = null;
      made.destroy();
    };
  }, [shape, theme, width, height, hasTimeAxis]);

  useEffect(() => {
    Object.assign(view.current, { columns, fromMs, toMs, markerMs, isLive });
    chart.current?.setData(chartData(columns, shape.layers, shape.line));
  }, [columns, fromMs, toMs, markerMs, isLive, shape]);

  useEffect(() => {
    view.current.atMs = atMs;
    if (chart.current !== null) placeCrosshair(chart.current, view.current);
  }, [atMs]);

  return (
    <div
      ref={host}
      className={styles.chart}
      style={{ height }}
      aria-hidden="true"
      onMouseMove={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const share = (event.clientX - box.left - plotLeft) / Math.max(1, box.width - plotLeft - plotRight);
        onPoint(share < 0 || share > 1 ? null : fromMs + share * (toMs - fromMs));
      }}
      onMouseLeave={() => onPoint(null)}
    />
  );
}

/** An element's width in whole CSS pixels. 0 before its layout. */
function useWidth(elementRef: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = elementRef.current;
    if (element === null) return undefined;
    setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [elementRef]);
  return width;
}
