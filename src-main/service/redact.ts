export type Redact = (text: string) => string;

/**
 * Answers a function that takes a request's key and its other secrets out of any text, for services that repeat what
 * they were asked with (architecture: secrets never leave main). Found as they are, escaped as JSON does it (also
 * JSON within JSON, and `\u0041`), percent-encoded and as HTML entities. A short secret is only taken out where it
 * stands as a word of its own, else a one-letter sandbox key would eat the text.
 */
export function redactor(key: string, secrets: readonly string[] = []): Redact {
  const hidden = [{ text: key, mark: '[key]' }, ...secrets.map((text) => ({ text, mark: '[secret]' }))].filter(({ text }) => text !== '');
  if (hidden.length === 0) return (text) => text;
  // The longest first: one may be part of another.
  const sorted = hidden.toSorted((a, b) => b.text.length - a.text.length);
  const pattern = new RegExp(sorted.map(({ text }) => `(${patternOf(text)})`).join('|'), 'g');
  return (text) => text.replace(pattern, (...found: unknown[]) => sorted[found.slice(1).findIndex((group) => group !== undefined)]?.mark ?? '[secret]');
}

/** `value` from JSON with every text in it redacted, names too. */
export function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((element) => redactValue(element, redact));
  if (typeof value !== 'object' || value === null) return value;
  return redactFields(value, redact);
}

export function redactFields(fields: object, redact: Redact): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [redact(name), redactValue(value, redact)]));
}

function patternOf(secret: string): string {
  // A run of backslashes is one thing: each level of JSON doubles it.
  const parts = secret.match(/\\+|[^\\]/gu) ?? [];
  const pattern = parts.map((part) => (part.startsWith('\\') ? backslashes(part.length) : character(part))).join('');
  return secret.length < 8 ? `(?<![\\w-])${pattern}(?![\\w-])` : pattern;
}

/** Bounded, so that a reply of backslashes alone costs no more than its length. */
const escapes = '\\\\{0,7}';
const shortEscapes: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };
const entities: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function backslashes(count: number): string {
  const one = `(?:\\\\{1,8}(?:u005[cC])?|%5[cC]|&#0*92;|&#[xX]0*5[cC];)`;
  return count === 1 ? one : `(?:\\\\{${count},${count * 8}}|${one}{${count}})`;
}

function character(char: string): string {
  const units = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index));
  const point = char.codePointAt(0) ?? 0;
  const short = shortEscapes[char];
  const entity = entities[char];
  const isEscapedByJson = char === '"' || char === '/';
  return `(?:${[
    `${isEscapedByJson ? escapes : ''}${/[\w\s]/.test(char) ? char : char.replace(/[\^$.*+?()[\]{}|/-]/, '\\$&')}`,
    ...(short === undefined ? [] : [`\\\\{1,8}${short}`]),
    units.map((unit) => `\\\\{1,8}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join(''),
    [...Buffer.from(char, 'utf8')].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join(''),
    `&#0*${point};`,
    `&#[xX]0*${anyCase(point.toString(16))};`,
    ...(entity === undefined ? [] : [`&${entity};`]),
  ].join('|')})`;
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
