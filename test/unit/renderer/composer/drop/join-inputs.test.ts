import { describe, expect, it } from 'vitest';
import { parseInputs } from '../../../../../src-renderer/composer/bulk/read-inputs.ts';
import type { BulkFormat, ParsedInputs } from '../../../../../src-renderer/composer/bulk/parsed-inputs.ts';
import { skippedDetail } from '../../../../../src-renderer/composer/drop/read-input-files.ts';
import { joinInputs } from '../../../../../src-renderer/composer/drop/join-inputs.ts';

function parseNow(text: string, wanted: BulkFormat | null): ParsedInputs {
  const steps = parseInputs(text, { wanted, isTextCells: false });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const join = (text: string, files: Record<string, string>, wanted: BulkFormat | null = null) =>
  joinInputs(
    { text, wanted },
    Object.entries(files).map(([name, content]) => ({ name, text: content })),
    (part, format) => Promise.resolve(parseNow(part, format)),
  );

/** The inputs that the joined text has, as the composer reads it. */
async function inputsOf(joined: ReturnType<typeof join>): Promise<string[]> {
  const made = await joined;
  if (typeof made === 'string') throw new Error(made);
  const { good, bad } = parseNow(made.text, made.wanted);
  expect(bad).toEqual([]);
  return good.map(({ inputText }) => inputText);
}

describe('files in an empty field', () => {
  it('one is unchanged', async () => {
    const text = '\n[{"a": 1},\n {"a": 2}]';
    expect(await join(' \n', { 'a.json': text })).toEqual({
      text,
      wanted: null,
      taken: ['a.json'],
      skipped: [],
      isConverted: false,
    });
  });

  it('become one object per line, with every digit as written', async () => {
    const files = {
      'a.json': '{\r\n  "a": 1.50,\n  "text": "x\\ny"\n}',
      'b.json': '[{"b": 12345678901234567890},\n{"b": {{seed}}}]',
      'c.csv': 'prompt,seed\na cat,1\n',
      'd.jsonl': '{"d":1}\r\n\r\n{"d":2}\n',
    };
    expect(await inputsOf(join('', files))).toEqual([
      '{ "a": 1.50, "text": "x\\ny" }',
      '{"b": 12345678901234567890}',
      '{"b": {{seed}}}',
      '{"prompt":"a cat","seed":1}',
      '{"d":1}',
      '{"d":2}',
    ]);
  });

  it('are one table if they have the same header, and lines if not', async () => {
    const a = 'prompt\tseed\tnote\na cat\t1\t';
    const joined = await join('', {
      'a.tsv': a,
      'b.tsv': '\nprompt \tseed\tnote\r\na dog\t2\tx\r\n\r\n',
      'c.tsv': 'prompt\tseed\tnote',
    });
    expect(joined).toMatchObject({ text: `${a}\na dog\t2\tx\n`, wanted: null });
    expect(await inputsOf(join('', { 'a.csv': 'a,b\n1,2', 'b.csv': 'a;b\n3;4' }))).toEqual([
      '{"a":1,"b":2}',
      '{"a":3,"b":4}',
    ]);
  });

  it('a chosen format does not hide inputs of several files', async () => {
    expect(await inputsOf(join('', { 'a.json': '{"a":1}', 'b.json': '{"a":2}' }, 'csv'))).toHaveLength(2);
  });
});

describe('files on a text', () => {
  it('are appended on a new line, and the text stays unchanged', async () => {
    expect(await join('{"a": 1}\n{"a": ', { 'b.json': '{"b": 2}' })).toMatchObject({
      text: '{"a": 1}\n{"a":\n{"b": 2}\n',
      isConverted: false,
    });
    const wide = '{\n  "a": 1\n}\n{\n  "a": 2\n}';
    expect(await join(wide, { 'b.csv': 'b\n3' })).toMatchObject({ text: `${wide}\n{"b":3}\n`, wanted: null });
  });

  it('of a table with the same header extend it', async () => {
    const joined = await join('prompt,seed\na cat,1', { 'b.csv': 'prompt,seed\n"a, dog",2\n' });
    expect(joined).toMatchObject({ text: 'prompt,seed\na cat,1\n"a, dog",2\n', wanted: null });
    // Even a header alone.
    expect(await join('prompt\n', { 'b.csv': 'prompt\nx' }, 'csv')).toMatchObject({
      text: 'prompt\nx\n',
      wanted: 'csv',
    });
  });

  it('after an array or another table make lines of it', async () => {
    const fromArray = await join('[{"a": 1}, {"a": 2}]', { 'b.json': '{"b": 3}' });
    expect(fromArray).toMatchObject({ text: '{"a": 1}\n{"a": 2}\n{"b": 3}\n', wanted: null, isConverted: true });
    const fromTable = await join('a,b\n1,2\n', { 'b.csv': 'c\n3' }, 'csv');
    expect(fromTable).toMatchObject({ text: '{"a":1,"b":2}\n{"c":3}\n', wanted: null, isConverted: true });
  });

  it('that would lose typed text are refused', async () => {
    expect(await join('a,b\n1', { 'b.json': '{"b": 3}' })).toMatch(/^Fix or remove the invalid rows/);
    expect(await join('[{"a": 1}, {"a": ]', { 'b.json': '{"b": 3}' })).toMatch(/^Fix or remove the invalid rows/);
    expect(await join('typed words', { 'b.json': '{"b": 3}' })).toMatch(/has no rows yet/);
  });
});

describe('skipped files', () => {
  it('are named, and the rest is joined', async () => {
    const joined = await join('', {
      'a.csv': 'a,b\n1,2\n3\n4\n',
      'b.json': '{"b": ',
      'c.json': '[]',
      'd.json': '"words"',
      'e.jsonl': '{"e": 1}\noops',
    });
    if (typeof joined === 'string') throw new Error(joined);
    expect(joined.taken).toEqual(['a.csv', 'e.jsonl']);
    // A line of NDJSON that is invalid stays, so that it can be fixed.
    expect(joined.text).toBe('{"a":1,"b":2}\n{"e": 1}\noops\n');
    const text = skippedDetail(joined.skipped);
    expect(text).toMatch(
      /^Left out c\.json: no inputs found\. Skipped 2 invalid rows of a\.csv\. Line 3: This row has 1 /,
    );
    expect(text).toMatch(/Skipped 1 invalid row of b\.json\. Line 1: This starts here and never ends\./);
    expect(text).toMatch(/Skipped 1 invalid row of d\.json\. Line 1: An input must be an object/);
  });

  it('change nothing if they are all of the files', async () => {
    expect(await join('{"a": 1}', { 'c.json': '[]' })).toEqual({
      text: '{"a": 1}',
      wanted: null,
      taken: [],
      skipped: [{ name: 'c.json', reason: 'empty' }],
      isConverted: false,
    });
  });

  it('have a sentence for each reason', () => {
    const names = ['1.png', '2.png', '3.png', '4.png', '5.png', '6.png'];
    expect(
      skippedDetail([
        { name: 'locked.csv', reason: 'unreadable' },
        ...names.map((name) => ({ name, reason: 'kind' as const })),
        { name: 'huge.csv', reason: 'size' },
        { name: 'latin.csv', reason: 'text' },
      ]),
    ).toBe(
      'Left out 1.png, 2.png, 3.png, 4.png, 5.png, …: inputs are in .json, .jsonl, .ndjson, .csv, .tsv or .txt files. ' +
        'Left out huge.csv: Jobdeck reads up to 200 MB at a time. ' +
        'Could not read locked.csv. Check that each file still exists and that you may read it. ' +
        'Left out latin.csv: not UTF-8 text.',
    );
    expect(skippedDetail([])).toBe('');
  });
});
