import { useMemo } from 'react';
import type { HealthPoint } from '../../src-preload/health.ts';
import { formatCount } from '../../src-preload/format.ts';
import { counterNames, gaugeNames, valuesTableText } from '../messages/health/charts.ts';
import { dayAndClock } from '../messages/health/figures.ts';
import { isReported, type Columns } from './columns.ts';
import type { HealthRange } from './range.ts';
import { counters, counterIncrease, type Counter } from './rates.ts';
import { endOf, runsOf, thin } from './runs.ts';
import card from './card.module.css';
import styles from './values-table.module.css';

/** A point in the table. Counters are the increase since the row before, or null after a gap. */
interface TableRow {
  point: HealthPoint;
  risen: Record<Counter, number | null>;
}

type TableLine = { kind: 'row'; row: TableRow } | { kind: 'gap'; fromMs: number; toMs: number };

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

const alwaysShown = ['queued', 'inProgress', 'running', 'idle'] as const;
const onlyReported = ['initializing', 'ready', 'throttled', 'unhealthy'] as const;

interface ValuesTableProps {
  points: readonly HealthPoint[];
  columns: Columns;
  fromMs: number;
  toMs: number;
  range: HealthRange;
}

/** The values of the charts as text, newest first. */
export function ValuesTable({ points, columns, fromMs, toMs, range }: ValuesTableProps) {
  const lines = useMemo(() => tableLines(points, fromMs, toMs, range.columnMs), [points, fromMs, toMs, range]);
  const reported = onlyReported.filter((gauge) => isReported(columns, gauge));
  return (
    <div className={styles.frame} tabIndex={0} role="group" aria-label={valuesTableText.values}>
      <table className={card.table}>
        <caption className={card.note}>{valuesTableText.caption(range.phrase)}</caption>
        <thead>
          <tr>
            <th scope="col">{valuesTableText.time}</th>
            {[...alwaysShown, ...reported].map((gauge) => (
              <th key={gauge} scope="col">
                {gaugeNames[gauge]}
              </th>
            ))}
            {counters.map((counter) => (
              <th key={counter} scope="col">
                {counterNames[counter]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) =>
            line.kind === 'gap' ? (
              <tr key={`gap ${line.fromMs}`} className={styles.gap}>
                <td colSpan={8 + reported.length}>{valuesTableText.gap(line.fromMs, line.toMs, toMs)}</td>
              </tr>
            ) : (
              <tr key={line.row.point.atMs}>
                <th scope="row">{dayAndClock(line.row.point.atMs, toMs)}</th>
                <td>{formatCount(line.row.point.maxInQueue)}</td>
                <td>{formatCount(line.row.point.inProgress)}</td>
                <td>{formatCount(line.row.point.running)}</td>
                <td>{formatCount(line.row.point.idle)}</td>
                {reported.map((gauge) => (
                  <td key={gauge}>{orDash(line.row.point[gauge])}</td>
                ))}
                {counters.map((counter) => (
                  <td key={counter}>{orDash(line.row.risen[counter])}</td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
      {lines.length === 0 && <p className={card.note}>{valuesTableText.noData}</p>}
    </div>
  );
}

function orDash(value: number | null): string {
  return value === null ? '–' : formatCount(value);
}
