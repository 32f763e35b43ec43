import { parseJson, stringEnd } from '../../src-preload/json-spans.ts';
import {
  findSecrets,
  secretOf,
  minCertainChars,
  withoutFound,
  type Found,
  type Secret,
  type Mark,
} from './find-secrets.ts';

export type Redact = (text: string) => string;

/** Removes a request's key and other secrets from what the service answers (docs/architecture.md: Security). */
export interface Redactor {
  /** For any text that a failure quotes. It is not a result, so short secrets of the request are removed as well. */
  text: Redact;
  /**
   * For a JSON reply that may be a result: removes only secrets inside strings that are too long to be words, and
   * leaves every other byte. JSON stays JSON; other texts may be changed.
   */
  json: Redact;
  /**
   * For a result that is incomplete or invalid JSON, whose whole parts are still saved: as `json` in each complete
   * string, and numbers are not changed. Any other text is treated as by `text`.
   */
  broken: Redact;
  /** Removes only the key, from any text. */
  key: Redact;
  /** The secrets that `json` removes, and those that `text` does. */
  inResults: readonly Secret[];
  all: readonly Secret[];
  /** How many places `json` has hidden. */
  hidden(): number;
}

/** The redactor of one request. The secrets in `known` come from this whole run. */
export function redactor(key: string, secrets: readonly string[] = [], known: readonly Secret[] = []): Redactor {
  const own = key === '' ? [] : [secretOf(key, '[key]')];
  const named = [
    ...own,
    ...secrets.filter((text) => text !== '' && text !== key).map((text) => secretOf(text, '[secret]')),
  ];
  // A short secret of another connection counts as an ordinary word here.
  const others = known.filter(
    ({ text }) => text.length >= minCertainChars && named.every((secret) => secret.text !== text),
  );
  const all = [...named, ...others];
  const inResults = all.filter(({ text }) => text.length >= minCertainChars);
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
  /** The end of the last processed string. */
  let at = 0;
  for (let next = 0, span = found[0]; span !== undefined; span = found[next]) {
    const open = span.end <= at ? -1 : text.indexOf('"', at);
    if (open === -1 || open >= span.end) {
      // The secret ended with the last string, or is in no string: then it is a number and not one of our secrets.
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
 * The text outside of complete strings without secrets: between strings, except for numbers, and an unfinished last
 * string.
 */
function withoutSecretsAround(text: string, secrets: readonly Secret[]): string {
  const found = findSecrets(text, secrets);
  const inBetween = secrets.filter((secret) => !/^[-+.\deE]+$/.test(secret.text));
  let clean = '';
  /** `clean` has the text up to here, and the text up to `at` has been processed. */
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

/** A JSON string with its quotes, in a text at `open`, and the secrets found in it. */
function withoutSecrets(
  quoted: string,
  open: number,
  inText: readonly Found[],
  secrets: readonly Secret[],
): { text: string; hidden: number } {
  const given = inText.map((span) => ({ ...span, start: span.start - open, end: span.end - open }));
  const isWithin = given.every(({ start, end }) => start > 0 && end < quoted.length);
  // A secret that crosses the end of the string may have hidden one that does not.
  const found = isWithin
    ? given
    : findSecrets(quoted.slice(1, -1), secrets).map((span) => ({ ...span, start: span.start + 1, end: span.end + 1 }));
  const clean = withoutFound(quoted, found);
  if (found.length === 0 || parseJson(clean) !== undefined) return { text: clean, hidden: found.length };
  // The found secret begins or ends within an escape: `\nabc` does not contain `nabc`. A real one is found when the
  // string is parsed.
  if (parseJson(quoted) === undefined) return { text: quoted, hidden: 0 };
  const read = String(JSON.parse(quoted));
  const within = findSecrets(read, secrets);
  return within.length === 0
    ? { text: quoted, hidden: 0 }
    : { text: JSON.stringify(withoutFound(read, within)), hidden: within.length };
}

/**
 * The secrets in memory: keys and s3 secrets that were read or saved, and values of variables with the name of a
 * secret. Everything a service answers passes through them before it is saved or shown, and the log hides them too.
 * None is ever removed, because a reply may repeat a key that has been replaced.
 */
export interface KnownSecrets {
  add(secret: string, mark: Mark): void;
  all(): readonly Secret[];
}

/** The secrets of this run. Each is registered with the log when it is added. */
export function createKnownSecrets(log: { hide(secret: string): void }): KnownSecrets {
  const known = new Map<string, Secret>();
  return {
    add(secret, mark) {
      log.hide(secret);
      // A variable may contain the key, which stays marked as the key.
      const former = known.get(secret)?.mark;
      if (former === undefined || (former !== mark && mark === '[key]')) known.set(secret, secretOf(secret, mark));
    },
    all: () => [...known.values()],
  };
}

/**
 * The last word of a name that indicates a secret: `HF_TOKEN`, `apiKey`, `PGPASSWORD`; not `MAX_TOKEN_LIMIT`,
 * `PASSWORD_FILE`, `MONKEY`.
 */
const secretWord =
  /^(?:[a-z\d]*(?:token|secret|password|passwd|passphrase|pwd|credential)s?|(?:api|secret|private)?keys?|pass|auth)$/;
/** Words before "key" for keys that are public, or that name an item in a store. */
const openKey = /^(?:public|publishable|cache|object|idempotency)$/;

/**
 * Whether a variable certainly has a secret, by its name and its value. Removing a value that is no secret would damage
 * results, so the value must be long and unlike any word, model, date or path. An `ACCESS_KEY` alone is usually the id
 * that is in every signed address.
 */
export function isSurelySecret(name: string, text: string): boolean {
  return isSecretName(name) && isUnguessable(text);
}

function isSecretName(name: string): boolean {
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

/** The shortest run of letters and digits in a secret, in characters. */
const minRunChars = 12;
/**
 * In characters. Words have longer pieces; in random text the case changes, and letters and digits alternate, all the
 * time.
 */
const maxMeanPieceChars = 3.5;
/** An AWS access key's id, which is public. */
const accessKeyId = /^A[A-Z]{2}A[A-Z\d]{16}$/;

function isUnguessable(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || /^[/.~]|^\w+:\/\//.test(text) || accessKeyId.test(text)) return false;
  return (text.match(/[A-Za-z\d]+/g) ?? []).some(
    (run) =>
      run.length >= minRunChars &&
      run.length < maxMeanPieceChars * (run.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).length,
  );
}
