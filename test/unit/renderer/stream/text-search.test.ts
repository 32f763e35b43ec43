import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextSearch, matchFrom, partsOfRow } from '../../../../src-renderer/stream/text-search.ts';
import { createGrowingText } from '../../../../src-renderer/stream/text-source.ts';

function matchesIn(segments: readonly string[], wanted: string): readonly number[] {
  const source = createGrowingText();
  const search = createTextSearch(source, wanted);
  for (const segment of segments) {
    source.append(segment);
    while (!search.isDone) search.step();
  }
  return search.matches;
}

describe('a search through a text', () => {
  it('finds every match, however the text is cut into segments', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.'), minLength: 1, maxLength: 9 }), {
          maxLength: 12,
        }),
        fc.constantFrom('a', 'ab', 'a.b', 'bab', '.a'),
        (segments, wanted) => {
          const whole = segments.join('').toLowerCase();
          const expected: number[] = [];
          for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + wanted.length))
            expected.push(at);
          expect(matchesIn(segments, wanted)).toEqual(expected);
        },
      ),
    );
  });

  it('searches for the literal text, case-insensitively', () => {
    expect(matchesIn(['a (B) [x]* $1 a|b'], '(b)')).toEqual([2]);
    expect(matchesIn(['a|b'], 'a|b')).toEqual([0]);
    expect(matchesIn(['anything'], '')).toEqual([]);
  });

  it('goes to the first match at a position or after it, and around from the end', () => {
    expect([0, 10, 11, 20, 21].map((place) => matchFrom([10, 20], place))).toEqual([0, 0, 1, 1, 0]);
    expect(matchFrom([], 5)).toBe(-1);
  });

  it('marks matches in a row, including those that reach in from the row above or out below', () => {
    const search = { matches: [8, 12, 18], wantedChars: 4 };
    expect(partsOfRow('0123456789', 10, search)).toEqual([
      { text: '01', match: 0 },
      { text: '2345', match: 1 },
      { text: '67', match: null },
      { text: '89', match: 2 },
    ]);
    expect(partsOfRow('plain', 100, search)).toEqual([{ text: 'plain', match: null }]);
  });
});
