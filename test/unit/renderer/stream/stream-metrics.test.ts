import { describe, expect, it } from 'vitest';
import {
  addMetrics,
  addSamples,
  asPercent,
  linePath,
  linePoints,
  maxSamples,
  noMetrics,
} from '../../../../src-renderer/stream/stream-metrics.ts';
import { digestOf } from '../../../../src-preload/stream-digest.ts';
import type { MetricSamples } from '../../../../src-preload/stream-digest.ts';
import type { Series } from '../../../../src-renderer/stream/stream-metrics.ts';

const samples = (...metricsJsons: (string | null)[]): MetricSamples =>
  digestOf(metricsJsons.map((metricsJson) => ({ outputJson: '""', metricsJson, receivedAtMs: 0 }))).metrics;

describe('stream metrics', () => {
  it('draws only what the worker reports as a number and keeps the rest unchanged', () => {
    const metrics = addMetrics(noMetrics, samples('{"avg_gen_throughput":84.2,"running":"4","scenario":"stream"}'));
    expect(Object.keys(metrics.series)).toEqual(['avg_gen_throughput']);
    expect(metrics.latest).toEqual({ avg_gen_throughput: 84.2, running: '4', scenario: 'stream' });
  });

  it('are the same however many chunks are read at the same time', () => {
    const jsons = Array.from({ length: 700 }, (_value, index) =>
      JSON.stringify({ avg_gen_throughput: (index * 37) % 90, running: index % 5 }),
    );
    const oneByOne = jsons.reduce((metrics, json) => addMetrics(metrics, samples(json)), noMetrics);
    expect(addMetrics(noMetrics, samples(...jsons))).toEqual(oneByOne);
  });

  it.each([[null], ['nonsense'], ['[1]'], ['{}']])('is unchanged by %s', (json) => {
    expect(addMetrics(noMetrics, samples(json))).toBe(noMetrics);
  });

  it('thins long series but keeps the first and the last value, and counts them all', () => {
    let series: Series | undefined;
    for (let value = 0; value < 10_000; value += 100)
      series = addSamples(
        series,
        Array.from({ length: 100 }, (_value, index) => value + index),
      );
    expect(series?.values.length).toBeLessThanOrEqual(maxSamples);
    expect(series?.values[0]).toBe(0);
    expect(series?.values.at(-1)).toBe(9_999);
    expect(series).toMatchObject({ count: 10_000, min: 0, max: 9_999, last: 9_999 });
    expect(series?.mean).toBeCloseTo(4_999.5, 3);
  });

  it('reads a fraction as percent and leaves percent unchanged', () => {
    expect(asPercent(0.374)).toBeCloseTo(37.4);
    expect(asPercent(37.4)).toBe(37.4);
  });

  it('fits a line into its box', () => {
    expect(linePoints([0, 5, 10], 100, 40, 10)).toEqual([
      [0, 40],
      [50, 20],
      [100, 0],
    ]);
    expect(linePoints([5], 100, 40, 10)).toEqual([
      [0, 20],
      [100, 20],
    ]);
    expect(linePoints([], 100, 40, 10)).toEqual([]);
    expect(linePoints([3], 100, 40, 0)).toEqual([
      [0, 0],
      [100, 0],
    ]);
  });

  it('keeps a count constant until it changes when drawn in steps', () => {
    expect(
      linePath(
        [
          [0, 4],
          [10, 2],
        ],
        true,
      ),
    ).toBe('M0 4L10 4L10 2');
    expect(
      linePath(
        [
          [0, 4],
          [10, 2],
        ],
        false,
      ),
    ).toBe('M0 4L10 2');
  });
});
