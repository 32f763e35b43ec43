import { ArrowDownUp, Columns3 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TableFormat } from '../../../src-preload/batch-table.ts';
import { call } from '../../bridge.ts';
import { reportExport } from '../../data/export-items.tsx';
import { Button } from '../../design/button.tsx';
import { Menu, type MenuEntry } from '../../design/menu/menu.tsx';
import { batchColumnText, batchTableText } from '../../messages/jobs/batch-table.ts';
import { jsonTableText, tableFormatNames } from '../../messages/json/view.ts';
import { savedColumns, type BatchColumn } from './batch-columns.ts';
import type { BatchSort } from './batch-order.ts';
import { chooseColumn, chooseUsualColumns, type BatchRows } from './use-batch-rows.ts';
import styles from './batch-table.module.css';

const formats: readonly TableFormat[] = ['csv', 'ndjson', 'json'];

/** How much is shown, the columns, and the formats to save. `children`: what a view adds. */
export function BatchFoot({ rows, children }: { rows: BatchRows; children?: ReactNode }) {
  const { order, shown, columns, reading, total, unread, batch } = rows;
  return (
    <div className={styles.foot}>
      <span className={styles.count} role="status">
        {unread > 0 && reading.problem === null
          ? batchTableText.reading(Math.max(0, total - unread), total)
          : batchTableText.size(order.length, shown.length, columns.length)}
      </span>
      <Menu
        trigger={
          <Button variant="ghost" size="sm" icon={<Columns3 />}>
            {batchTableText.columns}
          </Button>
        }
        items={columnEntries(batch.endpointId, columns, shown)}
      />
      <span className={styles.gap} />
      {children}
      <span className={styles.saveAs}>{batchTableText.saveAs}</span>
      {formats.map((format) => (
        <Button
          key={format}
          size="sm"
          aria-label={batchTableText.saveAsFormat(tableFormatNames[format])}
          disabledReason={unread > 0 ? batchTableText.stillReading : undefined}
          onClick={() => void save(rows, format)}
        >
          {tableFormatNames[format]}
        </Button>
      ))}
    </div>
  );
}

function columnEntries(
  endpointId: string,
  columns: readonly BatchColumn[],
  shown: readonly BatchColumn[],
): MenuEntry[] {
  const isShown = new Set(shown.map(({ id }) => id));
  const isUsual = columns.every(({ id, isShownFirst }) => isShown.has(id) === isShownFirst);
  const entry = ({ id, title, isSame }: BatchColumn): MenuEntry => ({
    kind: 'item',
    label: title,
    note: isSame ? batchTableText.sameInAll : undefined,
    isChosen: isShown.has(id),
    keepsOpen: true,
    onSelect: () => chooseColumn(endpointId, id, !isShown.has(id)),
    disabledReason: isShown.has(id) && shown.length === 1 ? batchTableText.oneIsNeeded : undefined,
  });
  const group = (name: string, wanted: readonly BatchColumn['group'][]): MenuEntry[] => {
    const entries = columns.filter((column) => wanted.includes(column.group)).map(entry);
    return entries.length === 0 ? [] : [{ kind: 'separator' }, { kind: 'label', label: name }, ...entries];
  };
  return [
    {
      kind: 'item',
      label: batchTableText.showUsual,
      onSelect: () => chooseUsualColumns(endpointId),
      disabledReason: isUsual ? batchTableText.usualShown : undefined,
    },
    ...group(batchColumnText.input, ['input']),
    ...group(batchColumnText.job, ['status', 'job']),
    ...group(batchColumnText.output, ['output']),
  ];
}

/** Asks for a file. Main writes whole values into it, not the beginnings that are shown. */
async function save({ order, rows, shown, batch }: BatchRows, format: TableFormat): Promise<void> {
  const keys = order.filter((key) => rows.has(key));
  const hasErrors = keys.some((key) => {
    const row = rows.get(key);
    return row !== undefined && row.job.phase !== 'active' && row.job.status !== 'COMPLETED';
  });
  const columns = savedColumns(shown, hasErrors);
  reportExport(await call('table:save', { keys, columns, format, name: batch.name }));
}

/** The order of the images: the columns that are shown, both ways. */
export function OrderMenu({ rows: { shown, sort, setSort } }: { rows: BatchRows }) {
  const item = (label: string, wanted: BatchSort): MenuEntry => ({
    kind: 'item',
    label,
    isChosen: sort?.column === wanted?.column && sort?.isDescending === wanted?.isDescending,
    onSelect: () => setSort(wanted),
  });
  const sorted = shown.find(({ id }) => id === sort?.column);
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" size="sm" icon={<ArrowDownUp />}>
          {sorted === undefined ? batchTableText.rowOrder : sorted.title}
        </Button>
      }
      items={[
        item(batchTableText.rowOrder, null),
        ...shown.flatMap(({ id, title }): MenuEntry[] => [
          { kind: 'separator' },
          { kind: 'label', label: title },
          item(jsonTableText.ascending, { column: id, isDescending: false }),
          item(jsonTableText.descending, { column: id, isDescending: true }),
        ]),
      ]}
    />
  );
}
