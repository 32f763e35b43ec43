import { closedStringEnd } from './json-spans.ts';

/**
 * `open` and `close` are brackets, `string` and `scalar` (a number, `true`, `false` or `null`) values, `whole` the end
 * of one complete JSON value. `cut` says that the text ends early, `not-json` that something else is there.
 */
export type JsonTokenKind = 'open' | 'close' | 'string' | 'scalar' | 'whole' | 'cut' | 'not-json';

type Expected = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'comma-or-close' | 'end';

const spaces = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/**
 * Reads a JSON text token by token, a key together with the value it names, and says where each is. It makes no values,
 * so numbers keep every digit, and keys their order and duplicates. It does not recurse: a text may nest to any depth.
 * It does not look into strings: escapes are for the reader to check.
 */
export class JsonTokens {
  /** Where the token begins, without its key, and where it ends. After `cut` and `not-json`: where reading stopped. */
  start = 0;
  end = 0;
  /** Where the key of the token is, its quotes included; -1 where it has none. */
  keyStart = -1;
  keyEnd = -1;
  /** How many brackets are open. An `open` token counts, and a `close` token no longer does. */
  depth = 0;
  /** Whether a comma is between the token and the value before it. */
  isAfterComma = false;
  readonly #text: string;
  #at = 0;
  #expects: Expected = 'value';
  /** For each open bracket, whether it belongs to an object. May be longer than `depth`. */
  readonly #isObject: boolean[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the next token. Do not call it again after `whole`, `cut` or `not-json`. */
  next(): JsonTokenKind {
    const text = this.#text;
    this.keyStart = -1;
    this.isAfterComma = false;
    this.#skipSpaces();
    if (this.#at >= text.length) return this.#stop(this.#expects === 'end' ? 'whole' : 'cut');
    if (this.#expects === 'end') return this.#stop('not-json');
    if (this.#expects === 'comma-or-close' && text.charCodeAt(this.#at) === comma) {
      this.isAfterComma = true;
      this.#at += 1;
      this.#expects = this.#isInObject() ? 'key' : 'value';
      this.#skipSpaces();
      if (this.#at >= text.length) return this.#stop('cut');
    }
    const char = text.charCodeAt(this.#at);
    if (char === closeBrace || char === closeBracket) return this.#close(char === closeBrace);
    if (this.#expects === 'comma-or-close') return this.#stop('not-json');
    if (this.#expects === 'key' || this.#expects === 'key-or-close') {
      const problem = this.#readKey(char);
      if (problem !== null) return this.#stop(problem);
    }
    return this.#readValue();
  }

  #skipSpaces(): void {
    // Most tokens follow each other without a space.
    if (this.#text.charCodeAt(this.#at) > 32) return;
    spaces.lastIndex = this.#at;
    spaces.exec(this.#text);
    this.#at = spaces.lastIndex;
  }

  #isInObject(): boolean {
    return this.depth > 0 && this.#isObject[this.depth - 1] === true;
  }

  #stop(kind: 'whole' | 'cut' | 'not-json'): JsonTokenKind {
    this.start = this.#at;
    this.end = this.#at;
    return kind;
  }

  #close(isBrace: boolean): JsonTokenKind {
    const canClose =
      this.#expects === 'comma-or-close' || this.#expects === (isBrace ? 'key-or-close' : 'value-or-close');
    if (!canClose || this.depth === 0 || this.#isInObject() !== isBrace) return this.#stop('not-json');
    this.depth -= 1;
    this.#take(1);
    return 'close';
  }

  /** Reads a key and its colon. Returns what is wrong with them, or null. */
  #readKey(char: number): 'cut' | 'not-json' | null {
    if (char !== quote) return 'not-json';
    const end = closedStringEnd(this.#text, this.#at);
    if (end === -1) return 'cut';
    this.keyStart = this.#at;
    this.keyEnd = end;
    this.#at = end;
    this.#skipSpaces();
    if (this.#at >= this.#text.length) return 'cut';
    if (this.#text.charCodeAt(this.#at) !== colon) return 'not-json';
    this.#at += 1;
    this.#expects = 'value';
    this.#skipSpaces();
    return this.#at >= this.#text.length ? 'cut' : null;
  }

  #readValue(): JsonTokenKind {
    const text = this.#text;
    const char = text.charCodeAt(this.#at);
    if (char === openBrace || char === openBracket) {
      this.#isObject[this.depth] = char === openBrace;
      this.depth += 1;
      this.#take(1);
      this.#expects = char === openBrace ? 'key-or-close' : 'value-or-close';
      return 'open';
    }
    if (char === quote) {
      const end = closedStringEnd(text, this.#at);
      this.#take((end === -1 ? text.length : end) - this.#at);
      // A cut string is returned as far as it goes, and `cut` follows.
      if (end === -1) this.#expects = 'value';
      return 'string';
    }
    scalar.lastIndex = this.#at;
    const token = scalar.exec(text)?.[0] ?? '';
    if (token === '') return this.#stop(isCutScalar(text.slice(this.#at, this.#at + 6)) ? 'cut' : 'not-json');
    this.#take(token.length);
    return 'scalar';
  }

  #take(length: number): void {
    this.start = this.#at;
    this.#at += length;
    this.end = this.#at;
    this.#expects = this.depth === 0 ? 'end' : 'comma-or-close';
  }
}

/** True for the beginning of a word or number that the end of the text cut off. */
function isCutScalar(rest: string): boolean {
  return rest === '-' || (rest !== '' && ['true', 'false', 'null'].some((word) => word.startsWith(rest)));
}
