import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts, type Compared } from '../../../../src-renderer/compare/compared.ts';
import { diffTexts } from '../../../../src-renderer/compare/text-cell.ts';
import type { Steps } from '../../../../src-renderer/stream/use-steps.ts';

/** The result, and how many steps it took. */
function done<T>(steps: Steps<T>): { result: T; steps: number } {
  for (let taken = 1; ; taken += 1) {
    const next = steps.next();
    if (next.done === true) return { result: next.value, steps: taken };
  }
}

const compared = (...values: unknown[]): Compared =>
  done(
    compareTexts(
      values.map((value) => JSON.stringify(value)),
      false,
    ),
  ).result;
/** The beginning of a PNG of that width, in base64. */
const png = (width: number): string => {
  const head = new Uint8Array(60);
  head.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  new DataView(head.buffer).setUint32(16, width);
  new DataView(head.buffer).setUint32(20, 10);
  return Buffer.from(head).toString('base64');
};
const differences = (diff: Compared): [string, (string | null)[]][] =>
  diff.rows
    .filter(({ isEqual }) => !isEqual)
    .map(({ path, values }) => [path, values.map((value) => value?.text ?? null)]);

test('differences are named by path, and a part missing on one side is one difference', () => {
  const one = { tone: 'warm', sampling: { temperature: 0.7, seed: 1 }, tags: ['a', 'b'], deep: { x: [1] } };
  const other = { tone: 'plain', sampling: { temperature: 0.2, seed: 1 }, tags: ['a'], max_words: 40, deep: 'none' };
  const diff = compared(one, other);
  expect(differences(diff)).toEqual([
    ['$.tone', ['"warm"', '"plain"']],
    ['$.sampling.temperature', ['0.7', '0.2']],
    ['$.tags[1]', ['"b"', null]],
    ['$.deep', ['{"x":[1]}', '"none"']],
    ['$.max_words', [null, '40']],
  ]);
  expect([diff.differing, diff.equal]).toEqual([5, 2]);
  expect(differences(compared({ a: 1 }, { a: 1 }, { a: 2 }, { a: 1 }))).toEqual([['$.a', ['1', '1', '2', '1']]]);
});

test('equal values in another notation are equal; numbers keep every digit', () => {
  const of = (one: string, other: string): number => done(compareTexts([one, other], false)).result.differing;
  expect(of('{"a": 1.0, "b": "\\u00e9"}', '{"b":"é","a":1}')).toBe(0);
  expect(of('[12345678901234567890]', '[12345678901234567891]')).toBe(1);
  expect(of('[]', '{}')).toBe(1);
  expect(of('{}', '{ }')).toBe(0);
});

test('the differences are the same as between the parsed values', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  /** Every leaf by its path. */
  const leaves = (root: unknown, path = '$'): [string, string][] => {
    const entries = typeof root === 'object' && root !== null ? Object.entries(root) : [];
    return entries.length === 0
      ? [[path, JSON.stringify(root)]]
      : entries.flatMap(([name, each]) => leaves(each, `${path}/${name}`));
  };
  fc.assert(
    fc.property(value, value, (one, other) => {
      const diff = compared(one, other);
      const [ones, others] = [new Map(leaves(one)), new Map(leaves(other))];
      const isEqual = ones.size === others.size && [...ones].every(([path, text]) => others.get(path) === text);
      expect(diff.differing === 0).toBe(isEqual);
      expect(compared(one, one)).toMatchObject({ differing: 0, equal: ones.size });
    }),
  );
});

test('a hundred thousand levels and a million values are compared in steps', () => {
  const deep = (end: string): string => `${'['.repeat(100_000)}${end}${']'.repeat(100_000)}`;
  const { result } = done(compareTexts([deep('1'), deep('2')], false));
  expect(result.differing).toBe(1);
  expect(result.rows[0]?.path).toContain(' … ');
  const wide = (last: number): string => JSON.stringify([...Array.from({ length: 300_000 }, (_, at) => at), last]);
  const { result: flat, steps } = done(compareTexts([wide(1), wide(2)], false));
  expect([flat.differing, flat.equal]).toEqual([1, 300_000]);
  expect(steps).toBeGreaterThan(1_000);
});

test('outputs that are not JSON are compared as text, and a side without output is marked so', () => {
  expect(differences(done(compareTexts(['plain words', 'other words'], false)).result)).toEqual([
    ['$', ['"plain words"', '"other words"']],
  ]);
  expect(differences(done(compareTexts(['plain', null], false)).result)).toEqual([['$', ['"plain"', null]]]);
  expect(done(compareTexts([null, null], false)).result).toMatchObject({ rows: [], differing: 0 });
});

