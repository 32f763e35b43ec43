import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextRows, rowText } from '../../../../src-renderer/stream/text-rows.ts';
import { createGrowingText } from '../../../../src-renderer/stream/text-source.ts';

/** Rows of a text that arrives in pieces of `step`. */
function rowsOf(text: string, columns: number, step = text.length): string[] {
  const source = createGrowingText();
  const rows = createTextRows(columns);
  for (let at = 0; at < text.length; at += step) {
    const piece = text.slice(at, at + step);
    source.append(piece);
    rows.append(piece);
  }
  return Array.from({ length: rows.count }, (_, row) => rowText(source, rows, row));
}

describe('text rows', () => {
  it('break at line ends, including those of Windows, and keep a last empty line', () => {
    expect(rowsOf('a\r\nb\n\nc\n', 20)).toEqual(['a', 'b', '', 'c', '']);
  });
  it('break long lines after a space near the edge', () => {
    expect(rowsOf('the quick brown fox jumps', 20)).toEqual(['the quick brown fox ', 'jumps']);
  });
  it('cut a word without a space nearby', () => {
    expect(rowsOf('x'.repeat(45), 20)).toEqual(['x'.repeat(20), 'x'.repeat(20), 'x'.repeat(5)]);
  });
  it('count wide characters as two cells and never split a pair', () => {
    expect(rowsOf('漢'.repeat(15), 20)).toEqual(['漢'.repeat(10), '漢'.repeat(5)]);
    expect(rowsOf('😀'.repeat(15), 20)).toEqual(['😀'.repeat(10), '😀'.repeat(5)]);
  });
  it('know the widest row, so that unwrapped lines can be scrolled sideways', () => {
    const widest = (text: string): number => {
      const rows = createTextRows(4_000);
      rows.append(text);
      return rows.widest;
    };
    expect(widest('ab\nabcdef\nabc')).toBe(6);
    expect(widest('漢字')).toBe(4);
    expect(widest('x'.repeat(9_000))).toBe(4_000);
  });
  it('treat the two halves of a line end as one, wherever the text is cut', () => {
    expect(rowsOf(`${'x'.repeat(20)}\r\ny`, 20, 21)).toEqual(['x'.repeat(20), 'y']);
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '\r', '\r\n', '\n', '😀', '\ud83d', 'x'.repeat(9)),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 17 }), (whole, step) => {
        expect(rowsOf(whole, 20, step)).toEqual(rowsOf(whole, 20));
      }),
      { numRuns: 500 },
    );
  });
  it('lose nothing and do not depend on how the text arrives', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '\n', '漢', '\t', 'long-word-without-any-space'),
      maxLength: 120,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 40 }), fc.integer({ min: 1, max: 17 }), (whole, columns, step) => {
        const piecewise = rowsOf(whole, columns, step);
        expect(piecewise.join('')).toBe(whole.replaceAll('\n', ''));
        expect(piecewise).toEqual(rowsOf(whole, columns));
      }),
    );
  });
  it('break plain text the same whether it is counted or measured', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '\n', '\r', 'long-word-without-any-space'),
      maxLength: 120,
    });
    fc.assert(
      // A wide character anywhere in a piece makes all of the piece be measured.
      fc.property(text, fc.integer({ min: 20, max: 40 }), (whole, columns) => {
        expect(rowsOf(`${whole}\n漢`, columns).slice(0, -1)).toEqual(rowsOf(`${whole}\nx`, columns).slice(0, -1));
      }),
    );
  });
  it('are found by the positions of their text', () => {
    const rows = createTextRows(20);
    rows.append('first\nsecond\nthird');
    expect([0, 5, 6, 12, 13, 99].map((place) => rows.rowAt(place))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(rows.startOf(2)).toBe(13);
  });
});
