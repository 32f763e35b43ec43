import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonFind, type FindScope } from '../../../../src-renderer/json/json-find.ts';
import { childrenOf, indexJson, kindOf, valueText, type JsonIndex } from '../../../../src-renderer/json/json-index.ts';
import { jqPathOf, jsonPathOf, stepsTo, type PathStep } from '../../../../src-renderer/json/json-path.ts';
import { decodeString } from '../../../../src-preload/json-spans.ts';
import { drained } from '../stream/drained.ts';

const indexed = (text: string): JsonIndex => drained(indexJson(text));

/** The value at a node, built from the index alone. */
function valueOf(index: JsonIndex, node: number): unknown {
  const kind = kindOf(index, node);
  if (kind === 'array') return Array.from(childrenOf(index, node), (child) => valueOf(index, child));
  if (kind === 'object')
    return Object.fromEntries(
      Array.from(childrenOf(index, node), (child) => [stepsTo(index, child).at(-1), valueOf(index, child)]),
    );
  return JSON.parse(valueText(index, node));
}

function valueBy(value: unknown, steps: readonly PathStep[]): unknown {
  return steps.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : at),
    value,
  );
}

describe('the index of a JSON text', () => {
  it('has every value of any JSON, compact or formatted, at the position of JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const index = indexed(text);
        expect(index.state).toBe('whole');
        expect(valueOf(index, 0)).toEqual(JSON.parse(text));
        for (let node = 0; node < index.count; node += 1)
          expect(JSON.parse(valueText(index, node))).toEqual(valueBy(JSON.parse(text), stepsTo(index, node)));
      }),
    );
  });

  it('numbers the values of a longer text the same, so that expanded ones stay expanded while a text is read further', () => {
    const text = JSON.stringify({ a: [1, { b: 'two' }], c: { d: [true, null] }, e: 'end' });
    const whole = indexed(text);
    for (let chars = 1; chars < text.length; chars += 1) {
      const cut = indexed(text.slice(0, chars));
      expect(cut.state).toBe('cut');
      expect(cut.start.slice(0, cut.count)).toEqual(whole.start.slice(0, cut.count));
    }
  });

  it('keeps the digits, the order and the duplicates of the text', () => {
    const index = indexed('{"n": 12345678901234567890.10, "n": 1.0}');
    expect([1, 2].map((node) => valueText(index, node))).toEqual(['12345678901234567890.10', '1.0']);
  });

  it.each(['{"a" 1}', '[1,]', '[1 2]', '{"a":1]', 'hello', '1 2', '{,}'])('reports that %s is not JSON', (text) => {
    expect(indexed(text).state).toBe('not-json');
  });

  it('stops at a number of values, and reads a hundred thousand levels', () => {
    expect(drained(indexJson('[1,2,3,4]', 3)).state).toBe('too-many');
    const deep = indexed('['.repeat(100_000) + ']'.repeat(100_000));
    expect([deep.state, deep.count, deep.deepest, deep.next[0]]).toEqual(['whole', 100_000, 99_999, 100_000]);
  });
});

describe('the path of a value', () => {
  it('is written as RFC 9535 and as jq write it, odd names in quotes', () => {
    const steps = ['products', 1204, 'unit price', "it's", 'say "hi"', 'line\nbreak', 'title'];
    expect(jsonPathOf(steps)).toBe(`$.products[1204]['unit price']['it\\'s']['say "hi"']['line\\nbreak'].title`);
    expect(jqPathOf(steps)).toBe(`.products[1204]["unit price"]["it's"]["say \\"hi\\""]["line\\nbreak"].title`);
    expect([jsonPathOf([]), jqPathOf([]), jqPathOf([0])]).toEqual(['$', '.', '.[0]']);
  });
});

describe('find', () => {
  const found = (text: string, wanted: string, scope: FindScope = 'all'): string[] => {
    const index = indexed(text);
    const find = createJsonFind(index, wanted, scope);
    while (!find.isDone) find.step();
    return find.nodes.map((node) => jsonPathOf(stepsTo(index, node)));
  };
  const text = JSON.stringify({
    kettle: { title: 'Sage KETTLE', n: 41.5 },
    list: ['a kettle and a kettle', 'café "quoted"', true],
  });

  it('counts hits in keys and values, case-insensitively, and says which value each is in', () => {
    expect(found(text, 'Kettle')).toEqual(['$.kettle', '$.kettle.title', '$.list[0]', '$.list[0]']);
    expect(found(text, 'kettle', 'keys')).toEqual(['$.kettle']);
    expect(found(text, 'kettle', 'values')).toEqual(['$.kettle.title', '$.list[0]', '$.list[0]']);
    expect([found(text, '41.5'), found(text, 'TRUE')]).toEqual([['$.kettle.n'], ['$.list[2]']]);
  });

  it('searches the decoded text, not its JSON escapes', () => {
    expect(found(text, '"quoted"')).toEqual(['$.list[1]']);
    expect(found('["caf\\u00e9", "a\\/b"]', 'fé')).toEqual(['$[0]']);
    expect(found('["caf\\u00e9", "a\\/b"]', 'a/b')).toEqual(['$[1]']);
    expect(found('["a\\nb", "c\\\\nd"]', 'n')).toEqual(['$[1]']);
    expect([found('["a\\u00e9"]', '00e9'), found(text, ','), found(text, '{'), found(text, ':')]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it('finds hits across the windows it reads', () => {
    const long = JSON.stringify({ text: `${'x'.repeat(65_520)}lighthouse${'x'.repeat(65_520)}lighthouse` });
    expect(found(long, 'lighthouse')).toHaveLength(2);
  });

  it('finds in any text exactly what each of its strings contains', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\\', '"', 'n', '\n', 'u') })), (strings) => {
        const index = indexed(JSON.stringify(strings));
        for (const wanted of ['a', 'ab', '\\', 'n', 'u', '"b', '\n']) {
          const find = createJsonFind(index, wanted, 'all');
          while (!find.isDone) find.step();
          const expected = strings.map((each) => each.split(wanted).length - 1);
          const counts = strings.map((_, at) => find.nodes.filter((node) => node === at + 1).length);
          expect(counts).toEqual(expected);
          for (const [hit, place] of find.matches.entries())
            expect(decodeString(`"${index.text.slice(place, place + (find.lengths[hit] ?? 0))}"`)).toBe(wanted);
        }
      }),
    );
  });
});
