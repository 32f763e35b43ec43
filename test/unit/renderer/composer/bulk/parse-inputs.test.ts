import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine } from '../../../../../src-renderer/composer/bulk/parsed-inputs.ts';
import { detect, parseInputs } from '../../../../../src-renderer/composer/bulk/read-inputs.ts';
import { withoutMark } from '../../../../../src-renderer/composer/read-csv.ts';
import { parseInSlices } from '../../../../../src-renderer/composer/bulk/bulk-store.ts';
import { csvOf, parsed, valuesOf } from './written.ts';

const anyInput = fc
  .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));
const anyInputs = fc.array(anyInput, { minLength: 1, maxLength: 30 });
const newline = fc.constantFrom('\n', '\r\n');

describe('inputs are read back as written', () => {
  it('as NDJSON', () => {
    fc.assert(
      fc.property(anyInputs, newline, fc.boolean(), (inputs, end, hasEnd) => {
        const text = inputs.map((input) => JSON.stringify(input)).join(end) + (hasEnd ? end : '');
        expect(detect(text)?.format).toBe('ndjson');
        const result = parsed(text);
        expect(result.bad).toEqual([]);
        expect(valuesOf(result)).toEqual(inputs);
        expect(result.good.map(({ line }) => line)).toEqual(inputs.map((_, index) => index + 1));
      }),
    );
  });

  it('as one array, with any white space', () => {
    fc.assert(
      fc.property(anyInputs, fc.constantFrom(0, 1, 2, '\t'), (inputs, indent) => {
        const text = JSON.stringify(inputs, null, indent);
        expect(detect(text)?.format).toBe('json');
        const result = parsed(text);
        expect(result.bad).toEqual([]);
        expect(valuesOf(result)).toEqual(inputs);
      }),
    );
  });

  it('as objects one after another', () => {
    fc.assert(
      fc.property(
        fc.array(
          anyInput.filter((input) => JSON.stringify(input) !== '{}'),
          { minLength: 1, maxLength: 10 },
        ),
        newline,
        (inputs, end) => {
          const text = inputs.map((input) => JSON.stringify(input, null, 2)).join(end);
          expect(detect(text)?.format).toBe('json');
          expect(valuesOf(parsed(text))).toEqual(inputs);
        },
      ),
    );
  });

  it('as CSV with all cells as text, whatever they contain', () => {
    const anyTable = fc
      .uniqueArray(fc.stringMatching(/^[a-z_]{1,8}$/), { minLength: 1, maxLength: 5 })
      .chain((header) =>
        fc.tuple(
          fc.constant(header),
          fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: header.length, maxLength: header.length }), {
            minLength: 1,
            maxLength: 20,
          }),
        ),
      );
    fc.assert(
      fc.property(anyTable, fc.constantFrom(',', ';', '\t'), newline, ([header, rows], delimiter, end) => {
        const result = parsed(
          csvOf([header, ...rows], { delimiter: header.length === 1 ? ',' : delimiter, newline: end }),
          'csv',
          true,
        );
        expect(result.bad).toEqual([]);
        expect(valuesOf(result)).toEqual(
          rows.map((row) => Object.fromEntries(header.map((name, column) => [name, row[column]]))),
        );
      }),
    );
  });

  it('as CSV with values in the cells', () => {
    const anyCell = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
      fc.boolean(),
      fc.constant(null),
      fc.dictionary(fc.string(), fc.integer()),
      fc.array(fc.integer()),
      fc.constantFrom('a cat', '007', '1,5', '+1', '{not json}', 'True'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(anyCell, anyCell), { minLength: 1, maxLength: 20 }), (rows) => {
        const plain = rows.map((row) => row.map((value): unknown => JSON.parse(JSON.stringify(value))));
        const text = csvOf([
          ['first', 'second'],
          ...plain.map((row) => row.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))),
        ]);
        expect(valuesOf(parsed(text, 'csv'))).toEqual(plain.map(([first, second]) => ({ first, second })));
      }),
    );
  });

  it('and no text makes any of them throw', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('"', '{', '}', '[', ']', ',', ';', '\n', '\r', '\t', '\\', 'a', '1', ':', ' '),
        }),
        fc.constantFrom('ndjson' as const, 'json' as const, 'csv' as const, null),
        (text, wanted) => {
          for (const { inputText } of parsed(text, wanted).good) expect(JSON.parse(inputText)).toBeTypeOf('object');
        },
      ),
    );
  });
});

