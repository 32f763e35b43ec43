import { ArrowDown, ArrowUp } from 'lucide-react';
import type { CSSProperties } from 'react';
import { classes } from '../design/class-names.ts';
import { Splitter } from '../design/splitter.tsx';
import { jsonTableText } from '../messages/json/view.ts';
import type { JsonTable, TableSort } from './json-table.ts';
import { columnFacts } from './json-summaries.ts';
import styles from './json-table.module.css';

interface TableHeaderProps extends Pick<CSSProperties, 'gridTemplateColumns'> {
  table: JsonTable;
  /** The indices of the visible columns, and their widths. */
  shown: readonly ShownColumn[];
  onWidth: (column: number, widthPx: number | null) => void;
  sort: TableSort | null;
  onSort: (sort: TableSort | null) => void;
}

export interface ShownColumn {
  column: number;
  widthPx: number;
}

const widthBounds = { leastPx: 60, mostPx: 800 } as const;

/** The names of the columns, which sort the table, with a summary of each. */
export function TableHeader({ table, shown, sort, onSort, onWidth, gridTemplateColumns }: TableHeaderProps) {
  return (
    <div className={styles.header} role="rowgroup">
      <div role="row" aria-rowindex={1} className={styles.headerRow} style={{ gridTemplateColumns }}>
        <span role="columnheader" className={styles.column}>
          {jsonTableText.index}
        </span>
        {shown.map(({ column: place, widthPx }) => {
          const column = table.columns[place];
          if (column === undefined) return null;
          const isSorted = sort?.column === place;
          const isDescending = isSorted && sort.isDescending;
          return (
            <span
              key={column.key}
              role="columnheader"
              aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
              className={classes(styles.column, column.kind === 'number' && styles.figure)}
            >
              <button
                type="button"
                className={classes(styles.sort, isSorted && styles.sorted)}
                onClick={() => onSort(isDescending ? null : { column: place, isDescending: isSorted })}
              >
                {isSorted && (isDescending ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
                <span className="trunc">{column.key}</span>
              </button>
              <Histogram counts={column.histogram} />
              <span className={styles.facts}>{columnFacts(column, table.rows.length)}</span>
              <span className={styles.edge}>
                <Splitter
                  label={jsonTableText.widthOf(column.key)}
                  widthPx={widthPx}
                  {...widthBounds}
                  onResize={(px) => onWidth(place, px)}
                  onKeep={(px) => onWidth(place, px)}
                />
              </span>
            </span>
          );
        })}
      </div>
    </div>
  );
}

const barPx = 5;
const histogramPx = 16;

/** How many numbers are in each twelfth of the range. The text below it says the range. */
function Histogram({ counts }: { counts: readonly number[] | null }) {
  if (counts === null) return null;
  const most = Math.max(...counts);
  return (
    <svg
      className={styles.histogram}
      width={counts.length * barPx}
      height={histogramPx}
      viewBox={`0 0 ${counts.length * barPx} ${histogramPx}`}
      aria-hidden="true"
    >
      {counts.map((count, at) => {
        const height = count === 0 ? 0 : Math.max(1, (count / most) * histogramPx);
        return <rect key={at} x={at * barPx} y={histogramPx - height} width={barPx - 1} height={height} />;
      })}
    </svg>
  );
}
