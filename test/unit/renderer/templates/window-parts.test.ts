import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedFields, updatableFields } from '../../../../src-preload/template.ts';
import type { SeenTemplate } from '../../../../src-preload/template.ts';
import { templateFieldText } from '../../../../src-renderer/messages/templates/fields.ts';
import {
  withEdit,
  withStep,
  withoutEdit,
  emptinessOf,
  fieldNamedIn,
  linesOfKnown,
} from '../../../../src-renderer/templates/edit-rules.ts';
import { mergeEnv, parseEnvFile } from '../../../../src-renderer/templates/env-file.ts';
import { diffLines, diffParts, diffWords, lineCountText } from '../../../../src-renderer/design/text-diff.ts';

describe('a .env file', () => {
  it.each<[string, string, Record<string, string>]>([
    ['plain lines', 'A=1\nB=two words \n', { A: '1', B: 'two words' }],
    ['CRLF and a byte order mark', '\uFEFFA=1\r\nB="x"\r\n', { A: '1', B: 'x' }],
    ['export and spaces around =', 'export A=1\n  B = 2\n', { A: '1', B: '2' }],
    ['comments', '# A=0\nA=1 # one\nB=a#b\nC="x # y" # z\nD=#\n', { A: '1', B: 'a#b', C: 'x # y', D: '' }],
    ['literal single quotes', "A='a\\n$B \"'\n", { A: 'a\\n$B "' }],
    ['double quotes with escapes', 'A="a\\nb\\t\\"c\\" \\\\ \\$D \\q"', { A: 'a\nb\t"c" \\ $D \\q' }],
    [
      'multi-line values',
      'KEY="-----BEGIN\nabc\n-----END"\nB=\'1\n2\'\nC=3',
      { KEY: '-----BEGIN\nabc\n-----END', B: '1\n2', C: '3' },
    ],
    ['empty values and = in a value', 'A=\nB=""\nC=a=b==\n', { A: '', B: '', C: 'a=b==' }],
    ['the last of a repeated name', 'A=1\nB=2\nA=3\n', { A: '3', B: '2' }],
    ['nothing', '\n  \n', {}],
  ])('%s', (_, text, variables) => {
    const file = parseEnvFile(text);
    expect(Object.fromEntries(file.variables.map(({ name, value }) => [name, value]))).toEqual(variables);
    expect(file.problems).toEqual([]);
  });

  it('reports by line what it cannot read, and continues after it', () => {
    const file = parseEnvFile('A="1\n2"\nnot a line\n1B=2\nE="x" y\n=5\nF=6\nC="open\nD=4');
    expect(file.variables).toEqual([
      { name: 'A', value: '1\n2' },
      { name: 'F', value: '6' },
      { name: 'D', value: '4' },
    ]);
    expect(file.problems.map(({ line }) => line)).toEqual([3, 4, 5, 6, 8]);
  });

  it('never fails, and reads back any quoted value', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseEnvFile(text)));
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((value) => !value.includes('\r')),
        (value) => {
          const quoted = `A="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"\nB=1`;
          expect(parseEnvFile(quoted)).toEqual({
            variables: [
              { name: 'A', value },
              { name: 'B', value: '1' },
            ],
            problems: [],
          });
        },
      ),
    );
  });

  it('is merged in place, and lists what it adds and changes', () => {
    expect(
      mergeEnv(
        [
          { name: 'A', value: null },
          { name: 'B', value: null, from: 3 },
          { name: 'C', value: 'x' },
        ],
        [
          { name: 'D', value: '4' },
          { name: 'B', value: '2' },
        ],
      ),
    ).toEqual({
      entries: [
        { name: 'A', value: null },
        { name: 'B', value: '2' },
        { name: 'C', value: 'x' },
        { name: 'D', value: '4' },
      ],
      added: ['D'],
      changed: ['B'],
    });
  });
});

