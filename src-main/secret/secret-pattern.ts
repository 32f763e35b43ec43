/** A regular expression's text that finds `secret` in each form a service may repeat it in; see `findSecrets`. */
export function patternOf(secret: string): string {
  // A run of backslashes is one thing: each level of JSON doubles it, and escapes what follows with more.
  const parts = secret.match(/\\+|[^\\]/gu) ?? [];
  const pattern = parts
    .map((part, index) =>
      part.startsWith('\\') ? backslashes(part.length) : character(part, parts[index - 1]?.startsWith('\\') === true),
    )
    .join('');
  return secret.length < 8 ? `(?<![\\w-])${pattern}(?![\\w-])` : pattern;
}

/** At least `count` backslashes. Always a whole run, so that a reply of nothing else costs no more than its length. */
function run(count: number): string {
  return `(?<!\\\\)\\\\{${count},}(?!\\\\)`;
}

function backslashes(count: number): string {
  // The plain run last: it is also the beginning of its escapes.
  return `(?:(?:${run(1)}u005[cC]|%5[cC]|&#0*92;|&#[xX]0*5[cC];){${count}}|${run(count)})`;
}

const shortEscapes: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };
const entities: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** A character in each of its forms. After a backslash its own escape is part of that run. */
function character(char: string, isAfterBackslash: boolean): string {
  const escape = isAfterBackslash ? `(?:${run(1)})?` : run(1);
  const [first = 0, ...more] = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index));
  const point = char.codePointAt(0) ?? 0;
  const short = shortEscapes[char];
  const entity = entities[char];
  return `(?:${[
    ...(short === undefined ? [] : [`${escape}${short}`]),
    `${escape}u${hex(first, 4)}${more.map((unit) => `${run(1)}u${hex(unit, 4)}`).join('')}`,
    [...Buffer.from(char, 'utf8')].map((byte) => `%${hex(byte, 2)}`).join(''),
    `&#0*${point};`,
    `&#[xX]0*${hex(point, 1)};`,
    ...(entity === undefined ? [] : [`&${entity};`]),
    // Last: & and % begin other forms of themselves.
    `${char === '"' || char === '/' ? `(?:${run(1)})?` : ''}${char.replace(/[\^$.*+?()[\]{}|/]/, '\\$&')}`,
  ].join('|')})`;
}

/** In either case. */
function hex(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
