import { isError } from './stack-text.ts';

/** The step from an object to one of its members, as one writes it. */
export function memberStep(key: string, isIndex: boolean): string {
  if (isIndex) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** Finds what keeps a value from being JSON: a clause that says where it is and what; null when it is none of these. */
function findUnfit(value: unknown, path: string, above: ReadonlyMap<object, string>): string | null {
  if (typeof value === 'bigint') return `${path} is a BigInt (${value}n); send it as a string or a number`;
  if (typeof value !== 'object' || value === null) return null;
  const abovePath = above.get(value);
  if (abovePath !== undefined) return `${path} is ${abovePath} again, and so without end; leave one of them out`;
  // It decides itself what becomes of it; if it fails, its own error says best what it lacks.
  if ('toJSON' in value && typeof value.toJSON === 'function') return null;
  const inside = new Map([...above, [value, path]]);
  for (const [key, member] of Object.entries(value)) {
    const unfit = findUnfit(member, `${path}${memberStep(key, Array.isArray(value))}`, inside);
    if (unfit !== null) return unfit;
  }
  return null;
}

/** The error for a value that `cause` kept from being JSON. What is found in the value itself needs no cause told. */
function notJson(what: string, value: unknown, cause: unknown): TypeError {
  const begin = `${what} cannot be sent as JSON:`;
  try {
    const unfit = findUnfit(value, 'output', new Map());
    if (unfit !== null) return new TypeError(`${begin} ${unfit}.`);
  } catch {
    // Too deep to be searched, or a getter that throws: the cause has to say it.
  }
  return new TypeError(`${begin} ${isError(cause) ? cause.message : String(cause)}.`, { cause });
}

/**
 * Makes JSON of what a handler gave, by `stringify`. Throws a `TypeError` with a sentence that says
 * which `value` it is (`what`: "What the handler returned"), where in it the trouble is, and what
 * the trouble is.
 */
export function asJson<T>(value: unknown, what: string, stringify: () => T): T {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${what} is a ${typeof value}, which cannot be sent as JSON.`);
  try {
    return stringify();
  } catch (error) {
    throw notJson(what, value, error);
  }
}
