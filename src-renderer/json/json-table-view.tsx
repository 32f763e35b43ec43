import { useCallback, useState, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { formatCountOf } from '../design/format.ts';
import { saveText } from '../stream/save-file.ts';
import { useSteps } from '../stream/use-steps.ts';
import { inSlices } from '../stream/use-text-rows.ts';
import type { JsonIndex } from './json-index.ts';
import { TableGrid, type TableGridProps } from './json-table-grid.tsx';
import { readTable, sortedRows, type JsonTable, type TableSort } from './json-table.ts';
import { tableFile, tableTypes, type TableFormat } from './table-files.ts';
import styles from './json-table.module.css';

const formats: readonly { format: TableFormat; name: string }[] = [
  { format: 'csv', name: 'CSV' },
  { format: 'ndjson', name: 'NDJSON' },
  { format: 'json', name: 'JSON' },
];

export interface JsonTableViewProps extends Pick<TableGridProps, 'index' | 'rowsPath' | 'onFilter' | 'onShowInTree'> {
  /** The array of objects. */
  node: number;
  /** Its name, for the file it is saved as. */
  name: string;
  /** The choice of what is shown, above the table. */
  choice: ReactNode;
}

/** An array of objects as a table: sorted by a column, copied from cell by cell, saved whole. */
export function JsonTableView({ index, node, rowsPath, name, onFilter, onShowInTree, choice }: JsonTableViewProps) {
  const [sort, setSort] = useState<TableSort | null>(null);
  const startTable = useCallback(() => readTable(index, node), [index, node]);
  const reading = useSteps(startTable);
  const table = reading?.start === startTable ? reading.result : null;
  const startSort = useCallback(() => orderOf(index, table, sort), [index, table, sort]);
  const order = useSteps(startSort)?.result ?? null;
  return (
    <>
      <div className={styles.head}>{choice}</div>
      {table !== null && order !== null && order.length === table.rows.length && (
        <>
          <TableGrid {...{ index, table, order, sort, rowsPath, onFilter, onShowInTree }} onSort={setSort} />
          <div className={styles.foot}>
            <span className={styles.count}>
              {formatCountOf(table.rows.length, 'object')}, {formatCountOf(table.columns.length, 'column')}
              {table.leftOut > 0 && `, ${formatCountOf(table.leftOut, 'more key')} in the tree only`}
            </span>
            <span className={styles.gap} />
            <span>Save as</span>
            {formats.map((each) => (
              <Button
                key={each.format}
                size="sm"
                aria-label={`Save as ${each.name}`}
                onClick={() => saveTable(index, table, order, each.format, name)}
              >
                {each.name}
              </Button>
            ))}
          </div>
        </>
      )}
    </>
  );
}

function* orderOf(index: JsonIndex, table: JsonTable | null, sort: TableSort | null) {
  return table === null ? null : yield* sortedRows(index, table, sort);
}

function saveTable(index: JsonIndex, table: JsonTable, order: Uint32Array, format: TableFormat, name: string): void {
  const steps = tableFile(index, table, order, format);
  let next = steps.next();
  inSlices(
    () => {
      next = steps.next();
    },
    () => next.done === true,
    () => {
      if (next.done === true) saveText(`${name.replaceAll(/[^\w-]+/g, '_')}.${format}`, next.value, tableTypes[format]);
    },
  );
}
