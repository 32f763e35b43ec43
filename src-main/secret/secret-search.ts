import { patternOf } from './secret-pattern.ts';

/**
 * What stands where a secret stood: for the key of a connection, and for any other. Always the same for one secret, so
 * that what was told before and after a key was replaced can be compared.
 */
export type Mark = '[key]' | '[secret]';

/** A text that must not come back, made once by `secretOf`: the search is prepared where it is first needed. */
export interface Secret {
  text: string;
  mark: Mark;
  /** Its longest run of letters and digits, which stays the same in JSON, in addresses and in HTML. */
  anchor: string;
  pattern: () => RegExp;
}

/** Where a secret stands in a text, from `start` to before `end`. */
export interface Found {
  start: number;
  end: number;
  mark: Mark;
}

/** A shorter anchor stands in too many texts to tell anything. */
const shortestAnchor = 3;

export function secretOf(text: string, mark: Mark): Secret {
  const runs = text.match(/[A-Za-z0-9]+/g) ?? [];
  const anchor = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
  let pattern: RegExp | null = null;
  return {
    text,
    mark,
    anchor: anchor.length < shortestAnchor ? '' : anchor,
    pattern: () => (pattern ??= new RegExp(patternOf(text), 'g')),
  };
}

/**
 * Where any of `secrets` stands in `text`, in order, those that touch or overlap as one. Found as they are, escaped as
 * JSON does it (also JSON within JSON, and `\u0041`), percent-encoded and as HTML entities. A secret of less than eight
 * characters is only found as a word of its own, else a one-letter sandbox key would eat the text.
 *
 * The patterns are slow, and a reply may be of many megabytes: they are tried only for those whose anchor is there.
 */
export function findSecrets(text: string, secrets: readonly Secret[]): Found[] {
  const likely = likelyIn(text, secrets);
  if (likely.length === 0) return [];
  const found = likely.flatMap(({ mark, pattern }) =>
    Array.from(text.matchAll(pattern()), ({ 0: match, index }) => ({ start: index, end: index + match.length, mark })),
  );
  // The longer one of two that begin together gives the mark.
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const joined: Found[] = [];
  for (const span of found) {
    const last = joined.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else joined.push(span);
  }
  return joined;
}

/**
 * Bytes looked through at a time, so few that their text is let go of at once; and how much is looked at twice: a
 * secret may stand across.
 */
const windowBytes = 65_536;
const overlapBytes = 4_096;

/**
 * Whether any of `secrets` may stand in a text of many megabytes, told from its bytes in UTF-8 without making a text of
 * all of them. False is certain; where it is true, `findSecrets` tells.
 */
export function mayHoldSecret(bytes: Uint8Array, secrets: readonly Secret[]): boolean {
  if (secrets.length === 0) return false;
  // Anchors are letters and digits of ASCII, and so is how they are escaped: they show in any bytes.
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let from = 0; from < bytes.length; from += windowBytes - overlapBytes) {
    if (likelyIn(all.toString('latin1', from, from + windowBytes), secrets).length > 0) return true;
  }
  return false;
}

/** The text with its secrets replaced by their marks. */
export function withoutFound(text: string, found: readonly Found[]): string {
  let clean = '';
  let from = 0;
  for (const { start, end, mark } of found) {
    clean += text.slice(from, start) + mark;
    from = end;
  }
  return from === 0 ? text : clean + text.slice(from);
}

/** Letters and digits in a form that hides an anchor; hardly anybody writes them so. */
const escapedLetter =
  /\\+u00(3\d|[46][1-9a-fA-F]|[57][\daA])|%(3\d|[46][1-9a-fA-F]|[57][\daA])|&#0*(4[89]|5[0-7]|6[5-9]|[78]\d|9[07-9]|1[01]\d|12[0-2]);|&#[xX]0*(3\d|[46][1-9a-fA-F]|[57][\daA]);/g;
/** How the above begin: two plain patterns and a look at what follows a percent sign cost a fraction of it. */
const escapeBeginnings = [/\\u00[3-7]/, /&#/];

function mayHideLetters(text: string): boolean {
  if (escapeBeginnings.some((beginning) => beginning.test(text))) return true;
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', at + 1)) {
    const next = text[at + 1];
    if (next !== undefined && next >= '3' && next <= '7') return true;
  }
  return false;
}

function likelyIn(text: string, secrets: readonly Secret[]): Secret[] {
  if (secrets.length === 0) return [];
  const there = anchorsIn(text, secrets);
  const isEscaped = mayHideLetters(text) && text.search(escapedLetter) !== -1;
  const spelt = isEscaped
    ? anchorsIn(
        text.replace(escapedLetter, (_, json?: string, address?: string, decimal?: string, hex?: string) =>
          letter(json ?? address ?? hex, decimal),
        ),
        secrets,
      )
    : there;
  return secrets.filter(({ anchor }) => anchor === '' || there.has(anchor) || spelt.has(anchor));
}

function letter(hex: string | undefined, decimal: string | undefined): string {
  return String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
}

/**
 * Up to so many it is quicker to look for one after the other; so it is in a short text, for which no table is worth
 * making.
 */
const fewAnchors = 4;
const shortText = 8_192;
/** More of an anchor is not looked at by the table. */
const widestWindow = 8;

function anchorsIn(text: string, secrets: readonly Secret[]): Set<string> {
  const anchors = [...new Set(secrets.map(({ anchor }) => anchor))].filter((anchor) => anchor !== '');
  if (anchors.length <= fewAnchors || text.length <= shortText)
    return new Set(anchors.filter((anchor) => text.includes(anchor)));
  return anchorsByTable(text, anchors);
}

/**
 * Wu and Manber's search for many texts at once: the two characters at the end of a window tell how far it can move
 * without passing any of them, mostly by its whole width. Takes hardly longer for a hundred than for one.
 */
function anchorsByTable(text: string, anchors: readonly string[]): Set<string> {
  const width = Math.min(widestWindow, ...anchors.map(({ length }) => length));
  const shifts = new Uint8Array(65_536).fill(width - 1);
  for (const anchor of anchors) {
    for (let at = 1; at < width; at += 1) {
      const pair = pairOf(anchor.charCodeAt(at - 1), anchor.charCodeAt(at));
      shifts[pair] = Math.min(shifts[pair] ?? 0, width - 1 - at);
    }
  }
  const there = new Set<string>();
  for (let at = width - 1; at < text.length;) {
    const shift = shifts[pairOf(text.charCodeAt(at - 1), text.charCodeAt(at))] ?? 1;
    at += shift === 0 ? 1 : shift;
    if (shift !== 0) continue;
    for (const anchor of anchors) if (text.startsWith(anchor, at - width)) there.add(anchor);
  }
  return there;
}

function pairOf(one: number, other: number): number {
  return ((one << 8) ^ other) & 0xffff;
}
