import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  anchorAt,
  anchorToKeep,
  drawnSections,
  layOut,
  rowAt,
  scrollToShow,
  topOf,
} from '../../../../src-renderer/jobs/row-window.ts';
import { aJob } from '../job/a-job.ts';
import type { ListLayout } from '../../../../src-renderer/jobs/row-window.ts';

test('sections follow one another', () => {
  expect(layOut([2, 0, 3], 30, 52)).toEqual({
    boxes: [
      { top: 0, rows: 2, height: 134 },
      { top: 134, rows: 0, height: 30 },
      { top: 164, rows: 3, height: 186 },
    ],
    height: 350,
  });
});

test('a row hidden under the sticky head or below the view is scrolled in; a visible one does not move the list', () => {
  expect(scrollToShow({ top: 500, height: 52 }, { top: 500, height: 400, headHeight: 30 })).toBe(470);
  expect(scrollToShow({ top: 900, height: 52 }, { top: 500, height: 400, headHeight: 30 })).toBe(552);
  expect(scrollToShow({ top: 600, height: 52 }, { top: 500, height: 400, headHeight: 30 })).toBe(500);
  expect(scrollToShow({ top: 10, height: 52 }, { top: 500, height: 400, headHeight: 30 })).toBe(0);
});

/** Groups of this many rows each, one under the other, that share one run of keys. */
function layoutOf(counts: readonly number[], folded: readonly number[] = []): ListLayout & { reads: () => number } {
  let reads = 0;
  const all = counts.flatMap((count, group) => Array.from({ length: count }, (_, row) => `${group}-${row}`));
  const keys = new Proxy(all, {
    get: (target, name, receiver): unknown => {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  let from = 0;
  const sections = counts.map((count, group) => {
    from += count;
    const id = String(group);
    return { id, title: id, keys, from: from - count, count, isPartial: false, revision: 0 };
  });
  const shown = counts.map((count, group) => (folded.includes(group) ? 0 : count));
  return {
    sections,
    boxes: layOut(shown, 30, 52).boxes,
    folded: new Set(folded.map(String)),
    rowHeight: 52,
    reads: () => reads,
  };
}

test('the row that keeps its position is the noted one, or the visible one if the list was scrolled since', () => {
  const layout = layoutOf([3, 200]);
  const atTop = anchorAt(0, layout);
  expect(atTop).toMatchObject({ key: '0-0', offset: 30, scrollTop: 0 });
  // End scrolled to the last row, and the rows change before the event of that comes.
  expect(anchorToKeep(atTop, 9_000, 9_000, layout)).toEqual(anchorAt(9_000, layout));
  expect(anchorToKeep(atTop, 0, 9_000, layout)).toBe(atTop);
  // The list became shorter and was moved by that.
  const atEnd = anchorAt(9_000, layout);
  expect(anchorToKeep(atEnd, 4_000, 4_000, layout)).toBe(atEnd);
  expect(anchorToKeep(null, 4_000, 4_000, layout)).toBeNull();
});

test('every row that touches the view is drawn at its position, and few others', () => {
  const list = { get: (key: string) => (key.endsWith('-7') ? undefined : aJob({ key })) };
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 5 }),
      fc.nat(20_000),
      fc.integer({ min: 50, max: 1_500 }),
      fc.constantFrom(0, 5),
      (counts, scrollTop, viewHeight, around) => {
        const layout = layoutOf(counts);
        const { boxes } = layOut(counts, 30, 52);
        const drawn = drawnSections(list, { ...layout, boxes }, { top: scrollTop, height: viewHeight }, around);
        const rows = new Map(drawn.flatMap((section) => section.rows.map(({ job, top }) => [job.key, top] as const)));
        for (const [group, count] of counts.entries())
          for (let row = 0; row < count; row += 1) {
            const key = `${group}-${row}`;
            const top = topOf(key, layout) ?? Number.NaN;
            const isInView = top + 52 > scrollTop && top < scrollTop + viewHeight;
            const isListed = list.get(key) !== undefined;
            if ((isInView && isListed) || rows.has(key)) expect(rows.get(key)).toBe(top);
          }
        expect(rows.size).toBeLessThanOrEqual(Math.ceil(viewHeight / 52) + 2 + 2 * around * counts.length);
        expect(drawn.every((section) => section.rows.length > 0)).toBe(true);
      },
    ),
    { numRuns: 20 },
  );
});

test('the row at a height is found at its position, wherever it was expected', () => {
  const layout = layoutOf([3, 0, 40, 7]);
  expect(rowAt(0, layout)?.key).toBe('0-0');
  expect(rowAt(30 + 2 * 52 + 51, layout)?.key).toBe('0-2');
  fc.assert(
    fc.property(fc.nat(3_000), fc.integer({ min: -5, max: 60 }), (y, near) => {
      const row = rowAt(y, layout);
      if (row === null) return;
      expect(topOf(row.key, layout, near)).toBe(row.top);
      expect(topOf(row.key, layout)).toBe(row.top);
      // Under the heads of groups the next row counts.
      expect(y >= row.top - 2 * 30 && y < row.top + 52).toBe(true);
    }),
  );
  expect(rowAt(1e6, layout)).toBeNull();
});

test('rows of a folded group have no position', () => {
  const layout = layoutOf([3, 4], [0]);
  expect(topOf('0-1', layout, 1)).toBeNull();
  expect(rowAt(0, layout)?.key).toBe('1-0');
  expect(topOf('1-2', layout, 5)).toBe(30 + 30 + 2 * 52);
});

test('a row that did not move is found without a search through the list', () => {
  const layout = layoutOf([20_000, 20_000]);
  expect(topOf('1-19999', layout, 39_999)).toBe(30 + 20_000 * 52 + 30 + 19_999 * 52);
  expect(rowAt(30 + 20_000 * 52 + 30 + 19_999 * 52, layout)?.key).toBe('1-19999');
  expect(layout.reads()).toBeLessThan(10);
});
