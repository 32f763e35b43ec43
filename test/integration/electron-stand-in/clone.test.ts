import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deserialize, serialize } from 'node:v8';
import { clone, fromPage, toPage } from '../../electron-stand-in/clone.ts';

const overTheWire = (value: unknown): unknown => fromPage(JSON.parse(JSON.stringify(toPage(value))));

describe('the wire between page and main', () => {
  it('carries whatever structured clone carries, unchanged', () => {
    const leaf = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: false,
      withObjectString: false,
      withNullPrototype: false,
      withBoxedValues: false,
    });
    fc.assert(
      fc.property(leaf, (value) => {
        let expected: unknown;
        try {
          expected = deserialize(serialize(value));
        } catch {
          expect(() => toPage(value)).toThrow('An object could not be cloned.');
          return;
        }
        expect(overTheWire(value)).toStrictEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps cycles and shared objects', () => {
    const shared = { name: 'shared' };
    const value: Record<string, unknown> = { first: shared, second: shared };
    value['self'] = value;
    const got = overTheWire(value) as typeof value;
    expect(got['self']).toBe(got);
    expect(got['first']).toBe(got['second']);
    expect(got['first']).toEqual({ name: 'shared' });
  });

  it('keeps a key named __proto__ a plain key', () => {
    const got = overTheWire(JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(Object.keys(got as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('carries depth that a recursive walk could not', () => {
    let value: unknown = 'bottom';
    for (let depth = 0; depth < 2_000; depth += 1) value = [value];
    let got = overTheWire(value);
    for (let depth = 0; depth < 2_000; depth += 1) [got] = got as unknown[];
    expect(got).toBe('bottom');
  });

  it.each([
    ['a function', () => {}],
    ['a symbol', Symbol('x')],
    ['a promise', Promise.resolve()],
    ['a function within', { a: [() => {}] }],
  ])('refuses %s in Electron’s words', (_name, value) => {
    expect(() => clone(value)).toThrow('An object could not be cloned.');
  });
});
