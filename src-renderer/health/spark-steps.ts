import type { HealthPoint } from '../../src-preload/health.ts';
import { chartColumns } from './columns.ts';

/** The least that reaches the full height, so that one job does not look like a crowd. */
const leastTop = 4;
/** Steps across the drawing. */
const stepCount = 66;

/**
 * Area paths of a small chart: queued laid on in progress, and in progress alone; nothing over time without samples.
 * Pure.
 */
export function sparkSteps(
  points: readonly HealthPoint[],
  fromMs: number,
  toMs: number,
  size: { width: number; height: number },
): { queued: string; running: string } {
  const { atMs, values } = chartColumns(points, fromMs, toMs, (toMs - fromMs) / stepCount);
  const totals = atMs.map((_, index) =>
    values.inProgress[index] == null ? null : (values.inProgress[index] ?? 0) + (values.queued[index] ?? 0),
  );
  const top = Math.max(leastTop, ...totals.map((total) => total ?? 0));
  const x = (time: number): number =>
    Math.round(Math.max(0, ((time - fromMs) / (toMs - fromMs)) * size.width) * 10) / 10;
  const y = (value: number): number => Math.round((size.height - 1 - (value / top) * (size.height - 2)) * 10) / 10;
  const path = (heights: readonly (number | null)[]): string =>
    heights
      .map((value, index) => {
        const begin = atMs[index];
        const end = atMs[index + 1];
        if (value === null || value === 0 || begin === undefined || end === undefined || end <= fromMs) return '';
        return `M${x(begin)} ${size.height - 1}V${y(value)}H${x(end)}V${size.height - 1}Z`;
      })
      .join('');
  return { queued: path(totals), running: path(values.inProgress) };
}
