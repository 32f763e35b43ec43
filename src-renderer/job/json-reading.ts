import { closedStringEnd, parseJson } from '../../src-preload/json-spans.ts';
import type { Steps } from '../stream/use-steps.ts';

/** Up to this size JSON.parse takes a few milliseconds. */
const parsedAtOnceChars = 262_144;
const tokensAStep = 500;

const spaces = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** An array or object that is not closed yet. */
type Open = { kind: 'array'; value: unknown[] } | { kind: 'object'; value: Record<string, unknown>; name: string };

/** What the grammar allows next. */
type Expected = 'value' | 'value-or-close' | 'name' | 'name-or-close' | 'comma-or-close' | 'end';

/** Of more values only the first are read: millions would make every garbage collection stop the window. */
const mostValues = 200_000;

export interface ReadJson {
  /** Undefined if the text is not JSON, as far as it was read. */
  value: unknown;
  /** False if there is more than was read. Open arrays and objects then end there. */
  isWhole: boolean;
}

/** Parses JSON of any size and depth in small steps. */
export function* readJson(text: string): Steps<ReadJson> {
  if (text.length <= parsedAtOnceChars) return { value: parseJson(text), isWhole: true };
  const open: Open[] = [];
  let root: unknown;
  let values = 0;
  let at = 0;
  // In an object, because the type checker does not see assignments from inner functions.
  const next: { expects: Expected } = { expects: 'value' };

  const skip = (): void => {
    spaces.lastIndex = at;
    spaces.exec(text);
    at = spaces.lastIndex;
  };
  const place = (value: unknown): void => {
    const holder = open.at(-1);
    if (holder === undefined) root = value;
    else if (holder.kind === 'array') holder.value.push(value);
    else setMember(holder.value, holder.name, value);
    next.expects = holder === undefined ? 'end' : 'comma-or-close';
    values += 1;
  };
  const string = (): string | null => {
    const end = closedStringEnd(text, at);
    const value = end === -1 ? undefined : stringOf(text.slice(at, end));
    if (value === undefined) return null;
    at = end;
    return value;
  };
  /** Reads one token. False if it is not allowed here. */
  const token = (): boolean => {
    const char = text[at];
    const holder = open.at(-1);
    if (holder !== undefined && (char === ']' || char === '}')) {
      const isClosed =
        next.expects === 'comma-or-close' || next.expects === (char === ']' ? 'value-or-close' : 'name-or-close');
      if (!isClosed || (char === ']') !== (holder.kind === 'array')) return false;
      open.pop();
      at += 1;
      next.expects = open.length === 0 ? 'end' : 'comma-or-close';
      return true;
    }
    if (next.expects === 'comma-or-close') {
      next.expects = holder?.kind === 'object' ? 'name' : 'value';
      at += 1;
      return char === ',';
    }
    if (next.expects === 'name' || next.expects === 'name-or-close') {
      const name = char === '"' ? string() : null;
      if (name === null || holder?.kind !== 'object') return false;
      holder.name = name;
      skip();
      next.expects = 'value';
      at += 1;
      return text[at - 1] === ':';
    }
    if (char === '[' || char === '{') {
      const inner: Open = char === '[' ? { kind: 'array', value: [] } : { kind: 'object', value: {}, name: '' };
      place(inner.value);
      open.push(inner);
      next.expects = char === '[' ? 'value-or-close' : 'name-or-close';
      at += 1;
      return true;
    }
    if (char === '"') {
      const value = string();
      if (value !== null) place(value);
      return value !== null;
    }
    scalar.lastIndex = at;
    const [found = ''] = scalar.exec(text) ?? [];
    if (found === '') return false;
    place(found === 'null' ? null : found === 'true' ? true : found === 'false' ? false : Number(found));
    at += found.length;
    return true;
  };

  for (let tokens = 1; ; tokens += 1) {
    if (values >= mostValues) return { value: root, isWhole: false };
    skip();
    if (at >= text.length) return { value: next.expects === 'end' ? root : undefined, isWhole: true };
    if (next.expects === 'end' || !token()) return { value: undefined, isWhole: true };
    if (tokens % tokensAStep === 0) yield;
  }
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
