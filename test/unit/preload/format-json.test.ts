import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatJson } from '../../../src-preload/format-json.ts';

describe('formatJson', () => {
  it('indents by two and keeps empty brackets together', () => {
    expect(formatJson('{"a":[1,2,{}],"b":[ ],"c":{"d":"x"}}')).toBe(
      '{\n  "a": [\n    1,\n    2,\n    {}\n  ],\n  "b": [],\n  "c": {\n    "d": "x"\n  }\n}',
    );
  });

  it('keeps numbers beyond 2^53, exponents and escapes as typed', () => {
    expect(formatJson('{"n":12345678901234567890,"e":1e400,"s":"\\u0041\\"{,"}')).toBe(
      '{\n  "n": 12345678901234567890,\n  "e": 1e400,\n  "s": "\\u0041\\"{,"\n}',
    );
  });

  it('formats JSON of any depth, indented up to 24 levels', () => {
    const deep = `${'{"a":['.repeat(50_000)}1${']}'.repeat(50_000)}`;
    const formatted = formatJson(deep);
    expect(formatted.replaceAll(/\s/g, '')).toBe(deep);
    expect(Math.max(...formatted.split('\n', 1_000).map((line) => line.search(/\S/)))).toBe(48);
  });

  it('changes white space only: the value stays, and a second run changes nothing', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, 4), (text, indent) => {
        const laidOut = JSON.stringify(JSON.parse(text), null, indent);
        const once = formatJson(laidOut);
        expect(JSON.parse(once)).toEqual(JSON.parse(text));
        expect(formatJson(once)).toBe(once);
      }),
    );
  });

  it('writes each string as the caller wants it, and leaves any other text alone', () => {
    const shouted = (quoted: string): string => quoted.toUpperCase();
    expect(formatJson('{"a":["b",null]}', shouted)).toBe('{\n  "A": [\n    "B",\n    null\n  ]\n}');
    for (const text of ['', 'no JSON', '{"a":1', '{"a":1,}', '[1] 2', '"cut'])
      expect(formatJson(text, shouted)).toBe(text);
  });
});
