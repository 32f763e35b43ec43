import type { JobFilter, JobSort } from '../../src-preload/history.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { columnText, columnTitles, orderNames } from '../messages/jobs/columns.ts';

/** The table's columns, apart from the glyph, which is always first. */
export type TableColumn = Settings['tableColumns'][number]['column'];

interface ColumnFacts {
  /** The width in the design. Null for the column that takes the remaining width. */
  designPx: number | null;
  isFigure: boolean;
  /** The order it sorts by. */
  sort: JobSort['column'];
  /** The names of the two orders, ascending first. */
  orders: readonly [ascending: string, descending: string];
  /** Whether the first press sorts in descending order, so that the longest or newest come first. */
  isDescendingFirst: boolean;
  /** Hidden until the user chooses it. */
  isOptional?: true;
  /** The beginnings of filters by it, up to the value. Both bounds together make a range. */
  tokens?: readonly string[];
}

/** All columns, in the order of the design. */
export const tableColumns: Readonly<Record<TableColumn, ColumnFacts>> = {
  id: {
    designPx: 66,
    isFigure: false,
    tokens: ['id:'],
    sort: 'id',
    orders: orderNames.text,
    isDescendingFirst: false,
  },
  endpoint: {
    designPx: 132,
    isFigure: false,
    tokens: ['endpoint:'],
    sort: 'endpoint',
    orders: orderNames.text,
    isDescendingFirst: false,
  },
  title: { designPx: null, isFigure: false, sort: 'title', orders: orderNames.text, isDescendingFirst: false },
  wait: {
    designPx: 60,
    isFigure: true,
    tokens: ['waited>', 'waited<'],
    sort: 'wait',
    orders: orderNames.span,
    isDescendingFirst: true,
  },
  execution: {
    designPx: 124,
    isFigure: true,
    tokens: ['took>', 'took<'],
    sort: 'execution',
    orders: orderNames.span,
    isDescendingFirst: true,
  },
  age: {
    designPx: 44,
    isFigure: true,
    tokens: ['after:', 'before:'],
    sort: 'created',
    orders: orderNames.age,
    isDescendingFirst: true,
  },
  ttl: { designPx: 66, isFigure: true, sort: 'ttl', orders: orderNames.span, isDescendingFirst: false },
  mark: {
    designPx: 52,
    isFigure: false,
    tokens: ['mark:'],
    sort: 'mark',
    orders: orderNames.mark,
    isDescendingFirst: true,
    isOptional: true,
  },
  label: {
    designPx: 110,
    isFigure: false,
    tokens: ['label:'],
    sort: 'label',
    orders: orderNames.text,
    isDescendingFirst: false,
    isOptional: true,
  },
  cost: {
    designPx: 72,
    isFigure: true,
    tokens: ['cost>', 'cost<'],
    sort: 'cost',
    orders: orderNames.cost,
    isDescendingFirst: true,
    isOptional: true,
  },
  note: {
    designPx: 180,
    isFigure: false,
    sort: 'note',
    orders: orderNames.text,
    isDescendingFirst: false,
    isOptional: true,
  },
  tags: {
    designPx: 130,
    isFigure: false,
    tokens: ['tag:'],
    sort: 'tags',
    orders: orderNames.text,
    isDescendingFirst: false,
  },
};

/** The glyph's column, which is always first, is sorted by the words of the states. */
const statusOrder = { sort: 'status', isDescendingFirst: false } as const;

export const columnNames = Object.keys(tableColumns).filter(isColumn);

function isColumn(name: string): name is TableColumn {
  return Object.hasOwn(tableColumns, name);
}

export const columnBounds = { minPx: 36, maxPx: 480 } as const;
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

/**
 * The columns that say the same in every row of a list with this filter, so that they are left out (design language:
 * Density). Pure.
 */
export function columnsOfOneValue(filter: JobFilter | null): readonly TableColumn[] {
  if (filter === null) return [];
  const { endpointId, batchId, cause, sameInput, marks, labels } = filter;
  // A batch, a cause by its number and the runs of an input belong to one endpoint; words may be in several causes.
  const isOneCause = cause !== null && /^\d+$/.test(cause);
  const isOfOneEndpoint = isOneCause || [endpointId, batchId, sameInput].some((value) => value !== null);
  return [
    ...(isOfOneEndpoint ? ['endpoint' as const] : []),
    ...(marks.length === 1 ? ['mark' as const] : []),
    ...(labels.length === 1 ? ['label' as const] : []),
  ];
}

/** A column as it is drawn. */
export interface ShownColumn {
  column: TableColumn;
  widthPx: number | null;
}

/** The chosen columns that fit into a list of `listPx`, without those of one value. */
export function shownColumns(
  chosen: Settings['tableColumns'],
  listPx: number,
  ofOneValue: readonly TableColumn[] = [],
): ShownColumn[] {
  let shown = columnNames.flatMap((column): ShownColumn[] => {
    const choice = chosen.find((one) => one.column === column);
    if (!isChosen(chosen, column) || ofOneValue.includes(column)) return [];
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

/** The order after a press on a column's head: one way, the other way, then newest first. */
export function nextSort(sort: JobSort | null, column: TableColumn | 'status'): JobSort | null {
  const { sort: by, isDescendingFirst } = column === 'status' ? statusOrder : tableColumns[column];
  // Newest first is the default order.
  if (by === 'created') return sort?.column === 'created' ? null : { column: by, isDescending: false };
  if (sort?.column !== by) return { column: by, isDescending: isDescendingFirst };
  return sort.isDescending === isDescendingFirst ? { column: by, isDescending: !isDescendingFirst } : null;
}

/** The name of an order: `Execution, longest first`. */
export function sortTitle({ column, isDescending }: JobSort): string {
  const at = isDescending ? 1 : 0;
  if (column === 'status') return columnText.ordered(columnText.status, orderNames.text[at]);
  const name = columnNames.find((one) => tableColumns[one].sort === column) ?? 'title';
  return columnText.ordered(columnTitles[name], tableColumns[name].orders[at]);
}
