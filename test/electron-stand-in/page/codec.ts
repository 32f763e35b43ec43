/**
 * A value as text-safe JSON: `root` and `heap` entries refer to heap objects by index, so cycles and shared objects are
 * preserved.
 */
export interface Encoded {
  root: Node;
  heap: HeapEntry[];
}
/**
 * A JSON primitive unchanged, or a tagged array for what JSON cannot express. `['r', n]` is a reference into the heap.
 */
type Node = string | number | boolean | null | ['u'] | ['n', string] | ['b', string] | ['r', number];
type HeapEntry =
  | ['O', string[], Node[]]
  | ['A', Node[]]
  | ['D', number | null]
  | ['R', string, string]
  | ['M', Node[], Node[]]
  | ['S', Node[]]
  | ['E', string, string, string | null]
  | ['X', Node]
  | ['B', string]
  | ['V', string, Node, number, number];

export interface Base64 {
  encode(bytes: Uint8Array): string;
  decode(text: string): Uint8Array<ArrayBuffer>;
}

export interface Codec {
  encode(value: unknown): Encoded;
  decode(encoded: Encoded): unknown;
}

/**
 * Encodes as JSON what the structured clone algorithm supports (Date, Map, Set, BigInt, Error, buffers, undefined,
 * cycles). Expects values that went through structured clone already. Runs in Node and, as source text, in the page, so
 * it must not use anything outside itself.
 */
export function createCodec(base64: Base64): Codec {
  const refusal = 'An object could not be cloned.';
  const viewTypes: Record<string, new (buffer: ArrayBuffer, offset: number, length: number) => ArrayBufferView> = {
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
    DataView,
  };
  const errorTypes: Record<string, new (message?: string) => Error> = {
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  };

  const encode = (value: unknown): Encoded => {
    const heap: HeapEntry[] = [];
    const seen = new Map<object, number>();
    const queue: object[] = [];

    const node = (one: unknown): Node => {
      switch (typeof one) {
        case 'string':
        case 'boolean':
          return one;
        case 'number':
          return Number.isFinite(one) && !Object.is(one, -0) ? one : ['n', Object.is(one, -0) ? '-0' : String(one)];
        case 'undefined':
          return ['u'];
        case 'bigint':
          return ['b', String(one)];
        case 'object': {
          if (one === null) return null;
          const known = seen.get(one);
          if (known !== undefined) return ['r', known];
          const index = seen.size;
          seen.set(one, index);
          queue.push(one);
          return ['r', index];
        }
        case 'function':
        case 'symbol':
          throw new Error(refusal);
      }
    };

    const entry = (one: object): HeapEntry => {
      if (Array.isArray(one)) return ['A', Array.from(one, node)];
      if (one instanceof Date) return ['D', Number.isNaN(one.getTime()) ? null : one.getTime()];
      if (one instanceof RegExp) return ['R', one.source, one.flags];
      if (one instanceof Map) return ['M', [...one.keys()].map(node), [...one.values()].map(node)];
      if (one instanceof Set) return ['S', [...one].map(node)];
      if (one instanceof Error) return ['E', one.name, one.message, one.stack ?? null];
      if (['[object Boolean]', '[object Number]', '[object String]'].includes(Object.prototype.toString.call(one)))
        return ['X', node(one.valueOf())];
      if (one instanceof ArrayBuffer) return ['B', base64.encode(new Uint8Array(one))];
      if (ArrayBuffer.isView(one)) {
        const type = Object.keys(viewTypes).find((name) => Object.prototype.toString.call(one) === `[object ${name}]`);
        if (type === undefined) throw new Error(refusal);
        const size =
          'BYTES_PER_ELEMENT' in one && typeof one.BYTES_PER_ELEMENT === 'number' ? one.BYTES_PER_ELEMENT : 1;
        return ['V', type, node(one.buffer), one.byteOffset, one.byteLength / size];
      }
      const kind = Object.prototype.toString.call(one);
      if (kind !== '[object Object]') throw new Error(refusal);
      return ['O', Object.keys(one), Object.values(one).map(node)];
    };

    const root = node(value);
    for (let next = 0; next < queue.length; next += 1) {
      const one = queue[next];
      if (one !== undefined) heap.push(entry(one));
    }
    return { root, heap };
  };

  const decode = ({ root, heap }: Encoded): unknown => {
    const made: unknown[] = [];
    const scalar = (one: Node): unknown => {
      if (!Array.isArray(one)) return one;
      if (one[0] === 'u') return undefined;
      if (one[0] === 'b') return BigInt(one[1]);
      if (one[0] === 'r') return made[one[1]];
      return Number(one[1]);
    };
    // First every object, empty. Then their contents, which may refer to any of them.
    for (const one of heap) {
      if (one[0] === 'O') made.push({});
      else if (one[0] === 'A') made.push([]);
      else if (one[0] === 'D') made.push(new Date(one[1] ?? Number.NaN));
      else if (one[0] === 'R') made.push(new RegExp(one[1], one[2]));
      else if (one[0] === 'M') made.push(new Map());
      else if (one[0] === 'S') made.push(new Set());
      else if (one[0] === 'X') made.push(Object(scalar(one[1])));
      else if (one[0] === 'B') made.push(base64.decode(one[1]).buffer);
      else if (one[0] === 'V') made.push(null);
      else {
        const error = new (errorTypes[one[1]] ?? Error)(one[2]);
        if (one[3] !== null) error.stack = one[3];
        made.push(error);
      }
    }
    heap.forEach((one, index) => {
      if (one[0] !== 'V') return;
      const type = viewTypes[one[1]];
      const buffer = scalar(one[2]);
      if (type === undefined || !(buffer instanceof ArrayBuffer)) throw new Error(refusal);
      made[index] = new type(buffer, one[3], one[4]);
    });
    heap.forEach((one, index) => {
      const target = made[index];
      if (one[0] === 'O' && typeof target === 'object' && target !== null) {
        // Defined and not assigned, because a key named __proto__ must stay a plain key.
        one[1].forEach((key, at) =>
          Object.defineProperty(target, key, {
            value: scalar(one[2][at] ?? null),
            writable: true,
            enumerable: true,
            configurable: true,
          }),
        );
      } else if (one[0] === 'A' && Array.isArray(target)) for (const item of one[1]) target.push(scalar(item));
      else if (one[0] === 'M' && target instanceof Map)
        one[1].forEach((key, at) => target.set(scalar(key), scalar(one[2][at] ?? null)));
      else if (one[0] === 'S' && target instanceof Set) for (const item of one[1]) target.add(scalar(item));
    });
    return scalar(root);
  };

  return { encode, decode };
}
