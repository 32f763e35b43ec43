import { describe, expect, test } from 'vitest';
import { withSettingsChange, type SettingsChange } from '../../../../src-preload/settings-change.ts';
import { settingsDefaults, type Settings } from '../../../../src-preload/settings.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import {
  columnNames,
  columnsOfOneValue,
  gridOf,
  nextSort,
  shownColumns,
  sortTitle,
} from '../../../../src-renderer/jobs/table-columns.ts';

/** The user's choice of columns after changes. */
const chosenBy = (...changes: NonNullable<SettingsChange['tableColumns']>[]): Settings['tableColumns'] =>
  changes.reduce<Settings>((now, tableColumns) => withSettingsChange(now, { tableColumns }), settingsDefaults)
    .tableColumns;

const names = (...of: Parameters<typeof shownColumns>): string[] => shownColumns(...of).map(({ column }) => column);

describe('the columns of the table', () => {
  test('are all shown if they fit; otherwise the last ones go, never the title and the figures', () => {
    const optional = ['mark', 'label', 'cost', 'note'];
    expect(names([], 1_600)).toEqual(columnNames.filter((name) => !optional.includes(name)));
    expect(names(chosenBy({ column: 'mark', isShown: true }), 1_600)).toContain('mark');
    expect(names([], 820)).toEqual(['id', 'endpoint', 'title', 'wait', 'execution', 'age']);
    expect(names([], 300)).toEqual(['title', 'execution', 'age']);
  });

  test('are those the user chose, in the user’s widths', () => {
    const changes = [
      { column: 'tags', isShown: false },
      { column: 'id', widthPx: 120 },
    ] as const;
    const chosen = chosenBy(...changes);
    expect(names(chosen, 1_600)).not.toContain('tags');
    expect(gridOf(shownColumns(chosen, 1_600))).toBe('26px 120px 132px minmax(0, 1fr) 60px 124px 44px 66px');
    expect(chosenBy(...changes, { column: 'id', isShown: false }).find(({ column }) => column === 'id')).toEqual({
      column: 'id',
      widthPx: 120,
      isShown: false,
    });
    expect(names(chosenBy({ column: 'title', isShown: false }), 1_600)).toContain('title');
  });
});

describe('a column that says the same in every row', () => {
  test('is left out: the endpoint of a filtered list, and a mark or label that alone is asked for', () => {
    expect(columnsOfOneValue(null)).toEqual([]);
    expect(columnsOfOneValue(emptyFilter)).toEqual([]);
    expect(columnsOfOneValue({ ...emptyFilter, endpointId: 'text' })).toEqual(['endpoint']);
    expect(columnsOfOneValue({ ...emptyFilter, batchId: 'b' })).toEqual(['endpoint']);
    expect(columnsOfOneValue({ ...emptyFilter, cause: '7' })).toEqual(['endpoint']);
    expect(columnsOfOneValue({ ...emptyFilter, marks: [5], labels: ['train'] })).toEqual(['mark', 'label']);
    expect(names([], 1_600, ['endpoint'])).not.toContain('endpoint');
    expect(names(chosenBy({ column: 'mark', isShown: true }), 1_600, ['mark'])).not.toContain('mark');
  });

  test('is no column of which several values are asked for, nor the endpoint of words that several causes have', () => {
    expect(columnsOfOneValue({ ...emptyFilter, marks: [4, 5], labels: ['a', 'b'], cause: 'memory 7' })).toEqual([]);
  });
});

describe('the order', () => {
  test('cycles from the most useful order to its reverse and back to newest first', () => {
    const longest = nextSort(null, 'execution');
    expect(longest).toEqual({ column: 'execution', isDescending: true });
    const shortest = nextSort(longest, 'execution');
    expect(shortest).toEqual({ column: 'execution', isDescending: false });
    expect(nextSort(shortest, 'execution')).toBeNull();
    expect(nextSort(longest, 'title')).toEqual({ column: 'title', isDescending: false });
    expect(nextSort(null, 'age')).toEqual({ column: 'created', isDescending: false });
    expect(nextSort({ column: 'created', isDescending: false }, 'age')).toBeNull();
    expect(nextSort(longest, 'tags')).toEqual({ column: 'tags', isDescending: false });
    const byStatus = nextSort(longest, 'status');
    expect(byStatus).toEqual({ column: 'status', isDescending: false });
    expect(nextSort(byStatus, 'status')).toEqual({ column: 'status', isDescending: true });
    expect(nextSort({ column: 'status', isDescending: true }, 'status')).toBeNull();
  });

  test('is shown in words', () => {
    expect(sortTitle({ column: 'execution', isDescending: true })).toBe('Execution, longest first');
    expect(sortTitle({ column: 'created', isDescending: false })).toBe('Age, oldest first');
    expect(sortTitle({ column: 'status', isDescending: false })).toBe('Status, A to Z');
  });
});
