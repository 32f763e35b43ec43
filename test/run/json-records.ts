import { isJsonObject } from '../../src-preload/json-spans.ts';

/** The objects of a list in a value from JSON: of a runner's report, what is in `key`. Empty if there is no such list. */
export function recordsIn(value: unknown, key: string): Record<string, unknown>[] {
  const list = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
