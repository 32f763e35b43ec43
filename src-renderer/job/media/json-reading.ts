import { parseJson } from '../../../src-preload/json-spans.ts';
import { JsonTokens } from '../../../src-preload/json-tokens.ts';
import type { Steps } from '../../stream/use-steps.ts';

/** Up to this size JSON.parse takes a few milliseconds. */
const parsedAtOnceChars = 262_144;
const tokensAStep = 500;

/** Of more values only the first are read: millions would make every garbage collection stop the window. */
const maxValues = 200_000;

export interface ReadJson {
  /** Undefined if the text is not JSON, as far as it was read. */
  value: unknown;
  /** False if there is more than was read. Open arrays and objects then end there. */
  isWhole: boolean;
}

/** Parses JSON of any size and depth in small steps. */
export function* readJson(text: string): Steps<ReadJson> {
  if (text.length <= parsedAtOnceChars) return { value: parseJson(text), isWhole: true };
  const tokens = new JsonTokens(text);
  /** The arrays and objects that are not closed yet. */
  const open: (unknown[] | Record<string, unknown>)[] = [];
  let root: unknown;
  for (let read = 1, values = 0; ; read += 1) {
    if (values >= maxValues) return { value: root, isWhole: false };
    const kind = tokens.next();
    if (kind === 'whole') return { value: root, isWhole: true };
    if (kind === 'cut' || kind === 'not-json') return { value: undefined, isWhole: true };
    if (kind === 'close') {
      open.pop();
    } else {
      const name = tokens.keyStart === -1 ? '' : stringOf(text.slice(tokens.keyStart, tokens.keyEnd));
      const value = kind === 'open' ? emptyOf(text, tokens) : scalarOf(text.slice(tokens.start, tokens.end));
      if (name === undefined || value === undefined) return { value: undefined, isWhole: true };
      const holder = open.at(-1);
      if (holder === undefined) root = value;
      else if (Array.isArray(holder)) holder.push(value);
      else setMember(holder, name, value);
      if (typeof value === 'object' && value !== null) open.push(value);
      values += 1;
    }
    if (read % tokensAStep === 0) yield;
  }
}

function emptyOf(text: string, { start }: JsonTokens): unknown[] | Record<string, unknown> {
  return text[start] === '[' ? [] : {};
}

/** The value of a string, number or word; undefined for a string with an escape that JSON does not have. */
function scalarOf(token: string): string | number | boolean | null | undefined {
  if (token.startsWith('"')) return stringOf(token);
  if (token === 'null') return null;
  return token === 'true' || token === 'false' ? token === 'true' : Number(token);
}

function stringOf(quoted: string): string | undefined {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  const value = parseJson(quoted);
  return typeof value === 'string' ? value : undefined;
}

/** As JSON.parse does it, which defines even `__proto__` as a property. */
function setMember(holder: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
  else holder[name] = value;
}
