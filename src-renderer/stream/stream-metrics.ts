import { parseJson } from './stream-text.ts';

/** One number a worker reports with its chunks, over time. */
export interface Series {
  /** Values oldest first, thinned to at most `maxSamples`. */
  values: number[];
  last: number;
  min: number;
  max: number;
  mean: number;
  count: number;
}

/** Names of the metrics drawn as instruments (spec: Stream chunk). Anything else is listed under Metrics only. */
export const drawnMetrics = ['avg_gen_throughput', 'gpu_kv_cache_usage', 'cpu_kv_cache_usage', 'running', 'pending', 'swapped'] as const;
export type DrawnMetric = (typeof drawnMetrics)[number];

/** What the worker reported so far. */
export interface StreamMetrics {
  series: Partial<Record<DrawnMetric, Series>>;
  /** All of the last chunk that carried metrics, as they came. */
  latest: Record<string, unknown> | null;
}

/** Samples kept a series; twice what the sparkline can show apart. */
export const maxSamples = 240;

export const noMetrics: StreamMetrics = { series: {}, latest: null };

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a chunk's metrics into the series. Null, unreadable and non-object metrics change nothing. */
export function addMetrics(metrics: StreamMetrics, metricsJson: string | null): StreamMetrics {
  if (metricsJson === null) return metrics;
  const latest = parseJson(metricsJson);
  if (!isRecord(latest) || Object.keys(latest).length === 0) return metrics;
  const series: StreamMetrics['series'] = { ...metrics.series };
  for (const name of drawnMetrics) {
    const value = latest[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    series[name] = addSample(series[name], value);
  }
  return { series, latest };
}

/** Adds a value. When the samples are full every second one is dropped: the line keeps its shape and its ends. */
export function addSample(series: Series | undefined, value: number): Series {
  if (series === undefined) return { values: [value], last: value, min: value, max: value, mean: value, count: 1 };
  const count = series.count + 1;
  const kept = series.values.length >= maxSamples ? series.values.filter((_value, index) => index % 2 === 0) : series.values;
  return {
    values: [...kept, value],
    last: value,
    min: Math.min(series.min, value),
    max: Math.max(series.max, value),
    mean: series.mean + (value - series.mean) / count,
    count,
  };
}

/** Cache use in percent: reported as a share of 1 by the known worker, as percent by others. */
export function asPercent(usage: number): number {
  return usage <= 1 ? usage * 100 : usage;
}

/**
 * Points of a line through `values` in a box of `width` by `height`, y down, the highest of `ceiling` at the top.
 * One value is drawn as a level line.
 */
export function linePoints(values: readonly number[], width: number, height: number, ceiling: number): [number, number][] {
  const top = ceiling > 0 ? ceiling : 1;
  const at = (value: number): number => height - (Math.min(Math.max(value, 0), top) / top) * height;
  const only = values[0];
  if (values.length === 1 && only !== undefined) return [[0, at(only)], [width, at(only)]];
  return values.map((value, index) => [(index / (values.length - 1)) * width, at(value)]);
}

/** SVG path through points; `isStepped` holds a value until the next (counts are stepped, not smoothed). */
export function linePath(points: readonly [number, number][], isStepped: boolean): string {
  let path = '';
  let lastY = 0;
  for (const [x, y] of points) {
    if (path === '') path = `M${round(x)} ${round(y)}`;
    else path += isStepped ? `L${round(x)} ${round(lastY)}L${round(x)} ${round(y)}` : `L${round(x)} ${round(y)}`;
    lastY = y;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
