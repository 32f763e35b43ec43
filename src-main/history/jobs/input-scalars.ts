import { parseJson } from '../../../src-preload/json-spans.ts';

/** A value of JSON that has no parts. */
export type Scalar = string | number | boolean | null;

/** Objects are read down to this depth. */
const deepest = 3;

/**
 * The scalars of a job's input with their paths (`steps`, `sampling.max_tokens`), those nearest to the top first. Lists
 * are left out. `inputText` is JSON; any other text has none.
 */
export function* scalarsOf(inputText: string): Generator<[path: string, value: Scalar], undefined> {
  for (const [path, value] of valuesOf(inputText)) if (isScalar(value)) yield [path, value];
}

/** As `scalarsOf`, with the objects and lists too, but without what is in lists. */
export function* valuesOf(inputText: string): Generator<[path: string, value: unknown], undefined> {
  let level: { path: string; value: object }[] = [];
  const root = parseJson(inputText);
  if (isObject(root)) level.push({ path: '', value: root });
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { path, value } of level)
      for (const [name, inner] of Object.entries(value)) {
        const innerPath = path === '' ? name : `${path}.${name}`;
        yield [innerPath, inner];
        if (isObject(inner)) next.push({ path: innerPath, value: inner });
      }
    level = next;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