describe('a diff', () => {
  it('reproduces both texts', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (from, to) => {
        const parts = diffParts(from, to);
        expect(parts.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(from);
        expect(parts.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(to);
      }),
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (from, to) => {
        const parts = diffWords(from, to);
        expect(
          parts
            .filter(({ kind }) => kind !== 'added')
            .map(({ text }) => text)
            .join(''),
        ).toBe(from.match(/[\s\S]/gu)?.join('') ?? '');
        expect(
          parts
            .filter(({ kind }) => kind !== 'removed')
            .map(({ text }) => text)
            .join(''),
        ).toBe(to.match(/[\s\S]/gu)?.join('') ?? '');
      }),
    );
  });

  it('marks the word that changed', () => {
    expect(diffWords('atlas/asr-serve:2.31.3', 'atlas/asr-serve:2.31.4')).toEqual([
      { kind: 'same', text: 'atlas/asr-serve:2.31.' },
      { kind: 'removed', text: '3' },
      { kind: 'added', text: '4' },
    ]);
    expect(diffWords('1.0.0', '2.31.4').map(({ kind }) => kind)).toEqual(['removed', 'added']);
  });

  it('counts lines', () => {
    expect(lineCountText(diffLines('a\nb', 'a\nc\nd\ne'))).toBe('2 lines added, 1 changed');
    expect(lineCountText(diffLines('a\nb', 'a'))).toBe('1 line removed');
    expect(lineCountText(diffLines('', 'a'))).toBe('1 line added');
  });

  it('of long texts finishes', () => {
    const lines = (word: string): string => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}`).join('\n');
    expect(diffLines(lines('a'), lines('b'))).toHaveLength(10_000);
  });
});

describe('an edit', () => {
  const known: SeenTemplate = {
    id: 't',
    name: 'asr',
    containerDiskInGb: 50,
    readme: null,
    env: ['A'],
    dockerEntrypoint: [],
  };

  it('to the current value is not an edit', () => {
    expect(withEdit({ name: 'x' }, 'name', 'asr', known)).toEqual({});
    expect(withEdit({}, 'containerDiskInGb', '50', known)).toEqual({});
    expect(withEdit({}, 'dockerEntrypoint', [], known)).toEqual({});
    expect(withEdit({}, 'env', [{ name: 'A', value: null }], known)).toEqual({});
    expect(withEdit({}, 'readme', '', known)).toEqual({});
    expect(withEdit({}, 'imageName', '', known)).toEqual({});
  });

  it('stays if it changes something, even to an empty value', () => {
    expect(withEdit({}, 'name', '', known)).toEqual({ name: '' });
    expect(withEdit({}, 'dockerStartCmd', [], known)).toEqual({ dockerStartCmd: [] });
    expect(withEdit({}, 'isPublic', false, known)).toEqual({ isPublic: false });
    expect(withEdit({}, 'env', [], known)).toEqual({ env: [] });
    expect(withoutEdit({ name: '', env: [] }, 'env')).toEqual({ name: '' });
  });

  it('typed without a pause is a single undo step', () => {
    let past = withStep([], { edits: {}, field: 'name' }, 0);
    past = withStep(past, { edits: { name: 'a' }, field: 'name' }, 400);
    past = withStep(past, { edits: { name: 'ab' }, field: 'name' }, 1_300);
    expect(past.map(({ edits }) => edits)).toEqual([{}]);
    past = withStep(past, { edits: { name: 'abc' }, field: 'readme' }, 1_400);
    past = withStep(past, { edits: { name: 'abc', readme: 'x' }, field: 'readme' }, 9_000);
    expect(past.map(({ edits }) => edits)).toEqual([{}, { name: 'abc' }, { name: 'abc', readme: 'x' }]);
  });
});

describe('the texts', () => {
  it('show absent, null and empty as different', () =>
    expect([undefined, null, '', [], 0, false, 'x'].map(emptinessOf)).toEqual([
      'absent',
      'null',
      'empty',
      'empty',
      null,
      null,
      null,
    ]));

  it('find the field that a refusal names', () => {
    expect(fieldNamedIn('imageName must be a string that is not empty.')).toBe('imageName');
    expect(fieldNamedIn('{"path":["volumeInGb"]}')).toBe('volumeInGb');
    expect(fieldNamedIn('the environment is bad')).toBeNull();
    expect(fieldNamedIn('name and ports are bad')).toBeNull();
  });

  it('exist for each field, editable by an update or not', () => {
    expect(Object.keys(templateFieldText).sort()).toEqual([...updatableFields, ...fixedFields].sort());
  });
});

// Patterns that begin again at each space would take minutes for these, and one that counts each character exceeds the
// stack.
it('a .env file is read whatever its size', () => {
  const spaces = ' '.repeat(400_000);
  const value = 'abc\n'.repeat(4_000_000);
  expect(parseEnvFile(`${spaces}no assignment\n${spaces}A${spaces}=${spaces}1\nexport${spaces}B=2\n`)).toMatchObject({
    variables: [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ],
    problems: [{ line: 1 }],
  });
  const { variables } = parseEnvFile(`KEY="${value}\\""\nC=3`);
  expect(variables.map(({ name }) => name)).toEqual(['KEY', 'C']);
  expect(variables[0]?.value.length).toBe(value.length + 1);
});

it('a variable that gets the name of a known one, or the beginning of a longer name, is not that one', () => {
  const named = (...names: string[]) => names.map((name) => ({ name, value: '' }));
  expect(linesOfKnown(named('HF', 'PORT', ''), ['PORT', 'HF'])).toEqual(new Set([0, 1]));
  expect(linesOfKnown(named('HF', 'HF'), ['HF', 'GONE'])).toEqual(new Set([0]));
});
