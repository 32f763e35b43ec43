import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf, valueOf } from '../../../../../src-renderer/jobs/batch-table/batch-columns.ts';
import { countMoved, keptOrder, orderOf } from '../../../../../src-renderer/jobs/batch-table/batch-order.ts';
import { aRow } from './batch-rows.ts';

test('numbers are sorted by size, texts by their characters, and rows without a value are last both ways', () => {
  const value = fc.option(fc.oneof(fc.integer(), fc.string()), { nil: undefined });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 12 }), fc.boolean(), (values, isDescending) => {
      const rows = values.map((each, at) => aRow(at + 1, each === undefined ? {} : { n: each }, null));
      const columns = columnsOf({ rows, rates: [] });
      const column = columns.find(({ id }) => id === 'input.n');
      const keys = orderOf(rows, { column: 'input.n', isDescending }, columns, []);
      expect(keys.toSorted()).toEqual(rows.map(({ job }) => job.key).toSorted());
      if (column === undefined) return;
      const rowOf = new Map(rows.map((row) => [row.job.key, row]));
      const sorted = keys.map((key) => {
        const row = rowOf.get(key);
        return row === undefined ? null : valueOf(column, row, []);
      });
      for (const [at, one] of sorted.entries()) {
        const next = sorted[at + 1];
        if (next === undefined) break;
        if (one === null) expect(next).toBeNull();
        else if (next !== null && typeof one === typeof next)
          expect(isDescending ? one >= next : one <= next).toBe(true);
        // Equal rows stay in row order.
        if (one === next) expect((keys[at] ?? '') < (keys[at + 1] ?? '')).toBe(true);
      }
    }),
  );
});

test('without a sorted column, or with one that is gone, the rows are in row order', () => {
  const rows = [aRow(12, { n: 1 }, null), aRow(2, { n: 2 }, null), aRow(1, { n: 3 }, null)];
  const columns = columnsOf({ rows, rates: [] });
  const byRow = ['key-0001', 'key-0002', 'key-0012'];
  expect(orderOf(rows, null, columns, [])).toEqual(byRow);
  expect(orderOf(rows, { column: 'output.gone', isDescending: true }, columns, [])).toEqual(byRow);
});

test('rows keep their places while they change: new ones come last, and those that are gone leave', () => {
  expect(keptOrder(['b', 'a', 'c'], ['a', 'c', 'd'])).toEqual(['a', 'c', 'd']);
  expect(keptOrder(['c', 'a', 'b'], ['a', 'b', 'c', 'e'])).toEqual(['c', 'a', 'b', 'e']);
  const still = ['c', 'a', 'b'];
  expect(keptOrder(still, ['a', 'b', 'c'])).toBe(still);
  expect(countMoved(still, ['a', 'b', 'c'])).toBe(3);
  expect(countMoved(still, still)).toBe(0);
});