test('a side without an output leaves the others compared by path', () => {
  const of = (...texts: (string | null)[]): Compared => done(compareTexts(texts, false)).result;
  expect(differences(of('{"a":1,"b":[2]}', null))).toEqual([
    ['$.a', ['1', null]],
    ['$.b[0]', ['2', null]],
  ]);
  const three = of('{"a":1,"b":2}', null, '{"a":1,"b":3}');
  expect(differences(three)).toEqual([['$.b', ['2', null, '3']]]);
  expect(three.equal).toBe(1);
  expect(differences(of(null, '{"a":1}'))).toEqual([['$.a', [null, '1']]]);
});

test('items of arrays are matched by their ids, wherever they are; another order is one difference', () => {
  const items = (...ids: number[]) => ids.map((id) => ({ id, price: id * 2 }));
  // One put in at the front makes nothing behind it differ.
  const front = compared({ products: items(1, 2, 3) }, { products: items(9, 1, 2, 3) });
  expect(differences(front)).toEqual([['$.products[?@.id==9]', [null, '{"id":9,"price":18}']]]);
  const changed = compared(
    [
      { name: 'a', x: 1 },
      { name: 'b', x: 2 },
    ],
    [
      { name: 'b', x: 2 },
      { name: 'a', x: 3 },
    ],
  );
  expect(changed.rows.filter(({ isReordered }) => isReordered).map(({ path }) => path)).toEqual(['$']);
  expect(differences(changed).map(([path]) => path)).toEqual(['$', '$[?@.name=="a"].x']);
  // In the same order the place says it, and so where an id comes twice or an item has none.
  expect(
    differences(
      compared(items(1, 2), [
        { id: 1, price: 2 },
        { id: 2, price: 5 },
      ]),
    ),
  ).toEqual([['$[1].price', ['4', '5']]]);
  for (const other of [
    [{ id: 1 }, { id: 1 }],
    [{ id: 1 }, { x: 2 }],
    [{ id: 1 }, 2],
  ])
    expect(differences(compared([{ id: 7 }, { id: 1 }], other))[0]?.[0]).toBe('$[0].id');
});

test('an item matched by its id keeps its image, in whatever place', () => {
  const diff = compared(
    [{ id: 'a', data: png(20) }],
    [
      { id: 'b', data: png(30) },
      { id: 'a', data: png(40) },
    ],
  );
  expect(diff.images.get('$[?@.id=="a"].data')?.map((image) => image?.width)).toEqual([20, 40]);
});

test('images are recognised by their bytes, side by side under the path of the output', () => {
  const diff = compared({ images: [{ data: png(20) }] }, { images: [{ data: png(40) }] });
  expect([...diff.images].map(([path, images]) => [path, images.map((image) => image?.width)])).toEqual([
    ['$.images[0].data', [20, 40]],
  ]);
  expect(differences(diff).map(([path]) => path)).toEqual(['$.images[0].data']);
});

test('long texts are cut, compared and joined in small steps', () => {
  const lines = (changed: string): string =>
    Array.from({ length: 100_000 }, (_, at) => (at === 50_000 ? changed : `line ${at}`)).join('\n');
  const steps = diffTexts(lines('old'), lines('new'));
  let taken = 1;
  while (steps.next().done !== true) taken += 1;
  // The lines of each text are cut and numbered, then paired, listed and joined: a thousand or a few of them in a step.
  expect(taken).toBeGreaterThan(600);
});

test('short texts are compared by words, long ones by lines with equal stretches left out', () => {
  const { parts, changes } = done(diffTexts('A gorgeous, matte kettle', 'A matte kettle')).result;
  expect(changes).toBe(1);
  expect(parts.filter(({ kind }) => kind === 'added')).toEqual([]);
  const phrase = done(diffTexts('it fits any kitchen.', 'it suits a worktop.')).result;
  expect(phrase.parts.map((part) => (part.kind === 'left-out' ? '' : part.text))).toEqual([
    'it ',
    'fits any kitchen',
    'suits a worktop',
    '.',
  ]);
  const lines = (changed: string): string =>
    Array.from({ length: 4_000 }, (_, at) => (at === 2_000 ? changed : `line ${at} of many`)).join('\n');
  const long = done(diffTexts(lines('old'), lines('new'))).result;
  expect(long.parts.map((part) => part.kind)).toEqual(['left-out', 'same', 'removed', 'added', 'same', 'left-out']);
  expect(long.changes).toBe(1);
});
