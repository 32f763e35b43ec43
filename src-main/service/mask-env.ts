import { parseJson, stringEnd } from '../../src-preload/json-spans.ts';
import { hiddenValue } from '../../src-preload/pod-reading.ts';
import { isSurelySecret, type Redact } from '../redaction/redactor.ts';
import type { ServiceFailure } from '../../src-preload/failure.ts';

/** Names under which replies carry variables: `env`, `containerEnv`, and what other services of the kind call it. */
const envName = /^(?:[a-z]+[-_ ])*env(?:s|iron|ironments?)?(?:[-_ ]?(?:var(?:iable)?s?|map|list))?$/i;
const camelName = /^[a-z]+(?:[A-Z][a-z]+)*Env(?:s|ironment)?(?:Var(?:iable)?s?)?$/;

/** Whether a field of this name holds variables, whose values may be secrets (field notes: Pod). */
export function isEnvName(name: string): boolean {
  return envName.test(name) || camelName.test(name);
}

/** Of a string its first quote alone: a pattern runs out of stack over a whole one of many megabytes. */
const token = /"|[^\s"{}[\],:]+|[{}[\],:]/.source;

/**
 * What is open now: an object or array, whether all in it belongs to variables, and the key that the next value belongs
 * to.
 */
interface Level {
  isObject: boolean;
  isEnv: boolean;
  key: string | null;
}

/** What becomes of a key or scalar, as the JSON text it is. */
interface Rewrite {
  inEnv: (part: string) => string;
  elsewhere: (part: string) => string;
  key: (part: string) => string;
}

/** The JSON text with its scalars and keys rewritten; spaces, order and doubled keys stay. Takes valid JSON. */
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
    return isEnv ? rewrite.inEnv(part) : rewrite.elsewhere(part);
  }

  const written: string[] = [];
  // Of its own, since texts hold texts: each stands at another place.
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
 * The JSON text with every value inside an `env` hidden, at any depth, whatever its form, also in JSON within a text;
 * and elsewhere, what repeats one of `repeated`. Names, everything else and the spelling of both stay as they came.
 * Works on the text, so that doubled keys cannot carry one past. Takes valid JSON.
 */
export function maskEnv(json: string, repeated: readonly string[] = secretValues(json)): string {
  return rewritten(json, {
    // Null is no value: that a variable or all of env is not set is worth seeing.
    inEnv: (part) => (part === 'null' ? part : JSON.stringify(hiddenValue)),
    elsewhere: (part) => withoutEnv(part, repeated),
    key: same,
  });
}

/** A text as it is in JSON, without what it may hold of variables. */
function withoutEnv(part: string, repeated: readonly string[]): string {
  if (!part.startsWith('"')) return part;
  const text = decoded(part);
  const within = nested(text);
  let clean = within === null ? text : maskEnv(within, repeated);
  for (const value of repeated) clean = clean.replaceAll(value, hiddenValue);
  return clean === text ? part : JSON.stringify(clean);
}

/**
 * The JSON text with `change` over each text that is a value, as it reads; every other byte stays. Takes valid JSON.
 */
function changedTexts(json: string, change: (text: string) => string): string {
  const changed = (part: string): string => {
    if (!part.startsWith('"')) return part;
    const text = decoded(part);
    const other = change(text);
    return other === text ? part : JSON.stringify(other);
  };
  return rewritten(json, { inEnv: changed, elsewhere: changed, key: same });
}

/**
 * The JSON text with `redact` over everything that is no variable: a variable may rightly hold the key. Takes valid
 * JSON.
 */
export function redactOutsideEnv(json: string, redact: Redact): string {
  const quoted = (part: string): string => (part.startsWith('"') ? redact(part) : part);
  return rewritten(json, { inEnv: same, elsewhere: quoted, key: quoted });
}

interface FoundValue {
  /** Of the variable, where it is known. */
  name: string;
  text: string;
}

/** Every value that `maskEnv` would hide inside an `env`, as plain text. Takes valid JSON. */
export function envValues(json: string): string[] {
  return foundValues(json).map(({ text }) => text);
}

/** A value to look into: what it is called, and whether it belongs to variables. */
interface Looked {
  value: unknown;
  name: string;
  isEnv: boolean;
}

/**
 * Every variable in the JSON text with its value, in whatever form: `{A: b}`, `[{name: A, value: b}]` or `"A=b"`, in
 * the order they stand. Looks into one value after the other, so that no depth is too deep.
 */
function foundValues(json: string): FoundValue[] {
  const found: FoundValue[] = [];
  const left: Looked[] = [{ value: JSON.parse(json), name: '', isEnv: false }];
  for (let looked = left.pop(); looked !== undefined; looked = left.pop()) {
    if (looked.isEnv) found.push(...valuesIn(looked));
    const within = lookedWithin(looked);
    for (let at = within.length - 1; at >= 0; at -= 1) {
      const next = within[at];
      if (next !== undefined) left.push(next);
    }
  }
  return found;
}

