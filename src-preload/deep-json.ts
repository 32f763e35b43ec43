/**
 * Values from JSON that is nested deeper than a call stack: a service may send a hundred thousand levels in 200 KB
 * (ruling 43). JSON.parse can read them; JSON.stringify and structured cloning between threads and windows cannot.
 */

/** A value with no more levels can be cloned and written by any function. */
const levelsCopied = 64;

/** Whether a value is nested too deep to be cloned between threads and windows. */
export function isTooDeepToCopy(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < levelsCopied; depth += 1) {
    const inner: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const member of Object.values(each)) if (typeof member === 'object' && member !== null) inner.push(member);
    }
    if (inner.length === 0) return false;
    level = inner;
  }
  return true;
}

/** The fields. Those that are nested too deep to be cloned are replaced by their JSON text. */
export function copiable(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isTooDeepToCopy(value) ? jsonText(value) : value]),
  );
}

/** An array or object that is being written, and the position in it. */
interface Open {
  names: readonly string[] | null;
  values: readonly unknown[];
  at: number;
}

/** The same text as JSON.stringify for a value from JSON, at any depth. */
export function jsonText(root: unknown): string {
  const out: string[] = [];
  const open: Open[] = [];
  const write = (value: unknown): void => {
    if (Array.isArray(value)) {
      out.push('[');
      open.push({ names: null, values: value, at: 0 });
    } else if (typeof value === 'object' && value !== null) {
      out.push('{');
      open.push({ names: Object.keys(value), values: Object.values(value), at: 0 });
    } else out.push(JSON.stringify(value) ?? 'null');
  };
  write(root);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { names, values, at } = top;
    if (at === values.length) {
      out.push(names === null ? ']' : '}');
      open.pop();
      continue;
    }
    if (at > 0) out.push(',');
    const name = names?.[at];
    if (name !== undefined) out.push(JSON.stringify(name), ':');
    top.at += 1;
    write(values[at]);
  }
  return out.join('');
}
