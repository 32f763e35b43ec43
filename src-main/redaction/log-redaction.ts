import { findSecrets, secretOf, type Secret } from './find-secrets.ts';

/** What replaces a secret in a log line or failure. */
const hiddenMark = '[hidden]';

/** A shorter registered text is not hidden: it would remove ordinary words, and it is hardly a secret. */
const minHiddenChars = 4;

/** In characters. Longer texts are cut, so that a body logged by mistake cannot fill the file. */
const maxTextChars = 8_192;
const deepest = 6;
const maxEntries = 200;

const secretEnding = '(?:secret|token|password|passphrase|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|authorization)';
const secretName = new RegExp(`^(?:key|env|cookie|set-cookie|credentials?|pass|passwd)$|${secretEnding}$`, 'i');
/** `"apiKey": "..."` in JSON text, even if that JSON is in a JSON string (with backslashes before the quotes). */
const quotedField = new RegExp(
  `(\\\\{0,8}"(?:[\\w-]{0,40}${secretEnding}|key)\\\\{0,8}"\\s*:\\s*\\\\*")(?:[^"\\\\]|\\\\[^"])*`,
  'gi',
);
/** `api_key=...` and `token: ...` outside quotes. */
const plainField = new RegExp(
  `\\b([\\w-]{0,40}${secretEnding}["']?\\s*[:=]\\s*)(?!\\s*\\\\*["'])[^\\s"'\\\\,;&}]+`,
  'gi',
);
const bearer = /\b(bearer\s+)[^\s"'\\,;]+/gi;
const authorizationHeader = /\b((?:proxy-)?authorization\\*["']?\s*[:=]\s*\\*["']?)[^\r\n"'\\]+/gi;
const urlCredentials = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;

/** A value that JSON can represent. */
type PlainValue = string | number | boolean | null | PlainValue[] | { [name: string]: PlainValue };

/**
 * Removes secrets from texts and values. Registered secrets are found wherever they occur, others by their context. At
 * first none is registered.
 */
export class LogRedactor {
  readonly #hidden = new Map<string, Secret>();
  #longestSpelling = 0;

  /** From now on this text is hidden in every spelling that find-secrets.ts knows. */
  hide(secret: string): void {
    for (const text of [secret, secret.trim()]) {
      if (text.length < minHiddenChars || this.#hidden.has(text)) continue;
      const prepared = secretOf(text, hiddenMark);
      this.#hidden.set(text, prepared);
      this.#longestSpelling = Math.max(this.#longestSpelling, ...prepared.spellings.map(({ length }) => length));
    }
  }

  /** The text without secrets, cut at 8,192 characters. */
  text(raw: string): string {
    return this.#withoutHidden(raw)
      .replace(urlCredentials, `$1${hiddenMark}@`)
      .replace(authorizationHeader, `$1${hiddenMark}`)
      .replace(bearer, `$1${hiddenMark}`)
      .replace(quotedField, `$1${hiddenMark}`)
      .replace(plainField, `$1${hiddenMark}`);
  }

  /** Any value as plain data without secrets: never throws, whatever the value is. */
  value(value: unknown): PlainValue {
    try {
      return this.#plain(value, 0);
    } catch {
      // If a getter or proxy throws, the log line is written without its value.
      return '(could not be read)';
    }
  }

  /** Cuts and hides in one pass. Cutting first would leave the beginning of a secret that crosses the cut. */
  #withoutHidden(text: string): string {
    const isCut = text.length > maxTextChars;
    const seen = isCut ? text.slice(0, maxTextChars + this.#longestSpelling) : text;
    const end = Math.min(text.length, maxTextChars);
    let clean = '';
    let from = 0;
    for (const found of findSecrets(seen, [...this.#hidden.values()], minHiddenChars)) {
      if (found.start >= end) break;
      clean += seen.slice(from, found.start) + found.mark;
      from = found.end;
    }
    clean += seen.slice(from, Math.max(from, end));
    return isCut ? `${clean}… (${text.length} characters)` : clean;
  }

  #named(name: string, value: unknown, depth: number): PlainValue {
    const isEmpty = value === null || value === undefined || value === '' || typeof value === 'boolean';
    return secretName.test(name) && !isEmpty ? hiddenMark : this.#plain(value, depth);
  }

  #entries(pairs: Iterable<[unknown, unknown]>, depth: number): PlainValue {
    const out: [string, PlainValue][] = [];
    for (const [name, value] of pairs) {
      if (out.length === maxEntries) {
        out.push(['…', 'more']);
        break;
      }
      out.push([this.text(String(name)), this.#named(String(name), value, depth + 1)]);
    }
    // fromEntries defines properties, so that a field called __proto__ stays a field.
    return Object.fromEntries(out);
  }

  #ofError(error: Error, depth: number): PlainValue {
    const code = 'code' in error ? { code: error.code } : {};
    const cause = error.cause === undefined ? {} : { cause: error.cause };
    return this.#entries(
      Object.entries({ name: error.name, message: error.message, stack: error.stack ?? '', ...code, ...cause }),
      depth,
    );
  }

  #plain(value: unknown, depth: number): PlainValue {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'boolean':
        return value;
      case 'bigint':
      case 'symbol':
        return this.text(String(value));
      case 'function':
      case 'undefined':
        return null;
      case 'object':
        break;
    }
    if (value === null) return null;
    if (depth >= deepest) return '…';
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
    if (value instanceof URL) return this.text(value.href);
    if (value instanceof Error) return this.#ofError(value, depth);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `(${value.byteLength} bytes)`;
    if (value instanceof Map || value instanceof Headers) return this.#entries(value.entries(), depth);
    if (Array.isArray(value) || value instanceof Set) {
      const items: unknown[] = [...value];
      // A pair [name, value] is how several HTTP libraries list headers.
      if (items.length === 2 && typeof items[0] === 'string' && secretName.test(items[0]))
        return [items[0], hiddenMark];
      const kept = items.slice(0, maxEntries).map((item) => this.#plain(item, depth + 1));
      return items.length > maxEntries ? [...kept, `… ${items.length - maxEntries} more`] : kept;
    }
    return this.#entries(Object.entries(value), depth);
  }
}
