import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorPlace } from '../../../../../src-renderer/composer/learned/cursor-place.ts';

/** The place of the `|` in a text. */
function at(marked: string): string | null {
  const place = cursorPlace(marked.replace('|', ''), marked.indexOf('|'));
  if (place === null) return null;
  return `${place.kind} ${place.path.join('.')} [${marked.replace('|', '').slice(place.from, place.to)}] ${[...place.taken].join()}`;
}

describe('the place of the cursor', () => {
  it.each([
    ['{|}', 'key  [] '],
    ['{"gui|"}', 'key  [gui"] '],
    ['{"a": 1, "gui|\n"b": 2}', 'key  [gui] a,b'],
    ['{"a": 1, gui|}', 'key  [gui] a'],
    ['{"a": |}', 'value a [] a'],
    ['{"a": "x|y", "b": 1}', 'value a [xy"] a,b'],
    ['{"a": {"b": {"c|"}}, "d": 1}', 'key a.b [c"] '],
    ['{"a": {"b": tr|ue}}', 'value a.b [true] b'],
    ['{"a\\"b": |', 'value a"b [] a"b'],
  ])('%s', (marked, expected) => {
    expect(at(marked)).toBe(expected);
  });

  it.each(['|', '{"a": 1|}'.replace('1|', '1 |'), '[|]', '{"a": [|]}', '{"a" |}', '{}|', '"|"'])(
    '%s has no place',
    (marked) => {
      expect(at(marked)).toBeNull();
    },
  );

  it('is found in any text without failing, and surrounds the cursor', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', '"', ':', ',', 'a', '\\', '\n', ' ', '1', '{{x}}');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(60), (pieces, wanted) => {
        const text = pieces.join('');
        const cursor = Math.min(wanted, text.length);
        const place = cursorPlace(text, cursor);
        if (place === null) return;
        expect(place.from).toBeLessThanOrEqual(place.to);
        expect(place.to).toBeGreaterThanOrEqual(cursor);
      }),
      { numRuns: 1_000 },
    );
  });
});

// Searching all open objects at each sign would take many seconds at each key press.
it.each([4, 3, 2])('is found in an input of 300,000 levels, 1 / %i of them before the cursor', (part) => {
  for (const cursor of [300_000 / part, 300_000 / part + 1, 300_000 / part + 2]) {
    const place = cursorPlace('{'.repeat(300_000), cursor);
    expect(place).toMatchObject({ kind: 'key', from: cursor, to: cursor, taken: new Set() });
    expect(place?.path).toHaveLength(cursor - 1);
  }
});
