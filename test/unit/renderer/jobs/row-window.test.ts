import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOut, rowsInView, scrollToShow } from '../../../../src-renderer/jobs/row-window.ts';

test('sections lie one under the other', () => {
  expect(layOut([2, 0, 3], 30, 52)).toEqual({
    boxes: [
      { top: 0, rows: 2, height: 134 },
      { top: 134, rows: 0, height: 30 },
      { top: 164, rows: 3, height: 186 },
    ],
    height: 350,
  });
});

test('every row that touches the view is drawn, and few besides', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 5 }),
      fc.nat(20_000),
      fc.integer({ min: 50, max: 1_500 }),
      (counts, scrollTop, viewHeight) => {
        const { boxes } = layOut(counts, 30, 52);
        let drawn = 0;
        for (const box of boxes) {
          const { from, to } = rowsInView(box, 30, 52, scrollTop, viewHeight, 5);
          drawn += to - from;
          for (let row = 0; row < box.rows; row += 1) {
            const top = box.top + 30 + row * 52;
            if (top + 52 > scrollTop && top < scrollTop + viewHeight) expect(row >= from && row < to).toBe(true);
          }
        }
        expect(drawn).toBeLessThanOrEqual(Math.ceil(viewHeight / 52) + 2 + 10 * counts.length);
      },
    ),
  );
});

test('a row hidden under the sticky head or below the view is brought in; one in view does not move the list', () => {
  expect(scrollToShow(500, 52, 30, 500, 400)).toBe(470);
  expect(scrollToShow(900, 52, 30, 500, 400)).toBe(552);
  expect(scrollToShow(600, 52, 30, 500, 400)).toBe(500);
  expect(scrollToShow(10, 52, 30, 500, 400)).toBe(0);
});
