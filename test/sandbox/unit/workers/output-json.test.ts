import { describe, expect, it } from 'vitest';
import { asJson, lostInJson } from '../../../../src-main/sandbox/workers/output-json.ts';

const jsonOf = (value: unknown): string => asJson(value, 'What the handler returned', () => JSON.stringify(value));

function circular(): unknown {
  const node: Record<string, unknown> = { name: 'a' };
  node['children'] = [{ parent: node }];
  return { tree: node };
}

/** As deep as a body of 200 KB can be. */
function deep(): unknown {
  let value: unknown = [];
  for (let depth = 0; depth < 100_000; depth += 1) value = [value];
  return value;
}

describe('asJson', () => {
  it('returns what JSON.stringify returns', () => {
    const shared = { n: 1 };
    expect(jsonOf({ a: shared, b: shared, at: new Date(0) })).toBe(
      '{"a":{"n":1},"b":{"n":1},"at":"1970-01-01T00:00:00.000Z"}',
    );
  });

  it.each([
    ['a BigInt', 12n, 'output is a BigInt (12n); send it as a string or a number.'],
    [
      'a BigInt inside',
      { items: [1, { 'the id': 12n }] },
      'output.items[1]["the id"] is a BigInt (12n); send it as a string or a number.',
    ],
    [
      'a circle',
      circular(),
      'output.tree.children[0].parent is output.tree again, and so without end; leave one of them out.',
    ],
    ['endless depth', deep(), 'it is nested too deeply.'],
  ])('names the place and the kind: %s', (_name, value, reason) => {
    expect(() => jsonOf(value)).toThrow(new TypeError(`What the handler returned cannot be sent as JSON: ${reason}`));
  });

  it.each([
    [
      'toJSON',
      {
        when: {
          toJSON: () => {
            throw new RangeError('not today');
          },
        },
      },
    ],
    [
      'getter',
      {
        get when(): never {
          throw new RangeError('not today');
        },
      },
    ],
  ])('passes on the error of a %s that throws', (_name, value) => {
    expect(() => jsonOf(value)).toThrow(
      new TypeError('What the handler returned cannot be sent as JSON: not today.', {
        cause: new RangeError('not today'),
      }),
    );
  });

  it('does not treat a function as absent', () => {
    expect(() => jsonOf(() => 1)).toThrow(
      new TypeError('What the handler returned is a function, which cannot be sent as JSON.'),
    );
  });
});

describe('lostInJson', () => {
  const lost = (value: unknown): string | null => lostInJson(value, JSON.stringify(value));

  it('finds an object of the web, which JSON empties', () => {
    expect(lost({ reply: new Response('a') })).toBe(
      'output.reply is a Response, which JSON cannot hold: it was sent as {}',
    );
  });

  it('says nothing of an object of the author’s own class with the tag of one, because its members are sent', () => {
    class OwnResponse {
      readonly text = 'a';
      get [Symbol.toStringTag](): string {
        return 'Response';
      }
    }
    const value = { reply: new OwnResponse() };
    expect(JSON.stringify(value)).toBe('{"reply":{"text":"a"}}');
    expect(lost(value)).toBeNull();
  });
});
