import { updatableFields, type UpdatableField } from '../../src-preload/template.ts';

/** The field that a refusal of the service names, so that it is shown there. Null if it names none or several. */
export function fieldNamedIn(text: string): UpdatableField | null {
  const named = updatableFields.filter((field) => new RegExp(`(?<![\\w.])${field}(?!\\w)`).test(text));
  return named.length === 1 ? (named[0] ?? null) : null;
}
