import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextRows } from '../../../src-renderer/stream/text-rows.ts';

function rowsOf(text: string, columns: number): readonly string[] {
  const rows = createTextRows(columns);
  rows.append(text);
  return rows.rows;
}

describe('text rows', () => {
  it('break at line ends, also those of Windows, and keep a last empty line', () => {
    expect(rowsOf('a\r\nb\n\nc\n', 20)).toEqual(['a', 'b', '', 'c', '']);
  });
  it('break long lines after a space near the edge', () => {
    expect(rowsOf('the quick brown fox jumps', 20)).toEqual(['the quick brown fox ', 'jumps']);
  });
  it('cut a word that has no space near', () => {
    expect(rowsOf('x'.repeat(45), 20)).toEqual(['x'.repeat(20), 'x'.repeat(20), 'x'.repeat(5)]);
  });
  it('count wide characters as two cells and never split a pair', () => {
    expect(rowsOf('漢'.repeat(15), 20)).toEqual(['漢'.repeat(10), '漢'.repeat(5)]);
    expect(rowsOf('😀'.repeat(15), 20)).toEqual(['😀'.repeat(10), '😀'.repeat(5)]);
  });
  it('lose nothing and do not depend on how the text arrives', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '漢', '\t', 'long-word-without-any-space'), maxLength: 120 });
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 40 }), fc.integer({ min: 1, max: 17 }), (whole, columns, step) => {
        const piecewise = createTextRows(columns);
        for (let at = 0; at < whole.length; at += step) piecewise.append(whole.slice(at, at + step));
        expect(piecewise.rows.join('')).toBe(whole.replaceAll('\n', ''));
        expect(piecewise.rows).toEqual(whole === '' ? [] : rowsOf(whole, columns));
      }),
    );
  });
});
