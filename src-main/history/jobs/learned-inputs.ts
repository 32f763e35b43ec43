import type { DatabaseSync } from 'node:sqlite';
import { parseJson, isJsonObject } from '../../../src-preload/json-spans.ts';
import type { LearnedInputs, LearnedKey, LearnedType } from '../../../src-preload/learned.ts';
import { newestInFacets, readFacets } from './facets.ts';
import { inputBody, readBody } from './bodies.ts';
import { readJobs } from './jobs.ts';

/**
 * How many completed jobs are used: enough to distinguish usual values from rare ones, read within a few milliseconds.
 */
const sampleJobs = 300;
/** Larger inputs are not read: they mostly contain files. */
const maxBytes = 65_536;

/** What the inputs of an endpoint's newest completed jobs have in common. */
export function readLearnedInputs(db: DatabaseSync, connectionId: string, endpointId: string): LearnedInputs {
  const facets = readFacets(db).filter(
    (facet) => facet.connectionId === connectionId && facet.endpointId === endpointId && facet.word === 'completed',
  );
  const ids = newestInFacets(db, facets, { limit: sampleJobs });
  const sample = ids.flatMap((id): SampleInput[] => {
    const [job] = readJobs(db, [id]);
    if (job === undefined || job.inputBytes === 0 || job.inputBytes > maxBytes) return [];
    const body = readBody(db, id, inputBody);
    return body === null ? [] : [{ jobKey: job.key, finishedAtMs: job.finishedSeenAtMs, text: body.text }];
  });
  return { ...learnInputs(sample.map(({ text }) => text)), ...startingPoints(sample) };
}

interface SampleInput {
  jobKey: string;
  finishedAtMs: number | null;
  text: string;
}

/** The smallest of some inputs, by keys and then by length, and that of the job that finished last. Pure. */
export function startingPoints(sample: readonly SampleInput[]): Pick<LearnedInputs, 'smallest' | 'last'> {
  const inputs = sample.flatMap(({ jobKey, finishedAtMs, text }) => {
    const value = parseJson(text);
    return isJsonObject(value)
      ? [{ point: { jobKey, finishedAtMs, keys: Object.keys(value).length }, chars: text.length }]
      : [];
  });
  const [smallest] = inputs.toSorted((one, other) => one.point.keys - other.point.keys || one.chars - other.chars);
  const [last] = inputs.toSorted((one, other) => (other.point.finishedAtMs ?? 0) - (one.point.finishedAtMs ?? 0));
  return { smallest: smallest?.point ?? null, last: last?.point ?? null };
}

const deepest = 4;
const maxKeys = 200;
const maxKeysOfOne = 200;
const maxValues = 5;
/** Longer texts are prompts, which are not sent twice. */
const maxValueChars = 60;
const maxKeyChars = 80;
/** The value of such a key is never offered, although the input itself is saved. */
const namesSecret = /token|secret|passw|passphrase|credential|api_?-?key|private_?-?key|authorization|cookie/i;

/** What is collected about a key over all inputs. */
interface Gathered {
  path: string[];
  types: Map<LearnedType, number>;
  count: number;
  values: Map<string, number>;
  min: number;
  max: number;
}

/**
 * The keys of inputs with their types, most frequent values and bounds. Nested objects are included, lists are not. A
 * text that is not a JSON object is ignored. Pure.
 */
export function learnInputs(inputTexts: readonly string[]): Pick<LearnedInputs, 'jobs' | 'keys'> {
  const all = new Map<string, Gathered>();
  let jobs = 0;
  for (const inputText of inputTexts) {
    const value = parseJson(inputText);
    if (!isJsonObject(value)) continue;
    jobs += 1;
    gather(value, all);
  }
  const keys = [...all.values()]
    .sort((one, other) => other.count - one.count)
    .slice(0, maxKeys)
    .map(learned);
  return { jobs, keys };
}

function gather(input: Record<string, unknown>, all: Map<string, Gathered>): void {
  let level: { path: string[]; object: Record<string, unknown> }[] = [{ path: [], object: input }];
  let seen = 0;
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { path, object } of level) {
      for (const [name, value] of Object.entries(object)) {
        if (name.length > maxKeyChars) continue;
        seen += 1;
        if (seen > maxKeysOfOne) return;
        const inner = [...path, name];
        note(inner, value, all);
        if (isJsonObject(value)) next.push({ path: inner, object: value });
      }
    }
    level = next;
  }
}

function note(path: string[], value: unknown, all: Map<string, Gathered>): void {
  const id = JSON.stringify(path);
  const key = all.get(id) ?? {
    path,
    types: new Map<LearnedType, number>(),
    count: 0,
    values: new Map<string, number>(),
    min: Infinity,
    max: -Infinity,
  };
  all.set(id, key);
  const type = typeOf(value);
  key.count += 1;
  key.types.set(type, (key.types.get(type) ?? 0) + 1);
  if (typeof value === 'number') {
    key.min = Math.min(key.min, value);
    key.max = Math.max(key.max, value);
  }
  if (type === 'object' || type === 'list' || path.some((name) => namesSecret.test(name))) return;
  const json = JSON.stringify(value);
  if (json.length <= maxValueChars) key.values.set(json, (key.values.get(json) ?? 0) + 1);
}

function learned({ path, types, count, values, min, max }: Gathered): LearnedKey {
  return {
    path,
    count,
    types: byCount(types).map(([type]) => type),
    values: byCount(values)
      .slice(0, maxValues)
      .map(([json, times]) => ({ json, count: times })),
    range: min === Infinity || path.some((name) => namesSecret.test(name)) ? null : { min, max },
  };
}

function byCount<T>(counts: ReadonlyMap<T, number>): [T, number][] {
  return [...counts].sort(([, one], [, other]) => other - one);
}

function typeOf(value: unknown): LearnedType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
}
