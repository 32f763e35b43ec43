import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkJson, positionOf } from '../../../src-preload/json-check.ts';

function isTaken(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Applies the fix that is offered. */
function fixed(text: string): string {
  const check = checkJson(text);
  if (check.ok || check.fix === undefined) throw new Error(`no fix for ${text}`);
  return text.slice(0, check.fix.from) + check.fix.text + text.slice(check.fix.to);
}

/** JSON and what people type instead of it: pieces of the grammar, strung together. */
const nearJson = fc
  .array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      '0',
      '01',
      '1.',
      '.5',
      '1e5',
      '1e',
      '-0',
      '+1',
      '0x1F',
      'true',
      'True',
      'nul',
      'NaN',
      'hello world',
      ' ',
      '\n',
      '\t',
      '\r\n',
      '\u00a0',
      '\ufeff',
      '\u2028',
      '/',
      '// c\n',
      '/* c */',
      '#',
      "'x'",
      "'",
      '“y”',
      '“',
      '=',
      '=>',
      ';',
      '"\\u00e9"',
      '"\\x"',
      '"\\u12"',
      '"\u0001"',
      '😀',
      '\ud800',
      '\u0000',
      '\f',
      '\\',
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''));

/** Good JSON with one character taken out, put in or changed. */
const damagedJson = fc
  .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 1 }), fc.nat(1))
  .map(([text, at, put, drop]) => {
    const place = text.length === 0 ? 0 : at % text.length;
    return text.slice(0, place) + put + text.slice(place + drop);
  });

describe('checkJson against JSON.parse', () => {
  it('accepts and refuses exactly the same texts', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), nearJson, damagedJson, fc.string(), fc.string({ unit: 'binary' })), (text) => {
        expect(checkJson(text).ok).toBe(isTaken(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('returns the value of what it accepts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(checkJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('gives a position inside the text and a sentence for everything it refuses', () => {
    fc.assert(
      fc.property(fc.oneof(nearJson, damagedJson), (text) => {
        const check = checkJson(text);
        if (check.ok) return;
        expect(check.offset).toBeGreaterThanOrEqual(0);
        expect(check.offset).toBeLessThanOrEqual(text.length);
        expect({ line: check.line, column: check.column }).toEqual(positionOf(text, check.offset));
        expect(check.reason).toMatch(/^.{10,}/s);
      }),
      { numRuns: 1_000 },
    );
  });

  it('offers fixes that make progress: applying them one by one ends', () => {
    fc.assert(
      fc.property(fc.oneof(nearJson, damagedJson), (start) => {
        let text = start;
        let steps = 0;
        for (
          let check = checkJson(text);
          !check.ok && check.fix !== undefined && steps < 1_000;
          check = checkJson(text)
        ) {
          text = fixed(text);
          steps += 1;
        }
        expect(steps).toBeLessThanOrEqual(start.length * 6 + 40);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads deep nesting without running out of stack', () => {
    const deep = `${'['.repeat(200_000)}1${']'.repeat(200_000)}`;
    expect(checkJson(deep.slice(0, -1))).toMatchObject({ ok: false, offset: deep.length - 1 });
  });
});

describe('positions', () => {
  it('points at the start of the wrong word, as the composer shows it', () => {
    const text = '{\n  "beam_size": 5,\n  "word_timestamps": ture,\n  "vad_filter": true\n}';
    expect(checkJson(text)).toMatchObject({
      ok: false,
      line: 3,
      column: 22,
      reason: 'Expected a value. Did you mean true?',
      fix: { text: 'true', label: 'Replace with true' },
    });
    expect(checkJson(fixed(text)).ok).toBe(true);
  });

  it('counts CRLF and CR as one line end each', () => {
    expect(checkJson('{\r\n"a": 1,\r\n"b": x}')).toMatchObject({ line: 3, column: 6 });
    expect(checkJson('{\r"a": 1,\r"b": x}')).toMatchObject({ line: 3, column: 6 });
  });
});

describe('mistakes in typed JSON', () => {
  it.each([
    ['{"a": True}', '{"a": true}'],
    ['{"a": None}', '{"a": null}'],
    ['{"a": undefined}', '{"a": null}'],
    ['{"a": flase}', '{"a": false}'],
    ['{"a": 1,}', '{"a": 1}'],
    ['[1, 2,]', '[1, 2]'],
    ['{"a": 1 "b": 2}', '{"a": 1, "b": 2}'],
    ['{"a": 1\n"b": 2}', '{"a": 1,\n"b": 2}'],
    ['{"a" 1}', '{"a": 1}'],
    ['{"a" = 1}', '{"a" : 1}'],
    ['{a: 1}', '{"a": 1}'],
    ["{'a': 1}", '{"a": 1}'],
    ["{\"a\": 'it\\'s'}", '{"a": "it\'s"}'],
    ['{“a”: 1}', '{"a": 1}'],
    ['{"a": hello world}', '{"a": "hello world"}'],
    ['{"a": 007}', '{"a": 7}'],
    ['{"a": +.5}', '{"a": 0.5}'],
    ['{"a": 5.}', '{"a": 5}'],
    ['{"a": 0xff}', '{"a": 255}'],
    ['{"a": 1} // done', '{"a": 1} '],
    ['{"a": /* one */ 1}', '{"a":  1}'],
    ['{"a": "C:\\dir"}', '{"a": "C:\\\\dir"}'],
    ['{"a": "one\ntwo"}', '{"a": "one\\ntwo"}'],
    ['{"a": [1, 2}', '{"a": [1, 2]'],
    ['{"a": {"b": [1', '{"a": {"b": [1]}}'],
    ['{"a": 1}}', '{"a": 1}'],
    ['{"a":\u00a01}', '{"a": 1}'],
    ['\ufeff{"a": 1}', '{"a": 1}'],
    ['', '{}'],
  ])('%j is fixed to %j', (text, meant) => {
    expect(fixed(text)).toBe(meant);
  });

  // A pattern that counts each character would exceed the stack, and one that begins again at each digit take minutes.
  it('fixes a string of megabytes in other quotes, and refuses an endless number', () => {
    const image = 'QUJD'.repeat(4_000_000);
    expect(fixed(`{"image":'${image}'}`)).toBe(`{"image":"${image}"}`);
    expect(checkJson(`[${'0'.repeat(1_000_000)}-]`)).toMatchObject({ ok: false, line: 1, column: 2 });
    expect(fixed('[-007.50]')).toBe('[-7.50]');
    expect(fixed('[000]')).toBe('[0]');
  });

  it('says which bracket is not closed', () => {
    expect(checkJson('{\n  "a": [1,\n  2\n}')).toMatchObject({
      line: 4,
      reason: 'Expected ] here: it closes the [ of line 2.',
    });
    expect(checkJson('{\n  "a": 1\n')).toMatchObject({ reason: 'The { of line 1 is never closed.' });
  });
});
