import { firstIndex } from '../../src-preload/first-index.ts';
import { Columns3 } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Menu, type MenuEntry } from '../design/menu/menu.tsx';
import { jsonTableText, tableFormatNames } from '../messages/json/view.ts';
import { askAboutLink } from './json-address.ts';
import { saveText } from '../data/save-file.ts';
import { runSteps, useSteps, type Steps } from '../stream/use-steps.ts';
import { JsonSearchBar, useFindKeys, useJsonFind } from './json-search-bar.tsx';
import { useColumnWidths } from './column-widths.ts';
import { copyPath } from './json-copies.tsx';
import type { JsonIndex } from './json-index.ts';
import { TableGrid, type GridPlace, type TableGridProps } from './json-table-grid.tsx';
import type { ShownColumn } from './json-table-header.tsx';
import { cellAt, readTable, sortedRows, type JsonColumn, type JsonTable, type TableSort } from './json-table.ts';
import { tableFile, tableTypes, type TableFormat } from './table-files.ts';
import styles from './json-table.module.css';

const formats: readonly TableFormat[] = ['csv', 'ndjson', 'json'];

export interface JsonTableViewProps extends Pick<TableGridProps, 'index' | 'rowsPath' | 'onFilter' | 'onShowInTree'> {
  /** The array of objects. */
  node: number;
  /** The name of the array, for the name of the saved file. */
  name: string;
  isFinding: boolean;
  onFindEnd: () => void;
  /** The endpoint for which the widths of columns are remembered, if any. */
  endpointId: string | undefined;
}

/** An array of objects as a table: sortable, searchable, with cells that can be copied, and saved to a file. */
export function JsonTableView(props: JsonTableViewProps) {
  const { index, node } = props;
  const [sort, setSort] = useState<TableSort | null>(null);
  const startTable = useCallback(() => readTable(index, node), [index, node]);
  const reading = useSteps(startTable);
  const table = reading?.start === startTable ? reading.result : null;
  const startSort = useCallback(() => orderOf(index, table, sort), [index, table, sort]);
  const order = useSteps(startSort)?.result ?? null;
  if (table === null || order === null || order.length !== table.rows.length) return null;
  return <ReadTable {...props} {...{ table, order, sort }} onSort={setSort} />;
}

interface ReadTableProps extends JsonTableViewProps, Pick<TableGridProps, 'table' | 'order' | 'sort' | 'onSort'> {}

function ReadTable(props: ReadTableProps) {
  const { index, node, table, order, name, isFinding, onFindEnd } = props;
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const widths = useColumnWidths(props.endpointId);
  const { widthOf } = widths;
  const [at, setAt] = useState<GridPlace>({ row: 0, column: 0 });
  const shown = table.columns.flatMap((facts, column): ShownColumn[] =>
    hidden.has(column) ? [] : [{ column, widthPx: widthOf(facts.key) ?? usualWidthPx(facts) }],
  );
  const places = shown.map(({ column }) => column);
  /** The position of each row in the order shown. */
  const ranks = useMemo(() => ranksOf(order), [order]);
  const go = (found: number): void => {
    const row = rowOf(table, found);
    const column = shown.findIndex((each) => {
      const cell = cellAt(table, row, each.column);
      return cell !== -1 && found >= cell && found < (index.next[cell] ?? 0);
    });
    setAt({ row: ranks[row] ?? 0, column: Math.max(0, column) });
  };
  const hide = (next: ReadonlySet<number>): void => {
    setHidden(next);
    setAt({ row: at.row, column: 0 });
  };
  const placeInView = (): number => index.start[table.rows[order[at.row] ?? 0] ?? 0] ?? 0;
  const finding = useJsonFind(index, placeInView, go, { from: index.valueStart[node] ?? 0, to: index.end[node] ?? 0 });
  useFindKeys(isFinding, finding.next, finding.previous, () =>
    copyPath(index, cellAt(table, order[at.row] ?? 0, places[at.column] ?? 0)),
  );
  return (
    <>
      {isFinding && <JsonSearchBar finding={finding} onClose={onFindEnd} />}
      <TableGrid
        {...props}
        {...{ shown, at, finding }}
        onAt={setAt}
        widths={widths}
        onHide={shown.length === 1 ? null : (column) => hide(new Set([...hidden, column]))}
        onLink={askAboutLink}
      />
      <TableFoot
        table={table}
        hidden={hidden}
        onHidden={hide}
        onSave={(format) => saveTable(tableFile(index, table, { order, shown: places }, format), name, format)}
      />
    </>
  );
}

