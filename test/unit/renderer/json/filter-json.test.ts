import {
  assert,
  constantFrom,
  jsonValue,
  oneof,
  property,
  record,
  array as list,
  string,
  integer,
  option,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonFilter } from '../../../../src-renderer/json/filter/filter-json.ts';
import { indexFound } from '../../../../src-renderer/json/filter/use-json-filter.ts';
import { narrowedFilter } from '../../../../src-renderer/json/filter/narrow-filter.ts';
import {
  childrenOf,
  indexJson,
  keyToken,
  valueText,
  type JsonIndex,
} from '../../../../src-renderer/json/json-index.ts';
import { jsonPathOf, stepsTo } from '../../../../src-renderer/json/json-path.ts';
import { drained } from '../stream/drained.ts';

const text = JSON.stringify({
  products: [
    { sku: 'A', price: 54.9, stock: 0, 'unit price': 1 },
    { sku: 'B', price: 12, stock: 3, variants: [{ colour: 'sage' }, { colour: 'sand' }] },
    { sku: 'C', price: 95.4, stock: 0, variants: [{ colour: 'sage' }] },
  ],
});

/** The texts of what a filter finds, with the path of each. */
function found(json: string, path: string): [string, string][] {
  const answer = createJsonFilter(json)(path);
  if (answer.kind === 'problem') throw new Error(answer.message);
  const whole = drained(indexJson(json));
  return Array.from(answer.nodes, (node) => [jsonPathOf(stepsTo(whole, node)), valueText(whole, node)]);
}

describe('a filter', () => {
  it('finds members, items, slices and matches of a condition, in the order of the text', () => {
    expect(found(text, '$.products[?@.price > 40 && @.stock == 0].sku')).toEqual([
      ['$.products[0].sku', '"A"'],
      ['$.products[2].sku', '"C"'],
    ]);
    expect(found(text, '$..colour').map(([path]) => path)).toEqual([
      '$.products[1].variants[0].colour',
      '$.products[1].variants[1].colour',
      '$.products[2].variants[0].colour',
    ]);
    expect(found(text, "$.products[0]['unit price']")).toEqual([["$.products[0]['unit price']", '1']]);
    expect(found(text, '$.nothing')).toEqual([]);
  });

  it('keeps every digit and finds the last of a duplicate key', () => {
    expect(found('{"n":1,"big":12345678901234567890.10,"n":2}', '$.*')).toEqual([
      ['$.n', '2'],
      ['$.big', '12345678901234567890.10'],
    ]);
  });

  it('reports its error, and continues', () => {
    const filter = createJsonFilter(text);
    expect(filter('$.products[?')).toMatchObject({
      kind: 'problem',
      message: expect.stringMatching(/^Not a JSONPath: /),
    });
    expect(filter('products')).toMatchObject({ kind: 'problem' });
    expect(filter('$.products[*].sku')).toMatchObject({ kind: 'found', isCut: false });
  });

  it('does not overflow the stack in a text that nests endlessly', () => {
    const deep = `${'['.repeat(50_000)}1${']'.repeat(50_000)}`;
    expect(createJsonFilter(deep)('$..a')).toMatchObject({ kind: 'problem' });
    expect(createJsonFilter(deep)('$[0]')).toMatchObject({ kind: 'found' });
  });

  it('says so if it finds more than can be shown', () => {
    const answer = createJsonFilter(JSON.stringify(Array.from({ length: 100_001 }, () => 0)))('$[*]');
    expect(answer).toMatchObject({ kind: 'found', isCut: true, nodes: { length: 100_000 } });
  });

  it('finds any value by its own path', () => {
    assert(
      property(jsonValue(), (value) => {
        const json = JSON.stringify(value);
        const whole = drained(indexJson(json));
        const filter = createJsonFilter(json);
        for (let node = 0; node < whole.count; node += 1)
          expect(filter(jsonPathOf(stepsTo(whole, node)))).toEqual({
            kind: 'found',
            nodes: Int32Array.of(node),
            isCut: false,
          });
      }),
    );
  });
});

describe('the result of a filter', () => {
  it('is an array whose values know their paths in the whole', () => {
    const whole = drained(indexJson(text));
    const answer = createJsonFilter(text)('$.products[?@.stock == 0]');
    if (answer.kind === 'problem') throw new Error(answer.message);
    const index = drained(indexFound(whole, answer.nodes));
    const [, second = -1] = childrenOf(index, 0);
    const variants = Array.from(childrenOf(index, second)).find((node) => keyToken(index, node) === '"variants"') ?? -1;
    expect(jsonPathOf(stepsTo(index, second))).toBe('$.products[2]');
    expect(jsonPathOf(stepsTo(index, variants))).toBe('$.products[2].variants');
    expect(valueText(index, variants)).toBe('[{"colour":"sage"}]');
  });
});

describe('a narrowed filter', () => {
  const scalar = oneof(string(), integer(), constantFrom(true, false, null));
  const rows = list(record({ 'a key': option(scalar, { nil: undefined }), n: integer({ min: 0, max: 3 }) }), {
    minLength: 1,
  });

  it('keeps exactly the rows with that value', () => {
    assert(
      property(
        rows,
        constantFrom('$[*]', '$.*', '$[?@.n > 0]', '$[?(@.n == 1 || @.n == 2)]', '$[?@["n"] != 3]'),
        (given, path) => {
          const json = JSON.stringify(given);
          const filter = createJsonFilter(json);
          const whole = drained(indexJson(json));
          const nodes = nodesOf(filter, path);
          for (const node of nodes) {
            const cell = cellOf(whole, node, 'a key');
            if (cell === -1) continue;
            const narrowed = narrowedFilter(path, 'a key', whole, cell) ?? '';
            const kept = nodes.filter((one) => textOf(whole, cellOf(whole, one, 'a key')) === valueText(whole, cell));
            expect(nodesOf(filter, narrowed)).toEqual(kept);
          }
        },
      ),
    );
  });

  it('is not offered if the path selects one value', () => {
    const whole = drained(indexJson(text));
    expect(narrowedFilter('$.products', 'sku', whole, 1)).toBeNull();
    expect(narrowedFilter("$.products['[*]']", 'sku', whole, 1)).toBeNull();
  });

  function nodesOf(filter: ReturnType<typeof createJsonFilter>, path: string): number[] {
    const answer = filter(path);
    if (answer.kind === 'problem') throw new Error(`${path}: ${answer.message}`);
    return [...answer.nodes];
  }
  function cellOf(whole: JsonIndex, row: number, key: string): number {
    return Array.from(childrenOf(whole, row)).find((node) => keyToken(whole, node) === JSON.stringify(key)) ?? -1;
  }
  function textOf(whole: JsonIndex, node: number): string | null {
    return node === -1 ? null : valueText(whole, node);
  }
});
