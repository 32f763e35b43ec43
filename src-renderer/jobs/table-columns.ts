import type { JobSort } from '../../src-preload/history.ts';
import type { Settings } from '../../src-preload/settings.ts';

/** The table's columns, apart from the glyph, which is always first. */
export type TableColumn = Settings['tableColumns'][number]['column'];

interface ColumnFacts {
  title: string;
  /** The width in the design. Null for the column that takes the remaining width. */
  designPx: number | null;
  isFigure: boolean;
  /** The order it sorts by. */
  sort: JobSort['column'];
  /** The names of the two orders, ascending first. */
  orders: readonly [rising: string, falling: string];
  /** Whether the first press sorts in descending order, so that the longest or newest come first. */
  isFallingFirst: boolean;
  /** Hidden until the user chooses it. */
  isOptional?: true;
  /** The beginning of a filter by it, up to the value. */
  token?: string;
}

const text = ['A to Z', 'Z to A'] as const;
const markOrders = ['lowest first', 'highest first'] as const;
const span = ['shortest first', 'longest first'] as const;
const costOrders = ['cheapest first', 'most expensive first'] as const;

/** All columns, in the order of the design. */
export const tableColumns: Readonly<Record<TableColumn, ColumnFacts>> = {
  id: {
    title: 'Id',
    designPx: 66,
    isFigure: false,
    token: 'id:',
    sort: 'id',
    orders: text,
    isFallingFirst: false,
  },
  endpoint: {
    title: 'Endpoint',
    designPx: 132,
    isFigure: false,
    token: 'endpoint:',
    sort: 'endpoint',
    orders: text,
    isFallingFirst: false,
  },
  title: { title: 'Job', designPx: null, isFigure: false, sort: 'title', orders: text, isFallingFirst: false },
  wait: {
    title: 'Wait',
    designPx: 60,
    isFigure: true,
    token: 'waited>',
    sort: 'wait',
    orders: span,
    isFallingFirst: true,
  },
  execution: {
    title: 'Execution',
    designPx: 124,
    isFigure: true,
    token: 'took>',
    sort: 'execution',
    orders: span,
    isFallingFirst: true,
  },
  age: {
    title: 'Age',
    designPx: 44,
    isFigure: true,
    token: 'after:',
    sort: 'created',
    orders: ['oldest first', 'newest first'],
    isFallingFirst: true,
  },
  ttl: { title: 'ttl left', designPx: 66, isFigure: true, sort: 'ttl', orders: span, isFallingFirst: false },
  mark: {
    title: 'Mark',
    designPx: 52,
    isFigure: false,
    token: 'mark:',
    sort: 'mark',
    orders: markOrders,
    isFallingFirst: true,
    isOptional: true,
  },
  label: {
    title: 'Label',
    designPx: 110,
    isFigure: false,
    token: 'label:',
    sort: 'label',
    orders: text,
    isFallingFirst: false,
    isOptional: true,
  },
  cost: {
    title: 'Cost, est.',
    designPx: 72,
    isFigure: true,
    token: 'cost>',
    sort: 'cost',
    orders: costOrders,
    isFallingFirst: true,
    isOptional: true,
  },
  note: {
    title: 'Note',
    designPx: 180,
    isFigure: false,
    sort: 'note',
    orders: text,
    isFallingFirst: false,
    isOptional: true,
  },
  tags: {
    title: 'Tags',
    designPx: 130,
    isFigure: false,
    token: 'tag:',
    sort: 'tags',
    orders: text,
    isFallingFirst: false,
  },
};

export const columnNames = Object.keys(tableColumns).filter(isColumn);

function isColumn(name: string): name is TableColumn {
  return Object.hasOwn(tableColumns, name);
}

export const columnBounds = { leastPx: 36, mostPx: 480 } as const;
const glyphPx = 26;
const gapPx = 12;
const sidesPx = 28;
/** The least width of the title. Columns that do not fit beside it are left out, the first of these first. */
const titlePx = 240;
const leftOutFirst: readonly TableColumn[] = ['tags', 'note', 'ttl', 'label', 'cost', 'mark', 'wait', 'endpoint', 'id'];

/** Whether the user has chosen a column. The title always is. */
export function isChosen(chosen: Settings['tableColumns'], column: TableColumn): boolean {
  const choice = chosen.find((one) => one.column === column);
  return column === 'title' || (choice?.isShown ?? tableColumns[column].isOptional !== true);
}

/** A column as it is drawn. */
export interface ShownColumn {
  column: TableColumn;
  widthPx: number | null;
}

/** The chosen columns that fit into a list of `listPx`. */
export function shownColumns(chosen: Settings['tableColumns'], listPx: number): ShownColumn[] {
  let shown = columnNames.flatMap((column): ShownColumn[] => {
    const choice = chosen.find((one) => one.column === column);
    if (!isChosen(chosen, column)) return [];
    return [{ column, widthPx: column === 'title' ? null : (choice?.widthPx ?? tableColumns[column].designPx) }];
  });
  for (const column of leftOutFirst) {
    const takenPx = shown.reduce((sum, one) => sum + (one.widthPx ?? titlePx) + gapPx, glyphPx + sidesPx);
    if (takenPx <= listPx) break;
    shown = shown.filter((one) => one.column !== column);
  }
  return shown;
}

/** The columns as a grid template, with the glyph's column first. */
export function gridOf(columns: readonly ShownColumn[]): string {
  return [`${glyphPx}px`, ...columns.map(({ widthPx }) => (widthPx === null ? 'minmax(0, 1fr)' : `${widthPx}px`))].join(
    ' ',
  );
}

/** The choice after a change of one column. */
export function withColumn(
  chosen: Settings['tableColumns'],
  column: TableColumn,
  change: Partial<Settings['tableColumns'][number]>,
): Settings['tableColumns'] {
  const before = chosen.find((one) => one.column === column) ?? { column, widthPx: null, isShown: true };
  return [...chosen.filter((one) => one.column !== column), { ...before, ...change }];
}

/** The order after a press on a column's head: one way, the other way, then newest first. */
export function nextSort(sort: JobSort | null, column: TableColumn): JobSort | null {
  const { sort: by, isFallingFirst } = tableColumns[column];
  // Newest first is the default order.
  if (by === 'created') return sort?.column === 'created' ? null : { column: by, isDescending: false };
  if (sort?.column !== by) return { column: by, isDescending: isFallingFirst };
  return sort.isDescending === isFallingFirst ? { column: by, isDescending: !isFallingFirst } : null;
}

/** The name of an order: `Execution, longest first`. */
export function sortTitle({ column, isDescending }: JobSort): string {
  if (column === 'status') return isDescending ? 'Status, Z to A' : 'Status, A to Z';
  const name = columnNames.find((one) => tableColumns[one].sort === column) ?? 'title';
  return `${tableColumns[name].title}, ${tableColumns[name].orders[isDescending ? 1 : 0]}`;
}
