import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valuesIn } from '../../../../src-main/history/jobs/body-values.ts';
import { isJsonObject } from '../../../../src-preload/json-spans.ts';

/** What the values of a body are, found by parsing it. */
function parsedValues(value: unknown, path = '', depth = 0): [path: string, value: unknown][] {
  if (!isJsonObject(value) || depth === 3 || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    parsedValues(inner, path === '' ? key : `${path}.${key}`, depth + 1),
  );
}

const key = fc.constantFrom('a', 'b', 'long key', 'with "quotes"', 'back\\slash', 'é');
const { body } = fc.letrec<{ body: unknown; object: unknown }>((tie) => ({
  body: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('body'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('body'), { maxKeys: 4 }),
}));

test('the values of a body are those that parsing it finds, in the same order', () => {
  fc.assert(
    fc.property(body, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const found = valuesIn(text).map(({ path, start, end, isCut }) => {
        expect(isCut).toBe(false);
        return [path, JSON.parse(text.slice(start, end))];
      });
      expect(found).toEqual(JSON.parse(JSON.stringify(parsedValues(value))));
    }),
    { numRuns: 400 },
  );
});

test('the beginning of a body has the values before its end, and says which one is cut', () => {
  fc.assert(
    fc.property(fc.dictionary(key, body, { maxKeys: 5 }), fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const whole = new Map(valuesIn(text).map((each) => [each.path, each]));
      for (const each of valuesIn(text.slice(0, at % (text.length + 1)))) {
        const { path, start, end, isCut } = each;
        expect(whole.get(path)?.start).toBe(start);
        // A number has no end of its own.
        if (!isCut && each.kind !== 'number') expect(whole.get(path)?.end).toBe(end);
      }
    }),
    { numRuns: 400 },
  );
});

test('the last of duplicate keys counts, and numbers keep their digits', () => {
  const text = '{"seed": 1, "seed": 12345678901234567890, "x": 1.0}';
  expect(valuesIn(text).map(({ path, start, end }) => [path, text.slice(start, end)])).toEqual([
    ['seed', '12345678901234567890'],
    ['x', '1.0'],
  ]);
});

test.each(['Hello, world', 'true story', '123 apples', 'null and void', '{not json}'])(
  'a body that is no JSON is one text: %s',
  (text) => {
    const values = valuesIn(text);
    if (text.startsWith('{')) expect(values.every(({ path }) => path === '')).toBe(true);
    else expect(values).toEqual([{ path: '', kind: 'string', start: 0, end: text.length, isCut: false }]);
  },
);

test('a body of a hundred thousand levels is read without recursion', () => {
  const text = `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)},"seed":7}`;
  expect(valuesIn(text).map(({ path, kind }) => [path, kind])).toEqual([
    ['deep', 'array'],
    ['seed', 'number'],
  ]);
});