describe('the format', () => {
  it.each([
    ['{"a":1}\n{"a":2}', 'ndjson', 'NDJSON: one object per line'],
    ['{"a":ture}\n{"a":2}', 'ndjson', 'NDJSON: one object per line'],
    ['\n\n{"a":1}', 'ndjson', 'NDJSON: one object per line'],
    ['{\n  "a": 1\n}\n{\n  "a": 2\n}', 'json', 'JSON: objects over several lines'],
    [' [\n{"a":1}]', 'json', 'JSON array: it starts with ['],
    ['prompt,seed\na cat,1', 'csv', 'CSV with a header: 2 columns, commas'],
    ['prompt;seed\n"a, cat";1', 'csv', 'CSV with a header: 2 columns, semicolons'],
    ['prompt\tseed\na, cat; or two\t1', 'csv', 'CSV with a header: 2 columns, tabs'],
    ['"a;b";c,d\n1,2', 'csv', 'CSV with a header: 2 columns, commas'],
    ['prompt\na cat', 'csv', 'CSV with a header: one column'],
  ])('%j is recognised', (text, format, reason) => {
    expect(detect(text)).toMatchObject({ format, reason });
  });

  it('is none for empty text', () => {
    expect(detect(' \n\t')).toBeNull();
    expect(parsed(' \n')).toEqual({ good: [], bad: [] });
  });

  it('is recognised after a byte order mark', () => {
    expect(parsed(withoutMark('\u{feff}prompt,seed\na cat,1')).good).toEqual([
      { line: 2, inputText: '{"prompt":"a cat","seed":1}' },
    ]);
  });

  it('can be set by the user instead', () => {
    expect(parsed('{"a":1},{"a":2}', 'json').good).toHaveLength(2);
    expect(parsed('{"a":1}', 'csv').good).toEqual([]);
  });
});

describe('a bad line', () => {
  it('is reported with its number, its problem and its text, and the others are accepted', () => {
    const { good, bad } = parsed('{"a":1}\n\n{"a":ture}\n[1]\n{"a":4}\n"text"');
    expect(good).toEqual([
      { line: 1, inputText: '{"a":1}' },
      { line: 5, inputText: '{"a":4}' },
    ]);
    expect(bad.map(({ line, text }) => [line, text])).toEqual([
      [3, '{"a":ture}'],
      [4, '[1]'],
      [6, '"text"'],
    ]);
    expect(bad.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Column 6: .*true/),
      expect.stringMatching(/must be an object.*a list/),
      expect.stringMatching(/must be an object.*a string/),
    ]);
  });

  it('of an array is reported by the line where the object begins', () => {
    const { good, bad } = parsed('[\n  {"a": 1},\n  {"a": tru},\n  7,\n  {"a": 4}\n]');
    expect(good.map(({ line }) => line)).toEqual([2, 5]);
    expect(bad.map(({ line, text }) => [line, text])).toEqual([
      [3, '{"a": tru}'],
      [4, '7'],
    ]);
  });

  it('of an unclosed array is reported, and complete objects are accepted', () => {
    const open = parsed('[{"a":1},{"a":2}');
    expect(open.good).toHaveLength(2);
    expect(open.bad).toEqual([
      expect.objectContaining({ message: expect.stringContaining('the ] at the end is missing') }),
    ]);
    const cut = parsed('[{"a":1},\n{"a":"cut off he');
    expect(cut.good).toHaveLength(1);
    expect(cut.bad).toEqual([expect.objectContaining({ line: 2, message: expect.stringContaining('never ends') })]);
    expect(parsed('[{"a":1} {"a":2}]').bad).toEqual([
      expect.objectContaining({ message: expect.stringContaining('comma is missing') }),
    ]);
    expect(parsed('[{"a":1},,{"a":2}]').bad).toHaveLength(1);
    expect(parsed('[{"a":1}] more').bad).toEqual([expect.objectContaining({ text: 'more' })]);
  });

  it('of a table is reported by the line where it begins, even after multi-line cells', () => {
    const { good, bad } = parsed(
      'prompt,seed\r\n"two\r\nlines",1\r\na cat\r\nb,2,3\r\n"open,4\r\nc,5\r\n"d"e,6\r\nf,7\r\n',
    );
    expect(good).toEqual([
      { line: 2, inputText: '{"prompt":"two\\r\\nlines","seed":1}' },
      { line: 9, inputText: '{"prompt":"f","seed":7}' },
    ]);
    expect(bad.map(({ line }) => line)).toEqual([4, 5, 6]);
    expect(bad[0]).toEqual({ line: 4, message: 'This row has 1 cell; the header has 2.', text: 'a cat' });
  });

  it('affects only itself if its quote is never closed', () => {
    const { good, bad } = parsed('prompt,seed\n"open,4\nc,5');
    expect(good).toEqual([{ line: 3, inputText: '{"prompt":"c","seed":5}' }]);
    expect(bad).toEqual([{ line: 2, message: expect.stringContaining('not closed'), text: '"open,4' }]);
  });
});

