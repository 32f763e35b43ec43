/**
 * Lines of pretty-printed JSON directly from the text, without parsing values: numbers keep every digit, and keys their
 * order and duplicates, and an incomplete text shows everything that is there.
 */

import { closedStringEnd } from '../../src-preload/json-spans.ts';
import type { Steps } from './use-steps.ts';

type JsonLineKind = 'string' | 'number' | 'word' | 'open' | 'close' | 'empty';

interface JsonLine {
  depth: number;
  kind: JsonLineKind;
  /** The key with its quotes, as offsets in the text. -1 without a key. */
  keyStart: number;
  keyEnd: number;
  /** The value token (or the bracket) as offsets in the text. For `empty` the whole `{}` or `[]`. */
  start: number;
  end: number;
  /**
   * For `open`: the index of its closing line, or -1 if the text ends before it. For `close`: the index of its opening
   * line.
   */
  match: number;
  /** For `open`: how many members it has. */
  members: number;
  /** A comma follows. */
  hasComma: boolean;
}

export interface JsonLines {
  lines: JsonLine[];
  /**
   * `whole`: one complete JSON value. `cut`: the text ends early. `too-many`: more lines than `maxLines`. `not-json`:
   * something else is at `stoppedAt`.
   */
  end: 'whole' | 'cut' | 'too-many' | 'not-json';
  stoppedAt: number;
  /** The depth of the deepest line. */
  deepest: number;
}

/** How many lines are read in one step. */
const linesAStep = 500;

/** What the grammar allows next. */
type Expected = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'comma-or-close' | 'end';

const spaces = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Reads `text` into at most `maxLines` lines, in small steps. Never throws, however deeply it is nested. */
export function* jsonLines(text: string, maxLines = 200_000): Steps<JsonLines> {
  const lines: JsonLine[] = [];
  /** Indices of the lines that opened what is open now. */
  const open: number[] = [];
  let at = 0;
  let deepest = 0;
  let yieldedLines = 0;

  const skip = (): void => {
    spaces.lastIndex = at;
    spaces.exec(text);
    at = spaces.lastIndex;
  };
  const finish = (end: JsonLines['end']): JsonLines => ({ lines, end, stoppedAt: at, deepest });

  let keyStart = -1;
  let keyEnd = -1;
  let expects: Expected = 'value';

  const add = (kind: JsonLineKind, start: number, end: number): void => {
    deepest = Math.max(deepest, open.length);
    lines.push({ depth: open.length, kind, keyStart, keyEnd, start, end, match: -1, members: 0, hasComma: false });
    keyStart = -1;
    keyEnd = -1;
  };
  const isObject = (): boolean => {
    const opener = lines[open.at(-1) ?? -1];
    return opener !== undefined && text.charCodeAt(opener.start) === 123;
  };
  const afterValue = (): Expected => {
    const opener = lines[open.at(-1) ?? -1];
    if (opener === undefined) return 'end';
    opener.members += 1;
    return 'comma-or-close';
  };

  for (;;) {
    skip();
    if (at >= text.length) return finish(expects === 'end' ? 'whole' : 'cut');
    if (lines.length >= maxLines) return finish('too-many');
    if (lines.length - yieldedLines >= linesAStep) {
      yieldedLines = lines.length;
      yield;
    }
    const char = text[at];

    if (expects === 'end') return finish('not-json');
    if (expects === 'comma-or-close' && char === ',') {
      const last = lines.at(-1);
      if (last !== undefined) last.hasComma = true;
      at += 1;
      expects = isObject() ? 'key' : 'value';
      continue;
    }
    if (
      (expects === 'comma-or-close' || expects === 'value-or-close' || expects === 'key-or-close') &&
      (char === '}' || char === ']')
    ) {
      if ((char === '}') !== isObject()) return finish('not-json');
      const openIndex = open.pop() ?? -1;
      const opener = lines[openIndex];
      if (opener === undefined) return finish('not-json');
      at += 1;
      if (lines.length - 1 === openIndex) {
        opener.kind = 'empty';
        opener.end = at;
      } else {
        opener.match = lines.length;
        add('close', at - 1, at);
        const closer = lines.at(-1);
        if (closer !== undefined) closer.match = openIndex;
      }
      expects = afterValue();
      continue;
    }
    if (expects === 'comma-or-close') return finish('not-json');
    if (expects === 'key' || expects === 'key-or-close') {
      if (char !== '"') return finish('not-json');
      const end = closedStringEnd(text, at);
      if (end === -1) return finish('cut');
      keyStart = at;
      keyEnd = end;
      at = end;
      skip();
      if (at >= text.length) return finish('cut');
      if (text[at] !== ':') return finish('not-json');
      at += 1;
      expects = 'value';
      continue;
    }

    if (char === '{' || char === '[') {
      add('open', at, at + 1);
      open.push(lines.length - 1);
      at += 1;
      expects = char === '{' ? 'key-or-close' : 'value-or-close';
      continue;
    }
    if (char === '"') {
      const end = closedStringEnd(text, at);
      add('string', at, end === -1 ? text.length : end);
      if (end === -1) {
        at = text.length;
        return finish('cut');
      }
      at = end;
      expects = afterValue();
      continue;
    }
    scalar.lastIndex = at;
    const token = scalar.exec(text)?.[0];
    if (token === undefined || token === '') return finish(isCutScalar(text.slice(at, at + 6)) ? 'cut' : 'not-json');
    add(/^[tfn]/.test(token) ? 'word' : 'number', at, at + token.length);
    at += token.length;
    expects = afterValue();
  }
}

/** True for the beginning of a word or number that was cut off by the end of the text. */
export function isCutScalar(rest: string): boolean {
  return rest === '-' || (rest !== '' && ['true', 'false', 'null'].some((word) => word.startsWith(rest)));
}

/** Deeper lines are not indented further, because no pane is wide enough. */
export const deepestIndent = 24;

/** JSON over several lines, formatted as by JSON.stringify but at any depth. Any other text is unchanged. */
export function* prettyJson(text: string): Steps<string> {
  const { lines, end } = yield* jsonLines(text);
  if (end !== 'whole') return text;
  const laidOut: string[] = [];
  for (const line of lines) {
    const key = line.keyStart === -1 ? '' : `${text.slice(line.keyStart, line.keyEnd)}: `;
    const value =
      line.kind === 'empty' ? `${text[line.start] ?? ''}${text[line.end - 1] ?? ''}` : text.slice(line.start, line.end);
    laidOut.push(`${'  '.repeat(Math.min(line.depth, deepestIndent))}${key}${value}${line.hasComma ? ',' : ''}`);
    if (laidOut.length % linesAStep === 0) yield;
  }
  return laidOut.join('\n');
}

/** A longer string is folded into a chip (design language: Do). */
export const foldStringChars = 2_048;

/** The decoded text of a string token (with its quotes), or its raw content if it is incomplete or invalid. */
export function decodeString(token: string): string {
  try {
    const value: unknown = JSON.parse(token);
    if (typeof value === 'string') return value;
  } catch {
    // A cut token has no closing quote and cannot be decoded.
  }
  return token.replace(/^"/, '');
}
