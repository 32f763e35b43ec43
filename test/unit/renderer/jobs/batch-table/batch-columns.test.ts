import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CostRate } from '../../../../../src-preload/cost.ts';
import {
  columnsOf,
  savedColumns,
  shownColumns,
  textOf,
  valueOf,
  type BatchRow,
} from '../../../../../src-renderer/jobs/batch-table/batch-columns.ts';
import { aRow } from './batch-rows.ts';

const rate: CostRate[] = [{ sinceMs: 0, creditsPerHour: 3_600, source: { kind: 'typed' } }];
const shownIds = (rows: BatchRow[], rates = rate): string[] =>
  shownColumns(columnsOf({ rows, rates }), []).map(({ id }) => id);

test('the columns are what varies in the inputs, the facts of the jobs, and the fields of the outputs', () => {
  const rows = [
    aRow(1, { prompt: 'Hi', tone: 'warm', 'sampling.seed': 1 }, { text: 'a', score: 0.5 }, { executionTimeMs: 2_000 }),
    aRow(2, { prompt: 'Hi', tone: 'formal', 'sampling.seed': 1 }, { text: 'b' }, { executionTimeMs: 500, mark: 5 }),
    aRow(3, { prompt: 'Hi', tone: 'warm' }, null),
  ];
  expect(shownIds(rows)).toEqual([
    'status',
    'input.tone',
    // The third row has none.
    'input.sampling.seed',
    'execution',
    'cost',
    'mark',
    'output.text',
    'output.score',
  ]);
  const columns = columnsOf({ rows, rates: rate });
  const column = (id: string) => columns.find((each) => each.id === id);
  expect(column('input.prompt')).toMatchObject({ isSame: true, isShownFirst: false });
  expect(column('input.sampling.seed')).toMatchObject({ title: 'seed', isFigure: true, summary: 'all 1, 1 missing' });
  // A row that still runs is not missing an output.
  expect(column('output.text')).toMatchObject({ isFigure: false, summary: '2 distinct' });
  expect(column('output.score')).toMatchObject({ isFigure: true, summary: 'all 0.5, 1 missing' });
  expect(column('execution')).toMatchObject({ isFigure: true, summary: '0.50 s to 2.00 s' });
  expect(column('cost')).toMatchObject({ summary: '0.50 to 2.00' });
});

test('without a rate there is no cost, and the title is there only if nothing else distinguishes the rows', () => {
  const same = [aRow(1, { prompt: 'Hi' }, { text: 'a' }), aRow(2, { prompt: 'Hi' }, { text: 'a' })];
  expect(shownIds(same, [])).toEqual(['status', 'execution', 'mark', 'title', 'output.text']);
  expect(shownIds([aRow(1, { prompt: 'Hi', n: 1 }, null)], [])).toEqual([
    'status',
    'input.prompt',
    'input.n',
    'execution',
    'mark',
    'output',
  ]);
});

test('a key that several columns end in is written with its whole path', () => {
  const columns = columnsOf({
    rows: [aRow(1, { prompt: 'a', 'sampling.seed': 1 }, { seed: 1, 'usage.prompt': 3, 'usage.total': 4 })],
    rates: [],
  });
  expect(columns.filter(({ group }) => group === 'input' || group === 'output').map(({ title }) => title)).toEqual([
    'prompt',
    'sampling.seed',
    'seed',
    'usage.prompt',
    'total',
  ]);
});

test('a choice of the user shows or hides a column, and the saved file has what is shown', () => {
  const columns = columnsOf({ rows: [aRow(1, { a: 1 }, { text: 'x' }), aRow(2, { a: 2 }, { text: 'y' })], rates: [] });
  const shown = shownColumns(columns, [
    { column: 'input.a', isShown: false },
    { column: 'wait', isShown: true },
  ]);
  expect(shown.map(({ id }) => id)).toEqual(['status', 'wait', 'execution', 'mark', 'output.text']);
  expect(savedColumns(shown, true)).toEqual([
    { kind: 'fact', fact: 'row' },
    { kind: 'fact', fact: 'status' },
    { kind: 'fact', fact: 'delayTime' },
    { kind: 'fact', fact: 'executionTime' },
    { kind: 'fact', fact: 'mark' },
    { kind: 'output', path: 'text' },
    { kind: 'error' },
  ]);
});

test('whatever the rows are, every value is in a column, and a column says no more than its rows have', () => {
  const value = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null));
  const body = fc.dictionary(fc.constantFrom('a', 'b', 'c.d', ''), value, { maxKeys: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(body, fc.option(body)), { maxLength: 8 }), (bodies) => {
      const rows = bodies.map(([input, output], at) => aRow(at + 1, input, output));
      const columns = columnsOf({ rows, rates: [] });
      expect(new Set(columns.map(({ id }) => id)).size).toBe(columns.length);
      for (const row of rows)
        for (const kind of ['input', 'output'] as const)
          for (const [path, { text }] of row.cells?.[kind] ?? []) {
            const column = columns.find(({ source }) => source.kind === kind && source.path === path);
            expect(column === undefined ? undefined : textOf(column, row, [])).toBe(text);
            expect(column === undefined ? null : valueOf(column, row, [])).not.toBeNull();
          }
      for (const column of columns.filter(({ isSame }) => isSame))
        expect(new Set(rows.map((row) => JSON.stringify(valueOf(column, row, [])))).size).toBe(1);
    }),
  );
});