describe('a table', () => {
  it('nests by dots, keeps digits as written, skips empty cells and reads "" as an empty text', () => {
    const text =
      'prompt,sampling.max_tokens,sampling.stop,big\na cat,10,"[""."",""!""]",12345678901234567890\nb,,,""\n';
    expect(parsed(text).good.map(({ inputText }) => inputText)).toEqual([
      '{"prompt":"a cat","sampling":{"max_tokens":10,"stop":[".","!"]},"big":12345678901234567890}',
      '{"prompt":"b","big":""}',
    ]);
    expect(parsed(text, null, true).good[0]?.inputText).toBe(
      '{"prompt":"a cat","sampling":{"max_tokens":"10","stop":"[\\".\\",\\"!\\"]"},"big":"12345678901234567890"}',
    );
  });

  it('has literal names, whatever an object does with them', () => {
    expect(parsed('__proto__,constructor\n1,2').good[0]?.inputText).toBe('{"__proto__":1,"constructor":2}');
  });

  it.each([
    ['a,a\n1,2', 'appears twice'],
    ['a,\n1,2', 'Column 2 has no name'],
    ['a,a.b\n1,2', 'inside "a"'],
    ['a.b,a\n1,2', 'other columns are inside it'],
    ['a..b\n1', 'dot with nothing'],
  ])('whose header %j makes no object says so', (text, message) => {
    expect(parsed(text, 'csv')).toMatchObject({
      good: [],
      bad: [{ line: 1, message: expect.stringContaining(message) }],
    });
  });
});

describe('a large file', () => {
  it('is read in small steps, and stops when cancelled', async () => {
    const text = Array.from({ length: 5_000 }, (_, index) => JSON.stringify({ index, filling: 'x'.repeat(200) })).join(
      '\n',
    );
    const steps = parseInputs(text, { wanted: null, isTextCells: false });
    let count = 0;
    while (steps.next().done !== true) count += 1;
    expect(count).toBeGreaterThanOrEqual(50);
    expect(
      (await parseInSlices(parseInputs(text, { wanted: null, isTextCells: false }), new AbortController().signal))
        ?.good,
    ).toHaveLength(5_000);
    expect(
      await parseInSlices(parseInputs(text, { wanted: null, isTextCells: false }), AbortSignal.abort()),
    ).toBeNull();
  });
});

it('an input with a megabyte of spaces becomes one line in one pass', () => {
  const gap = ' '.repeat(1_000_000);
  expect(oneLine(`{"a":${gap}1,\r\n\n "b": 2}\n`)).toBe(`{"a":${gap}1, "b": 2}`);
});

// A search for the ends of its line at each value would take minutes for these, and the window would stand still.
it.each([
  ['missing commas', '[', '{"a":1} ', ']', 249_999],
  ['stray commas', '[', ',', '{}]', 1_000_000],
])('one line of megabytes with %s is read in one pass, in small steps', (_, open, part, close, count) => {
  const steps = parseInputs(open + part.repeat(count === 249_999 ? 250_000 : count) + close, {
    wanted: 'json',
    isTextCells: false,
  });
  let taken = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return expect([step.value.bad.length, taken > 2_000]).toEqual([count, true]);
    taken += 1;
  }
});

it('a problem in an array shows the beginning of its line', () => {
  expect(
    parsed('[\n  {"a":1}\n  {"b":2} {"c":3},,\n{"d":4}]', 'json').bad.map(({ line, text }) => [line, text]),
  ).toEqual([
    [3, '{"b":2} {"c":3},,'],
    [3, '{"b":2} {"c":3},,'],
    [3, '{"b":2} {"c":3},,'],
  ]);
});
