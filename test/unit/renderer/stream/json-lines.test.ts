import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeString, jsonLines } from '../../../../src-renderer/stream/json-lines.ts';
import { drained } from './drained.ts';

/** The lines put back together; parses to the same value when nothing was lost. */
function joined(text: string): string {
  return drained(jsonLines(text))
    .lines.map(
      (line) =>
        `${line.keyStart === -1 ? '' : `${text.slice(line.keyStart, line.keyEnd)}:`}${text.slice(line.start, line.end)}${line.hasComma ? ',' : ''}`,
    )
    .join('\n');
}

describe('JSON lines', () => {
  it('hold every value of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(drained(jsonLines(text)).end).toBe('whole');
        expect(JSON.parse(joined(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keep digits, order and duplicate keys as they came', () => {
    const text = '{"b": 12345678901234567890, "a": 1.0, "b": -0e5}';
    const lines = drained(jsonLines(text)).lines;
    expect(lines.map((line) => text.slice(line.start, line.end))).toEqual([
      '{',
      '12345678901234567890',
      '1.0',
      '-0e5',
      '}',
    ]);
    expect(lines.map((line) => (line.keyStart === -1 ? null : text.slice(line.keyStart, line.keyEnd)))).toEqual([
      null,
      '"b"',
      '"a"',
      '"b"',
      null,
    ]);
  });

  it('join brackets with their partner and count members', () => {
    const lines = drained(jsonLines('{"a":[1,2],"e":{},"l":[]}')).lines;
    expect(lines.map((line) => [line.kind, line.depth, line.match, line.members])).toEqual([
      ['open', 0, 7, 3],
      ['open', 1, 4, 2],
      ['number', 2, -1, 0],
      ['number', 2, -1, 0],
      ['close', 1, 1, 0],
      ['empty', 1, -1, 0],
      ['empty', 1, -1, 0],
      ['close', 0, 0, 0],
    ]);
  });

  it('end cleanly wherever a text is cut', () => {
    const text = '{"a":[1,true,"x\\"y"],"b":{"c":null}}';
    for (let length = 1; length < text.length; length += 1)
      expect([length, drained(jsonLines(text.slice(0, length))).end]).toEqual([length, 'cut']);
  });

  it.each([['{"a":1}}'], ['[1,]'], ['{,}'], ['<html>'], ['{"a" 1}'], ['[1}'], ['nope'], ['{"a":tru}'], ['1 2']])(
    'say that %s is no JSON',
    (text) => {
      expect(drained(jsonLines(text)).end).toBe('not-json');
    },
  );

  it('stop at the number of lines asked for', () => {
    const read = drained(jsonLines(JSON.stringify(Array.from({ length: 50 }, (_value, index) => index)), 10));
    expect(read.end).toBe('too-many');
    expect(read.lines).toHaveLength(10);
  });

  it('decode strings, and give the inside of a cut one', () => {
    expect(decodeString('"a\\nb"')).toBe('a\nb');
    expect(decodeString('"cut \\')).toBe('cut \\');
  });
});
