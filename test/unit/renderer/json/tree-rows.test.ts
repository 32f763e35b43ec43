import { describe, expect, it } from 'vitest';
import { markedShares } from '../../../../src-renderer/json/hit-marks.tsx';
import { createJsonFind } from '../../../../src-renderer/json/json-find.ts';
import { indexJson, valueText, type JsonIndex } from '../../../../src-renderer/json/json-index.ts';
import { moveInTree, type TreeMove } from '../../../../src-renderer/json/tree-keys.ts';
import {
  firstExpanded,
  groupSizeOf,
  idsAround,
  treeRows,
  type TreeRow,
} from '../../../../src-renderer/json/tree-rows.ts';
import { drained } from '../stream/drained.ts';

const indexed = (value: unknown): JsonIndex => drained(indexJson(JSON.stringify(value)));
const words = (index: JsonIndex, rows: readonly TreeRow[]): string[] =>
  rows.map((row) =>
    row.kind === 'group' ? `${row.depth}: ${row.from} to ${row.to - 1}` : `${row.depth}: ${valueText(index, row.node)}`,
  );

describe('the rows of a tree', () => {
  it('are the expanded ones, in the order of the text', () => {
    const index = indexed([1, [2, [3]], 4]);
    expect(words(index, treeRows(index, new Set()))).toEqual(['0: [1,[2,[3]],4]']);
    expect(words(index, treeRows(index, new Set([0])))).toEqual(['0: [1,[2,[3]],4]', '1: 1', '1: [2,[3]]', '1: 4']);
    expect(words(index, treeRows(index, new Set([0, 2]))).slice(2)).toEqual(['1: [2,[3]]', '2: 2', '2: [3]', '1: 4']);
  });

  it('come in groups if there are more than a thousand siblings', () => {
    const index = indexed({ list: Array.from({ length: 2_500 }, (_, at) => [at]), end: 1 });
    const node = 1 + 1 + 2 * 1_204;
    expect(valueText(index, node)).toBe('[1204]');
    expect(words(index, treeRows(index, new Set([0, 1]))).slice(2)).toEqual([
      '2: 0 to 999',
      '2: 1000 to 1999',
      '2: 2000 to 2499',
      '1: 1',
    ]);
    const rows = treeRows(index, new Set(idsAround(index, node)));
    expect(rows).toHaveLength(2 + 3 + 1_000 + 1);
    const shown = rows.find((row) => row.id === node);
    expect(shown).toMatchObject({ depth: 3, position: 1_204 });
    expect([1_001, 1_000_000, 1_000_001, 4_000_000].map(groupSizeOf)).toEqual([1_000, 1_000, 10_000, 10_000]);
  });

  it('begin with about a screen: a small output fully open, of a large one the first levels', () => {
    const small = indexed({ a: { b: { c: [1, 2] } } });
    expect(treeRows(small, firstExpanded(small))).toHaveLength(6);
    const large = indexed({ list: Array.from({ length: 900 }, () => ({ a: 1 })), meta: { a: 1, b: { c: 2 } } });
    expect(treeRows(large, firstExpanded(large))).toHaveLength(6);
    const many = indexed(Array.from({ length: 5_000 }, () => 1));
    expect(treeRows(many, firstExpanded(many))).toHaveLength(6);
  });

  it('open the path to a value a hundred thousand levels deep', () => {
    const index = drained(indexJson(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`));
    const rows = treeRows(index, new Set(idsAround(index, 100_000)));
    expect(rows.at(-1)).toMatchObject({ node: 100_000, depth: 100_000 });
  });
});

describe('a key in the tree', () => {
  const index = indexed({ a: [1, 2], b: 3 });
  const press = (key: string, selected: number, expanded: readonly number[]): TreeMove | null =>
    moveInTree(key, {
      rows: treeRows(index, new Set(expanded)),
      selected,
      expanded: new Set(expanded),
      page: 2,
      isHolder: (row) => row.kind === 'group' || (index.members[row.node] ?? 0) > 0,
    });

  it('moves, expands and collapses as WAI-ARIA specifies', () => {
    expect(press('ArrowRight', 1, [0])).toEqual({ toggle: 1 });
    expect(press('ArrowRight', 1, [0, 1])).toEqual({ select: 2 });
    expect(press('ArrowLeft', 1, [0, 1])).toEqual({ toggle: 1 });
    expect(press('ArrowLeft', 3, [0, 1])).toEqual({ select: 1 });
    expect(press('ArrowLeft', 0, [])).toEqual({});
    expect(press('ArrowDown', 3, [0, 1])).toEqual({ select: 4 });
    expect(press('ArrowUp', 0, [0, 1])).toEqual({ select: 0 });
    expect(press('PageDown', 0, [0, 1])).toEqual({ select: 2 });
    expect(press('End', 0, [0, 1])).toEqual({ select: 4 });
    expect(press('Home', 4, [0, 1])).toEqual({ select: 0 });
    expect(press('Enter', 1, [0])).toEqual({ toggle: 1 });
    expect(press('j', 1, [0])).toBeNull();
  });
});

describe('the marks of hits beside the scroll bar', () => {
  const found = (index: JsonIndex, wanted: string, within?: { from: number; to: number }) => {
    const find = createJsonFind(index, wanted, 'all', within);
    while (!find.isDone) find.step();
    return find;
  };

  it('are at the rows with hits, a collapsed one for its contents', () => {
    const index = indexed(['kettle', 'vase', { deep: ['a kettle'] }, 'vase']);
    const collapsed = treeRows(index, new Set([0]));
    expect(markedShares(index, collapsed, found(index, 'kettle'))).toEqual([1 / 5, 3 / 5]);
    const expanded = treeRows(index, new Set([0, 3, 4]));
    expect(markedShares(index, expanded, found(index, 'kettle'))).toEqual([1 / 7, 5 / 7]);
    expect(markedShares(index, expanded, found(index, 'nowhere'))).toEqual([]);
  });

  it('are at most as many as can be distinguished', () => {
    const index = indexed(Array.from({ length: 900 }, () => 'kettle'));
    const shares = markedShares(index, treeRows(index, new Set([0])), found(index, 'kettle'));
    expect(shares.length).toBeGreaterThan(190);
    expect(shares.length).toBeLessThanOrEqual(200);
  });

  it('cover the searched range', () => {
    const index = indexed({ one: 'kettle', other: ['kettle', 'kettle'] });
    const node = 2;
    expect(
      found(index, 'kettle', { from: index.valueStart[node] ?? 0, to: index.end[node] ?? 0 }).matches,
    ).toHaveLength(2);
  });
});
