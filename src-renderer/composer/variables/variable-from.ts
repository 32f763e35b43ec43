import { parseJson } from '../../../src-preload/json-spans.ts';
import { maxNameChars, placeholdersIn } from './placeholders.ts';
import type { Variable } from './variable.ts';

/** A new placeholder, and the first value of its variable: the text that it replaces. */
interface NewVariable {
  name: string;
  /** The text that is put into the input. */
  text: string;
  one: string;
}

/**
 * A variable that replaces the selection in an input, named after the key before it. Without a selection it has no
 * value yet. Pure.
 */
export function variableFrom(selected: string, before: string, variables: readonly Variable[]): NewVariable {
  const taken = new Set([...variables.map(({ name }) => name), ...placeholdersIn(before).map(({ name }) => name)]);
  const name = freeName(keyBefore(before), taken);
  const placeholder = `{{${name}}}`;
  const value: unknown = parseJson(selected);
  if (selected.trim() === '') return { name, text: `${placeholder}${selected}`, one: '' };
  // A whole value outside a string stays a value. A part of a string is text.
  const one = typeof value === 'string' ? value : selected;
  return { name, text: typeof value === 'string' ? JSON.stringify(placeholder) : placeholder, one };
}

/** The last key before the cursor: `seed` in `{"seed": `. */
function keyBefore(before: string): string {
  const keys = [...before.slice(-2_000).matchAll(/"([^"\\\n]{1,200})"\s*:/g)];
  return keys.at(-1)?.[1] ?? 'value';
}

function freeName(key: string, taken: ReadonlySet<string>): string {
  const plain = key
    .replaceAll(/[^\w-]+/g, '_')
    .replace(/^[^A-Za-z_]+/, '')
    .slice(0, maxNameChars - 4);
  const first = plain === '' ? 'value' : plain;
  let name = first;
  for (let count = 2; taken.has(name); count += 1) name = `${first}_${count}`;
  return name;
}
