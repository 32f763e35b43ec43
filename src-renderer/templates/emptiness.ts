import type { Emptiness } from '../messages/templates/form.tsx';

/** Why the form shows no value. Null for a value. Absent, null and empty are different. */
export function emptinessOf(value: unknown): Emptiness | null {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  return value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : null;
}
