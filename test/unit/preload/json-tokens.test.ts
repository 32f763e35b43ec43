import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeString } from '../../../src-preload/json-spans.ts';
import { JsonTokens, type JsonTokenKind } from '../../../src-preload/json-tokens.ts';

/** Every token of a text as kind, key and value, and how it ends. */
function read(text: string): { tokens: string[]; end: JsonTokenKind; stoppedAt: number; deepest: number } {
  const reader = new JsonTokens(text);
  const tokens: string[] = [];
  let deepest = 0;
  for (;;) {
    const kind = reader.next();
    if (kind === 'whole' || kind === 'cut' || kind === 'not-json')
      return { tokens, end: kind, stoppedAt: reader.start, deepest };
    const comma = reader.isAfterComma ? ',' : '';
    const key = reader.keyStart === -1 ? '' : `${text.slice(reader.keyStart, reader.keyEnd)}:`;
    tokens.push(`${comma}${key}${text.slice(reader.start, reader.end)}`);
    deepest = Math.max(deepest, reader.depth);
  }
}

describe('JSON tokens', () => {
  it('contain every value of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (value, indent) => {
        const { tokens, end } = read(JSON.stringify(value, null, indent));
        expect(end).toBe('whole');
        expect(tokens.join('')).toBe(JSON.stringify(value));
      }),
    );
  });

  it('accept and refuse what JSON.parse does, except inside strings', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '""',
      '1',
      '-',
      '0.5e3',
      'true',
      'nul',
      ' ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(read(text).end === 'whole').toBe(isJson);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keep digits, order and duplicate keys unchanged', () => {
    expect(read('{"b": 12345678901234567890, "a": 1.0, "b": -0e5}').tokens).toEqual([
      '{',
      '"b":12345678901234567890',
      ',"a":1.0',
      ',"b":-0e5',
      '}',
    ]);
  });

  it('end cleanly wherever a text is cut', () => {
    const text = '{"a":[1,true,"x\\"y"],"b":{"c":null}}';
    for (let length = 1; length < text.length; length += 1)
      expect([length, read(text.slice(0, length)).end]).toEqual([length, 'cut']);
    expect(read('{"a":"cut').tokens).toEqual(['{', '"a":"cut']);
  });

  it.each([
    ['{"a":1}}', 7],
    ['[1,]', 3],
    ['{,}', 1],
    ['<html>', 0],
    ['{"a" 1}', 5],
    ['[1}', 2],
    ['nope', 0],
    ['{"a":tru}', 5],
    ['1 2', 2],
  ])('report that %s is not JSON, and from where', (text, stoppedAt) => {
    expect(read(text)).toMatchObject({ end: 'not-json', stoppedAt });
  });

  it('are read at a depth of a hundred thousand brackets, even in cut texts', () => {
    const text = `${'['.repeat(100_000)}"deep inside"${']'.repeat(100_000)}`;
    expect(read(text)).toMatchObject({ end: 'whole', deepest: 100_000 });
    expect(read(text.slice(0, 100_005))).toMatchObject({ end: 'cut', deepest: 100_000 });
  });
});

describe('a string token', () => {
  it('is decoded, and a cut one returns its content', () => {
    expect(decodeString('"a\\nb"')).toBe('a\nb');
    expect(decodeString('"cut \\')).toBe('cut \\');
  });
});
