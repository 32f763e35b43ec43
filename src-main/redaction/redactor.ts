import { parseJson, stringEnd } from '../../src-preload/json-spans.ts';
import {
  findSecrets,
  secretOf,
  shortestCertain,
  withoutFound,
  type Found,
  type Secret,
  type Mark,
} from './find-secrets.ts';

export type Redact = (text: string) => string;

/** Takes a request's key and other secrets out of what the service answers (docs/architecture.md: Security). */
export interface Redactor {
  /**
   * Any text: what a failure quotes. Its bytes are not a result, so short secrets of the request are taken out as well.
   */
  text: Redact;
  /**
   * A reply in JSON, which may be a result: only what stands inside its strings and is long enough to be no word, and
   * every other byte stays. What was JSON stays JSON; what is none may come back changed.
   */
  json: Redact;
  /**
   * A reply of results that broke off or cannot be read, of which what stands whole is kept even so: as `json` in each
   * whole string, and no number is touched. Any other text as `text`.
   */
  broken: Redact;
  /** The key alone, in any text. */
  key: Redact;
  /** What `json` looks for, and what `text` does. */
  inResults: readonly Secret[];
  all: readonly Secret[];
  /** In how many places `json` hid something. */
  hidden(): number;
}

/** The redactor of one request. Secrets in `known` beside its own may come from anywhere in this run. */
export function redactor(key: string, secrets: readonly string[] = [], known: readonly Secret[] = []): Redactor {
  const own = key === '' ? [] : [secretOf(key, '[key]')];
  const named = [
    ...own,
    ...secrets.filter((text) => text !== '' && text !== key).map((text) => secretOf(text, '[secret]')),
  ];
  // A short one of another connection is no more than a word here.
  const others = known.filter(
    ({ text }) => text.length >= shortestCertain && named.every((secret) => secret.text !== text),
  );
  const all = [...named, ...others];
  const inResults = all.filter(({ text }) => text.length >= shortestCertain);
  let hidden = 0;

  function json(text: string): string {
    const clean = withoutSecretsInStrings(text, inResults);
    hidden += clean.hidden;
    return clean.text;
  }

  const text: Redact = (dirty) => withoutFound(dirty, findSecrets(dirty, all));
  const broken: Redact = (dirty) =>
    /^\s*[[{]/.test(dirty)
      ? withoutSecretsAround(withoutSecretsInStrings(dirty, inResults).text, inResults)
      : text(dirty);

  return {
    text,
    json,
    broken,
    key: (text) => withoutFound(text, findSecrets(text, own)),
    inResults,
    all,
    hidden: () => hidden,
  };
}

function withoutSecretsInStrings(text: string, secrets: readonly Secret[]): { text: string; hidden: number } {
  const found = findSecrets(text, secrets);
  let clean = '';
  let from = 0;
  let hidden = 0;
  /** Behind the string last looked at. */
  let at = 0;
  for (let next = 0, span = found[0]; span !== undefined; span = found[next]) {
    const open = span.end <= at ? -1 : text.indexOf('"', at);
    if (open === -1 || open >= span.end) {
      // It ended with the last string, or stands in none: then it is a number, and no secret of ours.
      next += 1;
      continue;
    }
    at = stringEnd(text, open);
    let behind = next;
    while ((found[behind]?.start ?? text.length) < at) behind += 1;
    if (behind === next) continue;
    const string = withoutSecrets(text.slice(open, at), open, found.slice(next, behind), secrets);
    if (string.hidden === 0) continue;
    clean += text.slice(from, open) + string.text;
    from = at;
    hidden += string.hidden;
  }
  return { text: hidden === 0 ? text : clean + text.slice(from), hidden };
}

/**
 * What is no whole string, without secrets: what stands between strings but for numbers, and a last one that does not
 * end.
 */
function withoutSecretsAround(text: string, secrets: readonly Secret[]): string {
  const found = findSecrets(text, secrets);
  const inBetween = secrets.filter((secret) => !/^[-+.\deE]+$/.test(secret.text));
  let clean = '';
  /** Up to here the text is in `clean`, and up to `at` it is looked through. */
  let from = 0;
  let at = 0;
  const take = (end: number, secrets: readonly Secret[]): void => {
    const piece = text.slice(at, end);
    clean += text.slice(from, at) + withoutFound(piece, findSecrets(piece, secrets));
    from = at = end;
  };
  for (const { start, end } of found) {
    while (at < end) {
      const open = text.indexOf('"', at);
      const border = open === -1 ? text.length : open;
      if (border > start) take(border, inBetween);
      at = border;
      if (open === -1) break;
      const close = stringEnd(text, open);
      if (close > start && parseJson(text.slice(open, close)) === undefined) take(close, secrets);
      at = close;
    }
  }
  return clean + text.slice(from);
}

/** A string as it is in JSON, quotes included, in a text at `open`, and what was found there. */
function withoutSecrets(
  quoted: string,
  open: number,
  inText: readonly Found[],
  secrets: readonly Secret[],
): { text: string; hidden: number } {
  const given = inText.map((span) => ({ ...span, start: span.start - open, end: span.end - open }));
  const isWithin = given.every(({ start, end }) => start > 0 && end < quoted.length);
  // What reaches over the string's ends may have hidden another that does not.
  const found = isWithin
    ? given
    : findSecrets(quoted.slice(1, -1), secrets).map((span) => ({ ...span, start: span.start + 1, end: span.end + 1 }));
  const clean = withoutFound(quoted, found);
  if (found.length === 0 || parseJson(clean) !== undefined) return { text: clean, hidden: found.length };
  // What was found begins or ends within an escape: `\nabc` holds no `nabc`, and what it does hold shows when it is
  // read.
  if (parseJson(quoted) === undefined) return { text: quoted, hidden: 0 };
  const read = String(JSON.parse(quoted));
  const within = findSecrets(read, secrets);
  return within.length === 0
    ? { text: quoted, hidden: 0 }
    : { text: JSON.stringify(withoutFound(read, within)), hidden: within.length };
}

/**
 * The secrets this run has in memory: keys and s3 secrets as they are read or kept, and values of variables that are
 * called one. Whatever a service answers goes through them before it is kept or shown; the log hides them as well.
 * None is ever taken out again: a reply may repeat a key that was replaced since.
 */
export interface KnownSecrets {
  add(secret: string, mark: Mark): void;
  all(): readonly Secret[];
}

/** The secrets of this run. Each is hidden in the log as soon as it is added. */
export function createKnownSecrets(log: { hide(secret: string): void }): KnownSecrets {
  const known = new Map<string, Secret>();
  return {
    add(secret, mark) {
      log.hide(secret);
      // A variable may hold the key: it is the key even so.
      const former = known.get(secret)?.mark;
      if (former === undefined || (former !== mark && mark === '[key]')) known.set(secret, secretOf(secret, mark));
    },
    all: () => [...known.values()],
  };
}

/**
 * The last word of a name that promises a secret: `HF_TOKEN`, `apiKey`, `PGPASSWORD`; not `MAX_TOKEN_LIMIT`,
 * `PASSWORD_FILE`, `MONKEY`.
 */
const secretWord =
  /^(?:[a-z\d]*(?:token|secret|password|passwd|passphrase|pwd|credential)s?|(?:api|secret|private)?keys?|pass|auth)$/;
/** Before "key": such a key is meant to be shared, or names a thing in a store. */
const openKey = /^(?:public|publishable|cache|object|idempotency)$/;

/**
 * Whether a variable surely holds a secret, by its name and its value both: to take a value out of results damages them
 * where it is none. Only a long text unlike any word, model, date or path is; and an `ACCESS_KEY` alone is mostly the
 * id that stands in every signed address.
 */
export function isSurelySecret(name: string, text: string): boolean {
  return saysSecret(name) && isUnguessable(text);
}

function saysSecret(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => !/^\d*$/.test(word));
  const last = words.at(-1) ?? '';
  if (!secretWord.test(last)) return false;
  if (!last.endsWith('key') && !last.endsWith('keys')) return true;
  return !words.some((word) => openKey.test(word)) && (words.at(-2) !== 'access' || words.includes('secret'));
}

/** Characters of one run of letters and digits. */
const shortestRun = 12;
/**
 * Characters; words are longer, and what was drawn by chance changes between small and capital letters and digits all
 * the time.
 */
const longestMeanPiece = 3.5;
/** An AWS access key's id, which is public. */
const accessKeyId = /^A[A-Z]{2}A[A-Z\d]{16}$/;

function isUnguessable(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || /^[/.~]|^\w+:\/\//.test(text) || accessKeyId.test(text)) return false;
  return (text.match(/[A-Za-z\d]+/g) ?? []).some(
    (run) =>
      run.length >= shortestRun && run.length < longestMeanPiece * (run.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).length,
  );
}
