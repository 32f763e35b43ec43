import type { Dice } from './dice.ts';

/**
 * JSON texts written by hand, because an object cannot hold everything that a client can send: repeated keys, numbers
 * beyond any double, lone surrogates, `__proto__`.
 */

/** A value that the service hardly ever expects. */
export function oddValue(dice: Dice): string {
  switch (dice.between(0, 11)) {
    case 0:
      return dice.pick(['null', 'true', 'false', '""', '[]', '{}', '[null]', '[[]]', '{"":null}']);
    case 1:
      return dice.pick([
        '-1',
        '0',
        '-0',
        '0.5',
        '1e3',
        '4999',
        '9999',
        '604800001',
        '9007199254740993',
        '1e21',
        '1e308',
        '1e999',
        '-1e999',
        '5e-324',
      ]);
    case 2:
      return '9'.repeat(dice.between(20, 2_000));
    case 3:
      return dice.pick([
        '"\\ud800"',
        '"\\udc00\\ud800"',
        '"\\u0000"',
        '"\\u2028"',
        '"\\ud83d\\ude00"',
        '"\\uffff"',
        '"\\r\\nx: y"',
        '"‮"',
      ]);
    case 4:
      return dice.pick([
        '"NaN"',
        '"10000"',
        '"true"',
        '"null"',
        '"[object Object]"',
        '"__proto__"',
        '"../../etc"',
        '"<script>"',
        '"%s%n"',
      ]);
    case 5:
      return dice.pick([
        '{"__proto__":{"isAdmin":true}}',
        '{"constructor":{"prototype":{"x":1}}}',
        '{"toJSON":1,"then":1,"length":-1}',
        '{"hasOwnProperty":1,"toString":null}',
      ]);
    case 6:
      return nested(dice, dice.pick([10, 200, 3_000]));
    case 7:
      return dice.chance(0.2) ? nested(dice, 60_000) : nested(dice, 12_000);
    case 8:
      return JSON.stringify(dice.word(dice.pick([1, 100, 5_000])));
    case 9:
      return `[${Array.from({ length: dice.between(2, 6) }, () => oddLeaf(dice)).join(',')}]`;
    case 10:
      return JSON.stringify(
        dice.pick([
          'http://',
          'https://a b',
          'ftp://a/b',
          'javascript:1',
          'file:///etc/passwd',
          'http://127.0.0.1:1/x',
          '//x',
          'http://[::1',
          'http://x:99999',
        ]),
      );
    default:
      return oddLeaf(dice);
  }
}

function oddLeaf(dice: Dice): string {
  return dice.pick(['0', '-1', '"x"', 'null', '1e400', 'true', '{}', '""']);
}

function nested(dice: Dice, depth: number): string {
  return dice.chance(0.5)
    ? `${'['.repeat(depth)}1${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** Fields by name, each already as JSON text. */
export type Fields = readonly (readonly [name: string, valueText: string])[];

/**
 * An object of these fields, each of them omitted, repeated, renamed or given an unexpected value with the probability
 * `oddness`.
 */
export function objectText(dice: Dice, fields: Fields, oddness: number): string {
  const parts: string[] = [];
  for (const [name, valueText] of fields) {
    const isOdd = dice.chance(oddness);
    const how = isOdd ? dice.between(0, 5) : -1;
    if (how === 0) continue;
    const value = how >= 3 ? oddValue(dice) : valueText;
    parts.push(`${JSON.stringify(how === 1 ? `${name}${dice.word(2)}` : name)}:${value}`);
    if (how === 2) parts.push(`${JSON.stringify(name)}:${oddValue(dice)}`);
  }
  if (dice.chance(oddness / 2))
    parts.push(
      `${dice.pick(['"__proto__"', '"constructor"', '"id"', '"signal"', '"progress"', '""', '"extra"'])}:${oddValue(dice)}`,
    );
  if (dice.chance(oddness / 4)) parts.reverse();
  return `{${parts.join(',')}}`;
}

/** The bytes of a body, or what a careless or broken client makes of them. */
export function bodyBytes(dice: Dice, text: string, oddness: number): Buffer {
  const bytes = Buffer.from(text);
  if (!dice.chance(oddness)) return bytes;
  switch (dice.between(0, 10)) {
    case 0:
      return bytes.subarray(0, dice.between(0, bytes.length));
    case 1:
      return Buffer.concat([bytes, Buffer.from(dice.pick([',', '}', '\0', ' x', '{}', '\n\n']))]);
    case 2:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 3:
      return Buffer.from(text, 'utf16le');
    case 4: {
      const at = dice.between(0, bytes.length);
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(dice.pick(['ff', 'c0af', 'eda080', 'f8888080', '80', 'e2', '00', '0d0a']), 'hex'),
        bytes.subarray(at),
      ]);
    }
    case 5:
      return Buffer.alloc(0);
    case 6:
      return Buffer.from(
        dice.pick([
          'null',
          '[]',
          '"x"',
          '1',
          'undefined',
          'NaN',
          "{'input':{}}",
          'input=1&x=2',
          '<input/>',
          '{"input":{},}',
          '// x\n{}',
        ]),
      );
    case 7:
      return Buffer.from(oddValue(dice));
    case 8:
      return dice.bytes(dice.between(1, 200));
    case 9: {
      const copy = Buffer.from(bytes);
      for (let flips = dice.between(1, 4); flips > 0 && copy.length > 0; flips -= 1)
        copy[dice.between(0, copy.length - 1)] = dice.between(0, 255);
      return copy;
    }
    default:
      return Buffer.from(`${' '.repeat(dice.between(1, 3_000))}${text}`);
  }
}
