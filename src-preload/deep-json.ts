/**
 * Values made of JSON that nest deeper than a call stack: a service may send a hundred thousand levels in 200 KB
 * (ruling 43). JSON.parse takes them; JSON.stringify and the copying between threads and windows do not.
 */

/** A value that nests no deeper is copied and written out by anything. */
const levelsCopied = 64;

/** Whether a value nests deeper than may be copied between threads and windows. */
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

/** The fields, those that nest too deep to be copied as their JSON text. */
export function copiable(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isTooDeepToCopy(value) ? jsonText(value) : value]),
  );
}

/** One array or object being written, and how far. */
interface Open {
  names: readonly string[] | null;
  values: readonly unknown[];
  at: number;
}

/** What JSON.stringify says of a value made of JSON, at any depth. */
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