interface TableFootProps {
  table: JsonTable;
  hidden: ReadonlySet<number>;
  onHidden: (hidden: ReadonlySet<number>) => void;
  onSave: (format: TableFormat) => void;
}

/** How much is shown, which columns, and the formats to save. */
function TableFoot({ table, hidden, onHidden, onSave }: TableFootProps) {
  const columns = table.columns.length;
  const toggled = (column: number): ReadonlySet<number> => {
    const next = new Set(hidden);
    if (!next.delete(column)) next.add(column);
    return next;
  };
  return (
    <div className={styles.foot}>
      <span className={styles.count}>
        {jsonTableText.size(table.rows.length, columns - hidden.size, columns, table.leftOut)}
      </span>
      <Menu
        trigger={
          <Button variant="ghost" size="sm" icon={<Columns3 />}>
            {jsonTableText.columns}
          </Button>
        }
        items={[
          {
            kind: 'item',
            label: jsonTableText.showAllColumns,
            onSelect: () => onHidden(new Set()),
            disabledReason: hidden.size === 0 ? jsonTableText.allAreShown : undefined,
          },
          { kind: 'separator' },
          ...table.columns.map(({ key }, column): MenuEntry => ({
            kind: 'item',
            label: key,
            isChosen: !hidden.has(column),
            keepsOpen: true,
            onSelect: () => onHidden(toggled(column)),
            disabledReason: !hidden.has(column) && hidden.size === columns - 1 ? jsonTableText.oneIsNeeded : undefined,
          })),
        ]}
      />
      <span className={styles.gap} />
      <span>{jsonTableText.saveAs}</span>
      {formats.map((format) => (
        <Button
          key={format}
          size="sm"
          aria-label={jsonTableText.saveAsFormat(tableFormatNames[format])}
          onClick={() => onSave(format)}
        >
          {tableFormatNames[format]}
        </Button>
      ))}
    </div>
  );
}

/** Every row is a grid of its own, so widths must not depend on the content of a row. */
function usualWidthPx({ key, kind, range }: JsonColumn): number {
  const min = kind === 'string' || kind === 'mixed' ? 180 : 104;
  const longestPx = kind === 'string' ? Math.ceil((range?.max ?? 0) * charPx) : 0;
  return Math.min(240, Math.max(min, key.length * 8 + 24, longestPx));
}

/** A little more than the width of a character in a cell. */
const charPx = 7.3;

function ranksOf(order: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(order.length);
  for (const [rank, row] of order.entries()) ranks[row] = rank;
  return ranks;
}

/** The row that contains a value. */
function rowOf({ rows }: JsonTable, node: number): number {
  return Math.max(0, firstIndex(rows.length, (row) => (rows[row] ?? 0) <= node) - 1);
}

function* orderOf(index: JsonIndex, table: JsonTable | null, sort: TableSort | null) {
  return table === null ? null : yield* sortedRows(index, table, sort);
}

/** Writes the file in steps of a few milliseconds per frame, then asks where to save it. */
function saveTable(steps: Steps<string>, name: string, format: TableFormat): void {
  runSteps(steps, (text) => saveText(`${name.replaceAll(/[^\w-]+/g, '_')}.${format}`, text, tableTypes[format]));
}
