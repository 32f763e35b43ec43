import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { z } from 'zod';
import { calls } from '../../../../src-preload/contract.ts';
import type { CallName } from '../../../../src-preload/contract.ts';

/** As main receives it: by structured clone, which carries cycles, NaN and own `__proto__`, and refuses the rest. */
export function crossed(value: unknown): unknown {
  const arrived: unknown = deserialize(serialize(value));
  return arrived;
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

function cyclic(): unknown {
  const loop: Record<string, unknown> = { key: 'x' };
  loop['self'] = loop;
  loop['connectionId'] = loop;
  return loop;
}

function cyclicList(): unknown {
  const loop: unknown[] = [];
  loop.push(loop, loop);
  return loop;
}

/** Creates an input. A function, so that a failure report need not walk the input, which may be deep or endless. */
export type Making = () => unknown;

/** Values that no call expects, or only by accident. Each is created again for every use. */
const makers: readonly Making[] = [
  () => NaN,
  () => -0,
  () => Infinity,
  () => -1,
  () => 1.5,
  () => 1e308,
  () => 2 ** 53,
  () => 12n,
  () => null,
  () => undefined,
  () => true,
  () => '',
  () => ' ',
  () => '\uD800',
  () => 'a\uDFFFb',
  () => '\0',
  () => '__proto__',
  () => 'constructor',
  () => 'toString',
  () => '../../../../etc/passwd',
  () => "x' OR 1=1; DROP TABLE jobs; --",
  () => '<img src=x onerror=alert(1)>',
  () => 'x'.repeat(200_000),
  () => '\u202Egnp.exe',
  () => new Date(NaN),
  () => /(a+)+$/,
  () => new Map([['key', 'x']]),
  () => new Set(['x']),
  () => new Error('an error as an input'),
  () => new Uint8Array(1_000),
  () => new ArrayBuffer(8),
  () => Array.from({ length: 50_000 }, () => 'x'),
  () => Array(4),
  () => [],
  () => ({}),
  () => JSON.parse('{"__proto__": {"isOurs": true}, "constructor": {"prototype": {"isOurs": true}}}') as unknown,
  // Neither can be converted to a string.
  () => ({ toString: 1, valueOf: 1 }),
  () => ({ length: -1, 0: 'x' }),
  cyclic,
  cyclicList,
  () => nested(800, (inner) => [inner]),
  () => nested(400, (inner) => ({ draft: inner, filter: inner })),
  () => nested(12, (inner) => [inner, inner, inner]),
];

/** Creates a value that no call expects. */
export const hostileValue: fc.Arbitrary<Making> = fc.constantFrom(...makers);

interface Shape {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape | boolean;
  anyOf?: Shape[];
  oneOf?: Shape[];
  minItems?: number;
  minLength?: number;
  minimum?: number;
  additionalProperties?: Shape | boolean;
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null;
}

/** Inputs of the form `shape`, with `names` as its strings. */
function likely(shape: Shape, names: readonly string[]): fc.Arbitrary<unknown> {
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
  const either = shape.anyOf ?? shape.oneOf;
  if (either !== undefined) return fc.oneof(...either.map((one) => likely(one, names)));
  if (Array.isArray(shape.type)) return fc.oneof(...shape.type.map((type) => likely({ ...shape, type }, names)));
  switch (shape.type) {
    case 'object': {
      const fields = Object.entries(shape.properties ?? {}).map(
        ([name, field]) => [name, likely(field, names)] as const,
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: shape.required ?? [] });
    }
    case 'array':
      return fc.array(isShape(shape.items) ? likely(shape.items, names) : fc.constantFrom(...names), {
        minLength: shape.minItems ?? 0,
        maxLength: 3,
      });
    case 'string':
      return fc.constantFrom(...names);
    case 'integer':
    case 'number': {
      const min = Math.ceil(Math.max(shape.minimum ?? 0, 0));
      return fc.integer({ min: min, max: min + 3 });
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      // What JSON cannot express: undefined, or bytes.
      return fc.constantFrom(undefined, new Uint8Array(3));
  }
}

/** Every place of a value that can be replaced, including the whole value. */
function placesOf(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => placesOf(inner, [...at, name]))];
}

function replaced(value: unknown, at: readonly string[], by: unknown): unknown {
  const [name, ...rest] = at;
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => (String(index) === name ? replaced(inner, rest, by) : inner));
  if (typeof value !== 'object' || value === null) return by;
  const inner: unknown = Reflect.get(value, name);
  return { ...value, [name]: replaced(inner, rest, by) };
}

/** Inputs of a call that are valid except at one place, and sometimes completely. */
export function nearlyRight(name: CallName, names: readonly string[]): fc.Arbitrary<Making> {
  const shape: unknown = z.toJSONSchema(calls[name].input, { io: 'input', unrepresentable: 'any' });
  if (!isShape(shape)) throw new Error(`${name} has no shape.`);
  return likely(shape, names).chain((right) =>
    // Of a large input hardly any would be left as it is, were that one place among all.
    fc
      .tuple(fc.oneof({ arbitrary: fc.constantFrom(...placesOf(right)), weight: 4 }, fc.constant(null)), hostileValue)
      .map(
        ([at, by]) =>
          () =>
            at === null ? right : replaced(right, at, by()),
      ),
  );
}

/**
 * `input` without the fields of it that the contract of `name` refuses. A call of many optional fields, each with
 * limits of its own, would hardly ever be valid as a whole.
 */
export function withoutRefusedFields(name: CallName, input: unknown): unknown {
  const checked = calls[name].input.safeParse(input);
  if (checked.success || typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const refused = new Set(checked.error.issues.map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(input).filter(([field]) => !refused.has(field)));
}
