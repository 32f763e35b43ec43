import { parseJson, stringEnd } from '../../src-preload/json-spans.ts';
import { hiddenValue } from '../../src-preload/pod-reading.ts';
import { isSurelySecret, type Redact } from '../redaction/redactor.ts';
import type { ServiceFailure } from '../../src-preload/failure.ts';
import { workerText } from '../messages/service/failures.ts';

/** The names of fields with variables: `env`, `containerEnv`, and those of similar services. */
const envName = /^(?:[a-z]+[-_ ])*env(?:s|iron|ironments?)?(?:[-_ ]?(?:var(?:iable)?s?|map|list))?$/i;
const camelName = /^[a-z]+(?:[A-Z][a-z]+)*Env(?:s|ironment)?(?:Var(?:iable)?s?)?$/;

/** Whether a field with this name contains variables, whose values may be secrets (field notes: Pod). */
export function isEnvName(name: string): boolean {
  return envName.test(name) || camelName.test(name);
}

/** Matches only the first quote of a string: a pattern over a string of many megabytes would exceed the stack. */
const token = /"|[^\s"{}[\],:]+|[{}[\],:]/.source;

/** An open object or array, whether all of it belongs to variables, and the key of the next value. */
interface Level {
  isObject: boolean;
  isEnv: boolean;
  key: string | null;
}

/** The replacement for a key or scalar, as JSON text. */
interface Rewrite {
  inEnv: (part: string) => string;
  outsideEnv: (part: string) => string;
  key: (part: string) => string;
}

/** The JSON text with its scalars and keys replaced. Spaces, order and duplicate keys stay. Takes valid JSON. */
function rewritten(json: string, rewrite: Rewrite): string {
  const levels: Level[] = [];
  let isEnvNext = false;

  function one(part: string): string {
    const level = levels.at(-1);
    const isEnv = level?.isEnv === true || isEnvNext;
    switch (part) {
      case '{':
      case '[':
        levels.push({ isObject: part === '{', isEnv, key: null });
        isEnvNext = false;
        return part;
      case '}':
      case ']':
        levels.pop();
        return part;
      case ',':
        if (level !== undefined) level.key = null;
        return part;
      case ':':
        return part;
      default:
    }
    if (level?.isObject === true && level.key === null) {
      level.key = decoded(part);
      isEnvNext = !level.isEnv && isEnvName(level.key);
      return level.isEnv ? part : rewrite.key(part);
    }
    isEnvNext = false;
    return isEnv ? rewrite.inEnv(part) : rewrite.outsideEnv(part);
  }

  const written: string[] = [];
  // A new one for each call, because texts contain texts and each has its own position.
  const next = new RegExp(token, 'g');
  let from = 0;
  for (let found = next.exec(json); found !== null; found = next.exec(json)) {
    const end = found[0] === '"' ? stringEnd(json, found.index) : next.lastIndex;
    written.push(json.slice(from, found.index), one(json.slice(found.index, end)));
    from = end;
    next.lastIndex = end;
  }
  return written.join('') + json.slice(from);
}

const same = (part: string): string => part;

/**
 * The JSON text with every value inside an `env` hidden, at any depth and in any form, even in JSON within a string;
 * and elsewhere, what repeats one of `repeated`. Everything else stays unchanged. Works on the text, so that duplicate
 * keys cannot hide one. Takes valid JSON.
 */
export function maskEnv(json: string, repeated: readonly string[] = secretValues(json)): string {
  return rewritten(json, {
    // Null is not a value: the user should see that a variable or all of env is not set.
    inEnv: (part) => (part === 'null' ? part : JSON.stringify(hiddenValue)),
    outsideEnv: (part) => withoutEnv(part, repeated),
    key: same,
  });
}

