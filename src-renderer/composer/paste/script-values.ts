import { parseJson } from '../../../src-preload/json-spans.ts';

/** A value in JavaScript or Python source. Numbers keep their text; `unknown` is only known at run time. */
export type ScriptValue =
  | { kind: 'plain'; json: string }
  /** `isWhole` false: a part of it is only known at run time, and left out. */
  | { kind: 'text'; text: string; isWhole: boolean }
  | { kind: 'list'; items: ScriptValue[] }
  | { kind: 'object'; members: [string, ScriptValue][] }
  | { kind: 'unknown' };

/** An argument of a call. `name` is set for a named argument of Python. */
export interface ScriptArgument {
  name: string | null;
  value: ScriptValue;
}

const unknown: ScriptValue = { kind: 'unknown' };
/** Real code is never nested deeper. */
const deepest = 100;

/** Reads values from a script: literals, and variables that are assigned a literal. Nothing is executed. */
export class ScriptReader {
  readonly #text: string;
  readonly #assigned = new Map<string, number>();
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    for (const found of text.matchAll(/(?:^|[;\n])[ \t]*(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)[ \t]*=(?![=>])/g))
      this.#assigned.set(found[1] ?? '', found.index + found[0].length);
  }

  /** The arguments of the first call that matches `pattern` up to its bracket. Null if there is none. */
  argumentsOf(pattern: RegExp): ScriptArgument[] | null {
    const found = pattern.exec(this.#text);
    return found === null ? null : this.#within(found.index + found[0].length, () => this.#arguments());
  }

  /** The value assigned after `pattern`, such as `runpod.api_key =`. Null if it is not in the script. */
  assignedTo(pattern: RegExp): ScriptValue | null {
    const found = pattern.exec(this.#text);
    return found === null ? null : this.#within(found.index + found[0].length, () => this.#value());
  }

  #within<T>(from: number, read: () => T): T {
    const before = this.#at;
    this.#at = from;
    const value = read();
    this.#at = before;
    return value;
  }

  #skipSpace(): void {
    for (;;) {
      const gap = /^(?:\s|\\\r?\n|\/\/[^\n]*|#[^\n]*|\/\*[^]*?\*\/)+/.exec(
        this.#text.slice(this.#at, this.#at + 5_000),
      );
      if (gap === null) return;
      this.#at += gap[0].length;
    }
  }

  #takes(sign: string): boolean {
    this.#skipSpace();
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  #matches(pattern: RegExp): RegExpExecArray | null {
    this.#skipSpace();
    const found = pattern.exec(this.#text.slice(this.#at, this.#at + 500));
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #arguments(): ScriptArgument[] {
    const all: ScriptArgument[] = [];
    while (this.#at < this.#text.length && !this.#takes(')')) {
      const name = this.#matches(/^([A-Za-z_]\w*)\s*=(?!=)/)?.[1] ?? null;
      const from = this.#at;
      all.push({ name, value: this.#value() });
      if (!this.#takes(',') && this.#at === from) break;
    }
    return all;
  }

  #value(): ScriptValue {
    if (this.#depth >= deepest) return this.#passOver();
    this.#depth += 1;
    let value = this.#term();
    while (this.#takes('+')) value = joined(value, this.#term());
    this.#depth -= 1;
    return value;
  }

  #term(): ScriptValue {
    this.#skipSpace();
    const start = this.#at;
    const char = this.#text.charAt(start);
    const value = /["'`]/.test(char)
      ? this.#string()
      : char === '{'
        ? this.#object()
        : char === '['
          ? this.#list(']')
          : char === '('
            ? this.#bracketed()
            : (this.#number() ?? this.#named());
    // A method call makes the value unknown, except for a text's encoding, which changes nothing.
    while (value.kind === 'text' && this.#matches(/^\.encode\([^)]{0,40}\)/) !== null) continue;
    this.#skipSpace();
    return /^(?:[.[(?%*]|\/(?!\/)|-)/.test(this.#text.slice(this.#at, this.#at + 2)) ? this.#passOver() : value;
  }

  #bracketed(): ScriptValue {
    const list = this.#list(')');
    return list.kind === 'list' && list.items.length === 1 ? (list.items[0] ?? unknown) : list;
  }

  #list(close: string): ScriptValue {
    this.#at += 1;
    const items: ScriptValue[] = [];
    while (this.#at < this.#text.length && !this.#takes(close)) {
      const from = this.#at;
      items.push(this.#value());
      if (!this.#takes(',') && this.#at === from) return this.#passOver();
    }
    return { kind: 'list', items };
  }

  #object(): ScriptValue {
    this.#at += 1;
    const members: [string, ScriptValue][] = [];
    while (this.#at < this.#text.length && !this.#takes('}')) {
      const from = this.#at;
      const quote = this.#text.charAt(this.#at);
      const isString = /["'`]/.test(quote) || /^[rbu]["']/i.test(this.#text.slice(this.#at, this.#at + 2));
      const keyValue = isString ? this.#string() : null;
      const key = keyValue?.kind === 'text' ? keyValue.text : (this.#matches(/^(?:[A-Za-z_$][\w$]*|\d+)/)?.[0] ?? null);
      if (key === null) this.#passOver();
      else if (this.#takes(':')) members.push([key, this.#value()]);
      else members.push([key, this.#lookUp(key)]);
      if (!this.#takes(',') && this.#at === from) return this.#passOver();
    }
    return { kind: 'object', members };
  }

  #number(): ScriptValue | null {
    const found = this.#matches(/^[+-]?(?:0x[\da-f][\da-f_]*|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:e[+-]?\d+)?)n?/i)?.[0];
    if (found === undefined) return null;
    const plain = found.replaceAll('_', '').replace(/n$/, '').replace(/^\+/, '');
    if (/^-?0x/i.test(plain))
      return {
        kind: 'plain',
        json: `${plain.startsWith('-') ? '-' : ''}${BigInt(plain.replace(/^-/, '')).toString()}`,
      };
    const json = plain
      .replace(/^(-?)\./, '$10.')
      .replace(/\.(?=e|$)/i, '.0')
      .replace(/^(-?)0+(?=\d)/, '$1');
    return parseJson(json) === undefined ? unknown : { kind: 'plain', json };
  }

  #named(): ScriptValue {
    if (this.#matches(/^(?:r|b|u|f|rb|br|fr|rf)(?=["'])/i) !== null) return this.#string();
    const name = this.#matches(/^(?:await\s+)?([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)/)?.[1];
    if (name === undefined) return this.#passOver();
    const word = { true: 'true', True: 'true', false: 'false', False: 'false', null: 'null', None: 'null' }[name];
    if (word !== undefined) return { kind: 'plain', json: word };
    if ((name === 'JSON.stringify' || name === 'json.dumps') && this.#takes('('))
      return written(this.#arguments()[0]?.value ?? unknown);
    if ((name === 'JSON.parse' || name === 'json.loads') && this.#takes('('))
      return parsed(this.#arguments()[0]?.value ?? unknown);
    return this.#lookUp(name);
  }

  #lookUp(name: string): ScriptValue {
    const at = this.#assigned.get(name);
    if (at === undefined || this.#depth >= deepest) return unknown;
    // Removed meanwhile, so that a variable in its own value does not recurse.
    this.#assigned.delete(name);
    const value = this.#within(at, () => this.#value());
    this.#assigned.set(name, at);
    return value;
  }

  /** Skips an expression that cannot be read, up to the comma or bracket that ends it. */
  #passOver(): ScriptValue {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (/["'`]/.test(char)) {
        this.#string();
        continue;
      }
      if (depth === 0 && /[,)\]};\n+]/.test(char)) return unknown;
      if (/[([{]/.test(char)) depth += 1;
      if (/[)\]}]/.test(char)) depth -= 1;
      this.#at += 1;
    }
    return unknown;
  }

  /** A string, joined with the strings directly after it. */
  #string(): ScriptValue {
    let value: ScriptValue = { kind: 'text', text: '', isWhole: true };
    do value = joined(value, this.#oneString());
    while (/^\s*["']/.test(this.#text.slice(this.#at, this.#at + 200)) && (this.#skipSpace(), true));
    return value;
  }

  #oneString(): ScriptValue {
    const start = this.#at;
    const prefix = /[A-Za-z]{0,2}$/.exec(this.#text.slice(Math.max(0, start - 2), start))?.[0].toLowerCase() ?? '';
    const isRaw = prefix.includes('r') && /^(?:r|br|rb|fr|rf)$/.test(prefix);
    const quote = this.#text.charAt(start);
    const isTriple = quote !== '`' && this.#text.startsWith(quote.repeat(3), start);
    const close = isTriple ? quote.repeat(3) : quote;
    this.#at += close.length;
    let text = '';
    let isWhole = true;
    while (this.#at < this.#text.length && !this.#text.startsWith(close, this.#at)) {
      if (this.#text.charAt(this.#at) === '\\') {
        text += isRaw ? this.#text.slice(this.#at, (this.#at += 2)) : this.#escape();
      } else if (quote === '`' && this.#text.startsWith('${', this.#at)) {
        isWhole = false;
        this.#at += 2;
        for (let depth = 1; depth > 0 && this.#at < this.#text.length; this.#at += 1)
          depth += this.#text.charAt(this.#at) === '{' ? 1 : this.#text.charAt(this.#at) === '}' ? -1 : 0;
      } else {
        text += this.#text.charAt(this.#at);
        this.#at += 1;
      }
    }
    this.#at = Math.min(this.#text.length, this.#at + close.length);
    return { kind: 'text', text, isWhole };
  }

  #escape(): string {
    const coded = /^\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|U([\da-f]{8}))/i.exec(
      this.#text.slice(this.#at, this.#at + 12),
    );
    const code = Number.parseInt(coded?.[1] ?? coded?.[2] ?? coded?.[3] ?? coded?.[4] ?? '', 16);
    if (coded !== null && code <= 0x10_ff_ff) {
      this.#at += coded[0].length;
      return String.fromCodePoint(code);
    }
    const char = this.#text.charAt(this.#at + 1);
    this.#at += 2;
    return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0', '\n': '' }[char] ?? char;
  }
}

function joined(left: ScriptValue, right: ScriptValue): ScriptValue {
  if (left.kind !== 'text' && right.kind !== 'text') return unknown;
  const [one, other] = [textOf(left), textOf(right)];
  return { kind: 'text', text: one.text + other.text, isWhole: one.isWhole && other.isWhole };
}

function textOf(value: ScriptValue): { text: string; isWhole: boolean } {
  if (value.kind === 'text') return value;
  return value.kind === 'plain' ? { text: value.json, isWhole: true } : { text: '', isWhole: false };
}

function written(value: ScriptValue): ScriptValue {
  if (value.kind === 'unknown') return unknown;
  const { json, isWhole } = jsonOf(value);
  return { kind: 'text', text: json, isWhole };
}

function parsed(value: ScriptValue): ScriptValue {
  return value.kind === 'text' && parseJson(value.text) !== undefined ? { kind: 'plain', json: value.text } : unknown;
}

/** A value as JSON. What is only known at run time is null, and then it is not whole. Pure. */
export function jsonOf(value: ScriptValue): { json: string; isWhole: boolean } {
  switch (value.kind) {
    case 'plain':
      return { json: value.json, isWhole: true };
    case 'text':
      return { json: JSON.stringify(value.text), isWhole: value.isWhole };
    case 'unknown':
      return { json: 'null', isWhole: false };
    case 'list': {
      const items = value.items.map(jsonOf);
      return { json: `[${items.map(({ json }) => json).join(', ')}]`, isWhole: items.every((item) => item.isWhole) };
    }
    case 'object': {
      const members = value.members.map(([key, member]) => ({ key, ...jsonOf(member) }));
      return {
        json: `{${members.map(({ key, json }) => `${JSON.stringify(key)}: ${json}`).join(', ')}}`,
        isWhole: members.every((member) => member.isWhole),
      };
    }
  }
}

/** A member of an object by its name, ignoring case. Undefined if there is none. Pure. */
export function memberOf(value: ScriptValue | undefined, name: string): ScriptValue | undefined {
  if (value?.kind !== 'object') return undefined;
  return value.members.findLast(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}
