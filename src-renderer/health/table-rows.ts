import type { HealthPoint } from '../../src-preload/health.ts';
import { counters, counterIncrease, type Counter } from './rates.ts';
import { endOf, runsOf, thin } from './runs.ts';

/** A point in the table. Counters are the increase since the row before, or null after a gap. */
interface TableRow {
  point: HealthPoint;
  risen: Record<Counter, number | null>;
}

export type TableLine = { kind: 'row'; row: TableRow } | { kind: 'gap'; fromMs: number; toMs: number };

const maxRows = 60;

/** The points since `fromMs` in at most about sixty lines, newest first. Gaps have lines of their own. */
export function tableLines(
  points: readonly HealthPoint[],
  fromMs: number,
  toMs: number,
  columnMs: number,
): TableLine[] {
  const stepMs = Math.max(columnMs, (toMs - fromMs) / maxRows);
  const lines: TableLine[] = [];
  let before: HealthPoint | null = null;
  for (const run of runsOf(points.filter((point) => endOf(point) >= fromMs))) {
    const [first] = run;
    if (before !== null && first !== undefined) lines.push({ kind: 'gap', fromMs: endOf(before), toMs: first.atMs });
    let last: HealthPoint | null = null;
    for (const point of thin(run, stepMs)) {
      const former = last;
      const risen = (counter: Counter): number | null =>
        former === null ? null : counterIncrease(former[counter], point[counter]);
      lines.push({
        kind: 'row',
        row: {
          point,
          risen: { completed: risen(counters[0]), failed: risen(counters[1]), retried: risen(counters[2]) },
        },
      });
      last = point;
    }
    before = run.at(-1) ?? before;
  }
  return lines.reverse();
}