/** A JSON string without the variables that it may contain. */
function withoutEnv(part: string, repeated: readonly string[]): string {
  if (!part.startsWith('"')) return part;
  const text = decoded(part);
  const within = nested(text);
  let clean = within === null ? text : maskEnv(within, repeated);
  for (const value of repeated) clean = clean.replaceAll(value, hiddenValue);
  return clean === text ? part : JSON.stringify(clean);
}

/** The JSON text with `change` applied to each string value; every other byte stays. Takes valid JSON. */
function changedTexts(json: string, change: (text: string) => string): string {
  const changed = (part: string): string => {
    if (!part.startsWith('"')) return part;
    const text = decoded(part);
    const other = change(text);
    return other === text ? part : JSON.stringify(other);
  };
  return rewritten(json, { inEnv: changed, outsideEnv: changed, key: same });
}

/**
 * The JSON text with `redact` applied to everything except variables, which may rightly contain the key. Takes valid
 * JSON.
 */
export function redactOutsideEnv(json: string, redact: Redact): string {
  const quoted = (part: string): string => (part.startsWith('"') ? redact(part) : part);
  return rewritten(json, { inEnv: same, outsideEnv: quoted, key: quoted });
}

interface FoundValue {
  /** The name of the variable, if known. */
  name: string;
  text: string;
}

/** Every value that `maskEnv` would hide inside an `env`, as plain text. Takes valid JSON. */
export function envValues(json: string): string[] {
  return foundValues(json).map(({ text }) => text);
}

/** A value to search, its name, and whether it belongs to variables. */
interface NamedValue {
  value: unknown;
  name: string;
  isEnv: boolean;
}

/**
 * Every variable in the JSON text with its value, in any form: `{A: b}`, `[{name: A, value: b}]` or `"A=b"`, in order.
 * Searches one value after the other, so that no depth is too deep.
 */
function foundValues(json: string): FoundValue[] {
  const found: FoundValue[] = [];
  const left: NamedValue[] = [{ value: JSON.parse(json), name: '', isEnv: false }];
  for (let searched = left.pop(); searched !== undefined; searched = left.pop()) {
    if (searched.isEnv) found.push(...valuesIn(searched));
    const within = valuesWithin(searched);
    for (let at = within.length - 1; at >= 0; at -= 1) {
      const next = within[at];
      if (next !== undefined) left.push(next);
    }
  }
  return found;
}

/** The values in a text or number among variables. */
function valuesIn({ value, name }: NamedValue): FoundValue[] {
  if (typeof value === 'number') return [{ name, text: String(value) }];
  if (typeof value !== 'string') return [];
  const [, before, after] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.+)$/s.exec(value) ?? [];
  return [
    { name, text: value },
    ...(before === undefined || after === undefined ? [] : readingsOf(after).map((text) => ({ name: before, text }))),
  ];
}

