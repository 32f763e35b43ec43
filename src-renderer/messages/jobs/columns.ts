import type { Settings } from '../../../src-preload/settings.ts';

type TableColumn = Settings['tableColumns'][number]['column'];

export const columnTitles: Readonly<Record<TableColumn, string>> = {
  id: 'Id',
  endpoint: 'Endpoint',
  title: 'Job',
  wait: 'Wait',
  execution: 'Execution',
  age: 'Age',
  ttl: 'ttl left',
  mark: 'Mark',
  label: 'Label',
  cost: 'Est. cost',
  note: 'Note',
  tags: 'Tags',
};

type TwoOrders = readonly [ascending: string, descending: string];

/** The names of the two orders of a column, ascending first. */
export const orderNames: Readonly<Record<'text' | 'mark' | 'span' | 'age' | 'cost', TwoOrders>> = {
  text: ['A to Z', 'Z to A'],
  mark: ['lowest first', 'highest first'],
  span: ['shortest first', 'longest first'],
  age: ['oldest first', 'newest first'],
  cost: ['cheapest first', 'most expensive first'],
};

/** The heads over the rows, and their menus. */
export const columnText = {
  heads: 'Columns of the list',
  status: 'Status',
  sortByStatus: 'Sort by status',
  /** Beside a chosen column in the menu, while it is left out. */
  sameInAll: 'same in all rows',
  p95: 'p95',
  p95Hint: 'The tick on each bar: 95th percentile of that endpoint’s run times',
  /** The name of an order: `Execution, longest first`. */
  ordered: (title: string, order: string): string => `${title}, ${order}`,
  width: (title: string): string => `Width of ${title}`,
  filterBy: (token: string): string => `Filter by ${token}`,
  onlyOverP95: 'Only over p95',
  noCommonP95: (runs: number): string => `Only for one endpoint with ${runs} runs or more`,
  fit: 'Fit to content',
  hide: 'Hide column',
};
