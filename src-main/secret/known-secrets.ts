import { secretOf } from './find-secrets.ts';
import type { Mark, Secret } from './find-secrets.ts';

/**
 * The secrets this run has in memory: keys and s3 secrets as they are read or kept, and values of variables that are
 * called one. Whatever a service answers goes through them before it is kept or shown; the log hides them as well.
 * None is ever taken out again: a reply may repeat a key that was replaced since.
 */
export interface KnownSecrets {
  add(secret: string, mark: Mark): void;
  all(): readonly Secret[];
}

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
/** Before "key": it is told to others by right, or names a thing in a store. */
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
