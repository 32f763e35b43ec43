import { drawnMetrics, type DrawnMetric, type MetricSamples } from '../../src-preload/stream-digest.ts';

/** One number a worker reports with its chunks, over time. */
export interface Series {
  /** Values, oldest first, thinned to at most `maxSamples`. */
  values: number[];
  last: number;
  min: number;
  max: number;
  mean: number;
  count: number;
}

/** What the worker reported so far. */
export interface StreamMetrics {
  series: Partial<Record<DrawnMetric, Series>>;
  /** All metrics of the last chunk that had any, as they came. */
  latest: Record<string, unknown> | null;
}

/** How many samples of a series are kept: twice what the sparkline can show. */
export const maxSamples = 240;

export const noMetrics: StreamMetrics = { series: {}, latest: null };

/** Adds the metrics of some chunks to the series. Returns the same object if there are none. */
export function addMetrics(metrics: StreamMetrics, samples: MetricSamples): StreamMetrics {
  if (samples.latest === null) return metrics;
  const series: StreamMetrics['series'] = { ...metrics.series };
  for (const name of drawnMetrics) {
    const added = samples.values[name];
    if (added !== undefined) series[name] = addSamples(series[name], added);
  }
  return { series, latest: samples.latest };
}

/**
 * Adds values to a series. If there are too many, every second one is dropped, as often as needed, which keeps the
 * line's shape and ends.
 */
export function addSamples(series: Series | undefined, added: readonly number[]): Series {
  const values = series === undefined ? [] : [...series.values];
  let { last, min, max, mean, count } = series ?? { last: 0, min: Infinity, max: -Infinity, mean: 0, count: 0 };
  for (const value of added) {
    if (values.length >= maxSamples) for (let index = 1; index < values.length; index += 1) values.splice(index, 1);
    values.push(value);
    count += 1;
    last = value;
    min = Math.min(min, value);
    max = Math.max(max, value);
    mean += (value - mean) / count;
  }
  return { values, last, min, max, mean, count };
}

/** Cache use in percent. The known worker reports it as a share of 1, others as percent. */
export function asPercent(usage: number): number {
  return usage <= 1 ? usage * 100 : usage;
}

/**
 * Points of a line through `values` in a box of `width` by `height`, y downwards, with `ceiling` at the top. A single
 * value is a level line.
 */
export function linePoints(
  values: readonly number[],
  width: number,
  height: number,
  ceiling: number,
): [number, number][] {
  const top = ceiling > 0 ? ceiling : 1;
  const at = (value: number): number => height - (Math.min(Math.max(value, 0), top) / top) * height;
  const only = values[0];
  if (values.length === 1 && only !== undefined)
    return [
      [0, at(only)],
      [width, at(only)],
    ];
  return values.map((value, index) => [(index / (values.length - 1)) * width, at(value)]);
}

/** SVG path through points. `isStepped` keeps a value until the next one (for counts). */
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