/** What may be meant by the text after `NAME=` in a line of a .env file: without its quotes, or without a comment. */
function readingsOf(after: string): string[] {
  const trimmed = after.trim();
  const [, , quoted] = /^(['"])(.+?)\1/s.exec(trimmed) ?? [];
  if (quoted !== undefined) return [quoted];
  const comment = trimmed.search(/\s#/);
  return comment === -1 ? [trimmed] : [trimmed, trimmed.slice(0, comment).trim()];
}

/** The values one level below. */
function valuesWithin({ value, name, isEnv }: NamedValue): NamedValue[] {
  if (typeof value === 'string') {
    const within = nested(value);
    return within === null ? [] : [{ value: JSON.parse(within), name, isEnv }];
  }
  if (Array.isArray(value)) return value.map((element: unknown) => ({ value: element, name, isEnv }));
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value);
  const called = isEnv
    ? members.find(([key, member]) => /^(?:name|key)$/i.test(key) && typeof member === 'string')?.[1]
    : undefined;
  return members.map(([key, member]: [string, unknown]) => ({
    value: member,
    name: called === undefined || !/^value$/i.test(key) ? key : String(called),
    isEnv: isEnv || isEnvName(key),
  }));
}

const secretName = /token|secret|key|pass|pwd|credential|auth/i;
const minRepeatedChars = 8;

/**
 * Values that are hidden wherever they occur again: those of variables with names such as token, key or password.
 * Others are often shown elsewhere for good reason: the pod's id, its image, a path.
 */
export function secretValues(json: string): string[] {
  const values = foundValues(json)
    .filter(({ name, text }) => text.length >= minRepeatedChars && secretName.test(name))
    .map(({ text }) => text);
  return [...new Set(values)].sort((one, other) => other.length - one.length);
}

/**
 * Values of variables that are certainly secret, so that they are removed from a job's results. Takes valid JSON;
 * `isEnv`: all of it is an `env`.
 */
export function secretsForResults(json: string, isEnv: boolean): string[] {
  const found = foundValues(isEnv ? `{"env":${json}}` : json);
  return [...new Set(found.filter(({ name, text }) => isSurelySecret(name, text)).map(({ text }) => text))];
}

/** Numbers, booleans and common words of errors. Removing these would only make an error unreadable. */
const commonValue = /^(?:-?[\d.]{1,7}|true|false|null|none|error|errors|message|detail|title|status|name)$/i;

/** Those of the values that are removed from an error that repeats them. */
export function valuesToRedact(values: Iterable<string>): string[] {
  return [...new Set(values)].filter((value) => value.length >= 4 && !commonValue.test(value));
}

/** The text if it is JSON of an object or list, otherwise null. */
function nested(text: string): string | null {
  return /^\s*[{[]/.test(text) && parseJson(text) !== undefined ? text : null;
}

function decoded(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** Where variables may begin in a text that is not JSON. */
const envPlace = /(?:^|[^A-Za-z0-9])env|[a-z]Env|_env|\\u0{2}65/i;
/** Where they certainly do in a sentence: `env: {...`, `"environment":[`, `env A=b`. */
const envInSentence =
  /(?:^|[^A-Za-z0-9]|_|[a-z](?=E))env(?:s|ironment)?(?:[-_ ]?var(?:iable)?s?)?\\*["']?\s*(?:[:=]|[{[]|\w{1,200}=)/i;
/** `HF_TOKEN=...`: the end of such a value is not known. */
const assignment = /(?<=(?:^|[^A-Za-z0-9_])[A-Z][A-Z0-9_]{2,100})=/;

/**
 * A failure of a management call without env values in its quotes: an incomplete reply or an error may contain some of
 * a pod or template.
 */
export function maskedFailure(failure: ServiceFailure): ServiceFailure {
  const { rawReply, serviceSaid, ...rest } = failure;
  const isPiece = failure.httpStatus !== undefined && failure.httpStatus < 300;
  const raw = rawReply === undefined ? undefined : maskedText(rawReply, isPiece);
  // A 2xx body is a resource or a part of one: its best line may be a variable's value, unless it is still in the
  // masked text.
  const isQuoted =
    serviceSaid !== undefined && (!isPiece || raw?.includes(JSON.stringify(serviceSaid).slice(1, -1)) === true);
  return {
    ...rest,
    ...(isQuoted ? { serviceSaid: sentence(serviceSaid) } : {}),
    ...(raw === undefined ? {} : { rawReply: raw }),
  };
}

function maskedText(text: string, isPiece: boolean): string {
  try {
    const masked = maskEnv(text);
    // The sentences of an error may quote some of the input, even in another form than JSON.
    return isPiece ? masked : changedTexts(masked, sentence);
  } catch {
    // Not JSON.
    return cutAt(text, [envPlace, assignment], '\n');
  }
}

function sentence(text: string): string {
  return cutAt(text, [envInSentence, assignment], ' ');
}

function cutAt(text: string, places: readonly RegExp[], before: string): string {
  const found = places.flatMap((place) => place.exec(text)?.index ?? []);
  return found.length === 0 ? text : `${text.slice(0, Math.min(...found))}${before}${workerText.cut}`;
}
