import { ArrowDown, ArrowUp, EyeOff, MoveHorizontal } from 'lucide-react';
import type { CSSProperties } from 'react';
import { classes } from '../design/class-names.ts';
import { HeadMenuButton } from '../design/menu/head-menu-button.tsx';
import { ContextMenu, type MenuEntry } from '../design/menu/menu.tsx';
import { Splitter } from '../design/splitter.tsx';
import { jsonColumnWidthBounds } from '../../src-preload/bounds.ts';
import { jsonTableText } from '../messages/json/view.ts';
import type { ColumnWidths } from './column-widths.ts';
import type { JsonTable, TableSort } from './json-table.ts';
import { columnFacts } from './json-summaries.ts';
import styles from './json-table.module.css';

interface TableHeaderProps extends Pick<CSSProperties, 'gridTemplateColumns'>, HeadActions {
  table: JsonTable;
  /** The indices of the visible columns, and their widths. */
  shown: readonly ShownColumn[];
}

interface HeadActions {
  widths: ColumnWidths;
  sort: TableSort | null;
  onSort: (sort: TableSort | null) => void;
  /** Hides a column. Null while it is the only one. */
  onHide: ((column: number) => void) | null;
  /** Makes a column as wide as its drawn cells and its head need. `at`: its place among the visible ones. */
  onFit: (at: number) => void;
  /** What the order without a sorted column is called. */
  unsorted?: string;
}

export interface ShownColumn {
  column: number;
  widthPx: number;
}

const { minPx, maxPx } = jsonColumnWidthBounds;

/** The names of the columns, which sort the table, with a summary and a menu of each. */
export function TableHeader({ table, shown, gridTemplateColumns, ...actions }: TableHeaderProps) {
  return (
    <div className={styles.header} role="rowgroup">
      <div role="row" aria-rowindex={1} className={styles.headerRow} style={{ gridTemplateColumns }}>
        <span role="columnheader" className={styles.column}>
          {jsonTableText.index}
        </span>
        {shown.map((each, at) => {
          const column = table.columns[each.column];
          if (column === undefined) return null;
          const head: Head = {
            key: column.key,
            name: column.key,
            isFigure: column.kind === 'number',
            facts: columnFacts(column, table.rows.length),
            histogram: column.histogram,
          };
          return <ColumnHead key={column.key} {...each} at={at} of={head} {...actions} />;
        })}
      </div>
    </div>
  );
}

/** What a head says of its column. */
interface Head {
  /** The name under which its width is remembered. */
  key: string;
  name: string;
  isFigure: boolean;
  /** One line about the values. */
  facts: string;
  histogram: readonly number[] | null;
}

interface ColumnHeadProps extends ShownColumn, HeadActions {
  of: Head;
  /** Its place among the visible columns. */
  at: number;
}

/** The head of a column: its name, which sorts, a summary of its values, its menu and its edge. */
export function ColumnHead({ column: place, widthPx, at, of: head, ...actions }: ColumnHeadProps) {
  const { widths, sort, onSort, onFit } = actions;
  const isSorted = sort?.column === place;
  const isDescending = isSorted && sort.isDescending;
  return (
    <ContextMenu items={headMenu(place, at, head.name, actions)}>
      <span
        role="columnheader"
        aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
        className={classes(styles.column, head.isFigure && styles.figure)}
      >
        <span className={styles.columnTop}>
          <button
            type="button"
            className={classes(styles.sort, isSorted && styles.sorted)}
            onClick={() => onSort(isDescending ? null : { column: place, isDescending: isSorted })}
          >
            {isSorted && (isDescending ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
            <span className="trunc" data-name="">
              {head.name}
            </span>
          </button>
          <HeadMenuButton column={head.name} side={head.isFigure ? 'start' : 'end'} />
        </span>
        <Histogram counts={head.histogram} />
        <span className={styles.facts} data-facts="">
          {head.facts}
        </span>
        <span className={styles.edge}>
          <Splitter
            label={jsonTableText.widthOf(head.name)}
            {...{ widthPx, minPx, maxPx }}
            onResize={(px) => widths.drag(head.key, px)}
            onKeep={(px) => widths.keep(head.key, px)}
            onFit={() => onFit(at)}
          />
        </span>
      </span>
    </ContextMenu>
  );
}

/** The menu of a column. */
function headMenu(place: number, at: number, key: string, actions: HeadActions): MenuEntry[] {
  const { sort, onSort, onHide, onFit, unsorted } = actions;
  const order = (label: string, wanted: TableSort | null): MenuEntry => ({
    kind: 'item',
    label,
    isChosen: sort?.column === wanted?.column && sort?.isDescending === wanted?.isDescending,
    onSelect: () => onSort(wanted),
  });
  return [
    { kind: 'label', label: key },
    order(jsonTableText.ascending, { column: place, isDescending: false }),
    order(jsonTableText.descending, { column: place, isDescending: true }),
    order(unsorted ?? jsonTableText.unsorted, null),
    { kind: 'separator' },
    {
      kind: 'item',
      label: jsonTableText.fit,
      icon: <MoveHorizontal />,
      onSelect: () => onFit(at),
    },
    {
      kind: 'item',
      label: jsonTableText.hide,
      icon: <EyeOff />,
      onSelect: () => onHide?.(place),
      disabledReason: onHide === null ? jsonTableText.oneIsNeeded : undefined,
    },
  ];
}

const barPx = 5;
const histogramPx = 16;

/** How many numbers are in each twelfth of the range. The text below it says the range. */
function Histogram({ counts }: { counts: readonly number[] | null }) {
  if (counts === null) return null;
  const max = Math.max(...counts);
  return (
    <svg
      className={styles.histogram}
      width={counts.length * barPx}
      height={histogramPx}
      viewBox={`0 0 ${counts.length * barPx} ${histogramPx}`}
      aria-hidden="true"
    >
      {counts.map((count, at) => {
        const height = count === 0 ? 0 : Math.max(1, (count / max) * histogramPx);
        return <rect key={at} x={at * barPx} y={histogramPx - height} width={barPx - 1} height={height} />;
      })}
    </svg>
  );
}