/** The values that a text or number among variables is. */
function valuesIn({ value, name }: Looked): FoundValue[] {
  if (typeof value === 'number') return [{ name, text: String(value) }];
  if (typeof value !== 'string') return [];
  const [, before, after] = /^\s*([A-Za-z_]\w*)=(.+)$/s.exec(value) ?? [];
  return [
    { name, text: value },
    ...(before === undefined || after === undefined ? [] : [{ name: before, text: after }]),
  ];
}

/** What stands one level below. */
function lookedWithin({ value, name, isEnv }: Looked): Looked[] {
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
const shortestRepeated = 8;

/**
 * Values worth hiding wherever they stand again: those of variables that are called a token, key, password and the
 * like. Others are often what is shown elsewhere by right: the pod's id, its image, a path.
 */
export function secretValues(json: string): string[] {
  const values = foundValues(json)
    .filter(({ name, text }) => text.length >= shortestRepeated && secretName.test(name))
    .map(({ text }) => text);
  return [...new Set(values)].sort((one, other) => other.length - one.length);
}

/**
 * Values of variables that are surely secret, and so are taken out of what a job gives back. Takes valid JSON; `isEnv`:
 * all of it is an `env`.
 */
export function secretsForResults(json: string, isEnv: boolean): string[] {
  const found = foundValues(isEnv ? `{"env":${json}}` : json);
  return [...new Set(found.filter(({ name, text }) => isSurelySecret(name, text)).map(({ text }) => text))];
}

/** Numbers, switches and the words that every error has: to take these out would only make it unreadable. */
const commonValue = /^(?:-?[\d.]{1,7}|true|false|null|none|error|errors|message|detail|title|status|name)$/i;

/** What of these values is taken out of an error that repeats it. */
export function valuesToRedact(values: Iterable<string>): string[] {
  return [...new Set(values)].filter((value) => value.length >= 4 && !commonValue.test(value));
}

/** The text where it is JSON of an object or list; null otherwise. */
function nested(text: string): string | null {
  return /^\s*[{[]/.test(text) && parseJson(text) !== undefined ? text : null;
}

function decoded(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** Where variables may begin in a text that is no JSON. */
const envPlace = /(?:^|[^A-Za-z0-9])env|[a-z]Env|_env|\\u0{2}65/i;
/** Where they surely do in a sentence: `env: {...`, `"environment":[`, `env A=b`. */
const envInSentence =
  /(?:^|[^A-Za-z0-9]|_|[a-z](?=E))env(?:s|ironment)?(?:[-_ ]?var(?:iable)?s?)?\\*["']?\s*(?:[:=]|[{[]|\w+=)/i;
/** `HF_TOKEN=...`: the end of such a value is unknown. */
const assignment = /(?<=(?:^|[^A-Za-z0-9_])[A-Z][A-Z0-9_]{2,100})=/;
const cutNote = '… cut here by Jobdeck: variables may follow';

/**
 * A failure of a management call without env values in what it quotes: a reply that broke off or an error may hold some
 * of a pod or template.
 */
export function maskedFailure(failure: ServiceFailure): ServiceFailure {
  const { rawReply, serviceSaid, ...rest } = failure;
  const isPiece = failure.httpStatus !== undefined && failure.httpStatus < 300;
  const raw = rawReply === undefined ? undefined : maskedText(rawReply, isPiece);
  // A 2xx body is a resource or a piece of one: its best line may be a variable's value, unless it still stands in what
  // is left.
  const isSaid =
    serviceSaid !== undefined && (!isPiece || raw?.includes(JSON.stringify(serviceSaid).slice(1, -1)) === true);
  return {
    ...rest,
    ...(isSaid ? { serviceSaid: sentence(serviceSaid) } : {}),
    ...(raw === undefined ? {} : { rawReply: raw }),
  };
}

function maskedText(text: string, isPiece: boolean): string {
  try {
    const masked = maskEnv(text);
    // An error's own sentences may quote some of what was wrong, also in another form than JSON.
    return isPiece ? masked : changedTexts(masked, sentence);
  } catch {
    // No JSON.
    return cutAt(text, [envPlace, assignment], '\n');
  }
}

function sentence(text: string): string {
  return cutAt(text, [envInSentence, assignment], ' ');
}

function cutAt(text: string, places: readonly RegExp[], before: string): string {
  const found = places.flatMap((place) => place.exec(text)?.index ?? []);
  return found.length === 0 ? text : `${text.slice(0, Math.min(...found))}${before}${cutNote}`;
}
