import { isError } from './stack-text.ts';

/** The step from an object to one of its members, as it is written in code. */
function memberStep(key: string, isIndex: boolean): string {
  if (isIndex) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/**
 * Finds what JSON cannot represent in a value: a clause that says where it is and what, or null. `above`: the values
 * that it is in. What is found is final, so they are not removed then.
 */
function findUnfit(value: unknown, path: string, above: Map<object, string>): string | null {
  if (typeof value === 'bigint') return `${path} is a BigInt (${value}n); send it as a string or a number`;
  if (typeof value !== 'object' || value === null) return null;
  const abovePath = above.get(value);
  if (abovePath !== undefined) return `${path} is ${abovePath} again, and so without end; leave one of them out`;
  // It decides its JSON form itself. If that fails, its own error is the best explanation.
  if ('toJSON' in value && typeof value.toJSON === 'function') return null;
  above.set(value, path);
  for (const [key, member] of Object.entries(value)) {
    const unfit = findUnfit(member, `${path}${memberStep(key, Array.isArray(value))}`, above);
    if (unfit !== null) return unfit;
  }
  above.delete(value);
  return null;
}

const STACK_OVERFLOW = /call stack/;

/** The error for a value that cannot be JSON because of `cause`. What is found in the value itself needs no cause. */
function notJson(what: string, value: unknown, cause: unknown): TypeError {
  const begin = `${what} cannot be sent as JSON:`;
  try {
    const unfit = findUnfit(value, 'output', new Map());
    if (unfit !== null) return new TypeError(`${begin} ${unfit}.`);
  } catch {
    // Too deep to be searched, or a getter that throws: the cause has to explain it.
  }
  if (cause instanceof RangeError && STACK_OVERFLOW.test(cause.message))
    return new TypeError(`${begin} it is nested too deeply.`, { cause });
  return new TypeError(`${begin} ${isError(cause) ? cause.message : String(cause)}.`, { cause });
}

/** A value that its handler has already made JSON of, which is sent as it is: no number is rounded. */
export class JsonText {
  readonly json: string;

  /** `json` is valid. */
  constructor(json: string) {
    this.json = json;
  }
}

/** As JSON.stringify: undefined for what JSON does not have. */
export function jsonOf(value: unknown): string | undefined {
  return value instanceof JsonText ? value.json : JSON.stringify(value);
}

/**
 * Makes JSON of a handler's value with `stringify`. Throws a `TypeError` with a sentence that says which `value` it is
 * (`what`: "What the handler returned"), where in it the problem is, and what it is.
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

/** What JSON writes as an empty object. */
const EMPTIED = [Map, Set, WeakMap, WeakSet, Error, Promise, RegExp, ArrayBuffer, SharedArrayBuffer] as const;

/** The same, by their tags: naming a class of these loads all of fetch, which takes 20 ms at each worker's start. */
const EMPTIED_OF_THE_WEB: ReadonlySet<unknown> = new Set([
  'Blob',
  'File',
  'FormData',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'URLSearchParams',
]);

/** The name of the class whose values JSON writes as an empty object, if `value` is one of them. */
function emptiedName(value: unknown): string | undefined {
  const named = EMPTIED.find((type) => value instanceof type)?.name;
  if (named !== undefined || typeof value !== 'object' || value === null) return named;
  const tag: unknown = Reflect.get(value, Symbol.toStringTag);
  // An object of the author's own class with such a tag is sent with its members.
  return typeof tag === 'string' && EMPTIED_OF_THE_WEB.has(tag) && Object.keys(value).length === 0 ? tag : undefined;
}

function withArticle(name: string): string {
  return `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** What `value` is if JSON cannot represent it, and what became of it. Null if nothing is lost. */
function lossOf(value: unknown, isListed: boolean): { what: string; fate: string } | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return { what: String(value), fate: 'sent as null' };
  if (typeof value === 'function' || typeof value === 'symbol')
    return { what: `a ${typeof value}`, fate: isListed ? 'sent as null' : 'left out' };
  if (Buffer.isBuffer(value)) return { what: 'a Buffer', fate: 'sent as a list of numbers; send text or base64' };
  if (ArrayBuffer.isView(value))
    return { what: withArticle(value.constructor.name), fate: 'sent as numbered members; send a list or base64' };
  const emptied = emptiedName(value);
  return emptied === undefined ? null : { what: withArticle(emptied), fate: 'sent as {}' };
}

/** How many values are searched for what leaves no trace in the JSON. */
const SEARCHED_MAX = 10_000;

function findLoss(value: unknown, path: string, isListed: boolean, left: { count: number }): string | null {
  left.count -= 1;
  if (left.count < 0) return null;
  const loss = lossOf(value, isListed);
  if (loss !== null) return `${path} is ${loss.what}, which JSON cannot hold: it was ${loss.fate}`;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return null;
  for (const [key, member] of Object.entries(value)) {
    const isList = Array.isArray(value);
    const found = findLoss(member, `${path}${memberStep(key, isList)}`, isList, left);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Finds what JSON has silently changed: a clause that says where in the value it is, and what, or null. `json`: the
 * JSON of the value. A large value is searched to its end only if the JSON has a trace of such a change.
 */
export function lostInJson(value: unknown, json: string): string | null {
  const hasTrace = json.includes('null') || json.includes('{}');
  try {
    return findLoss(value, 'output', false, { count: hasTrace ? Infinity : SEARCHED_MAX });
  } catch {
    // Too deep to be searched, or a getter that throws the second time: a hint must not fail the job.
    return null;
  }
}

/** A place to cut a text, at most `at`, that is not inside a surrogate pair. */
function cutPoint(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  const isInsidePair = at < text.length && unit >= 0xd800 && unit <= 0xdbff;
  return isInsidePair && at > 1 ? at - 1 : at;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Cuts a text so that each piece, as a JSON string, has at most `maxBytes` (14 or more: one escaped pair). */
function cutText(text: string, maxBytes: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > 0) {
    let length = cutPoint(rest, Math.min(rest.length, maxBytes));
    for (let bytes = jsonBytes(rest.slice(0, length)); bytes > maxBytes; bytes = jsonBytes(rest.slice(0, length))) {
      // Escapes make the bytes per character uneven, so it shrinks in proportion, and a little further.
      length = Math.max(1, cutPoint(rest, Math.floor((length * maxBytes * 0.98) / bytes)));
    }
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return pieces;
}

function isTextOutput(output: unknown): output is { text: string[] } {
  return (
    typeof output === 'object' &&
    output !== null &&
    'text' in output &&
    Array.isArray(output.text) &&
    output.text.every((entry) => typeof entry === 'string')
  );
}

/**
 * One streamed output as JSON texts of at most `maxBytes` each (spec: Queue operations, stream; larger output is
 * split). A string is cut into strings, a text generator's `{text: [...]}` into several of the same form; anything else
 * into pieces of its JSON text. `undefined` becomes null.
 */
export function splitOutput(output: unknown, maxBytes: number): string[] {
  const json = jsonOf(output) ?? 'null';
  // A JSON text has at most 3 bytes per UTF-16 unit. Most outputs are small and need no counting.
  if (json.length * 3 <= maxBytes || Buffer.byteLength(json) <= maxBytes) return [json];
  if (output instanceof JsonText) return splitOutput(JSON.parse(json), maxBytes);
  if (typeof output === 'string') return cutText(output, maxBytes).map((piece) => JSON.stringify(piece));
  if (isTextOutput(output)) {
    const room = maxBytes - jsonBytes({ ...output, text: [''] });
    if (room > maxBytes / 2) {
      return output.text
        .flatMap((entry) => cutText(entry, room))
        .map((piece) => JSON.stringify({ ...output, text: [piece] }));
    }
  }
  return cutText(json, maxBytes).map((piece) => JSON.stringify(piece));
}
