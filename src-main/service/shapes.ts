import type { JobStatus } from '../../src-preload/job.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { memberTexts, stringEnd } from '../../src-preload/json-spans.ts';
import type { HealthRecord, JobRecord, PurgeResult } from './reply.ts';

/** What a reply became, or why it cannot be read: the end of the sentence "the reply ...". */
export type Shaped<T> = Result<T, string>;

/** What a job record may leave out because the request says it already. */
export interface AskedJob {
  /** Id the request named; null on run and runsync. */
  id: string | null;
  /**
   * Status a reply with an id alone stands for: IN_QUEUE on run, runsync and retry; null where the reply must say it.
   */
  status: JobStatus | null;
}

/** A reply that is an object, as texts. */
export interface Fields {
  /** The whole reply. */
  raw: string;
  /** Exact JSON text of each member. */
  texts: ReadonlyMap<string, string>;
  /** Members that nest deeper than `deepestValue`. */
  deep: ReadonlySet<string>;
  /** JSON text of the id as it came, also where the rest is without secrets. */
  idText: string | null;
  /** The member `error` decoded, where it is a long string. */
  errorText: string | null;
}

export const jobFields = ['id', 'status', 'output', 'error', 'delayTime', 'executionTime', 'workerId'] as const;
/** Characters; a longer member is none of the small ones that are read as values. */
const longestValue = 65_536;
/** Characters of members nobody listed that are made values of; the rest of them stays text. */
const mostExtra = 262_144;

/**
 * spec: Job record. Needs an id or a status beyond what was asked; everything else is optional, every status is taken
 * verbatim (ruling 8). One about another job than asked for is refused (ruling 41).
 */
export function readJobRecord(fields: Fields, asked: AskedJob): Shaped<JobRecord> {
  const givenId = idOf(fields.idText ?? undefined);
  const givenStatus = textOf(valueOf(fields, 'status'));
  const id = givenId ?? (givenStatus === null ? null : asked.id);
  if (id === null) return failed(givenStatus === null ? 'has neither an id nor a status' : 'has no id');
  if (asked.id !== null && id !== asked.id) return failed(`is about another job (${id})`);
  const status = givenStatus ?? asked.status;
  if (status === null) return failed('has no status');
  return ok({
    id,
    status,
    outputJson: fields.texts.get('output') ?? null,
    errorText: fields.errorText ?? errorTextOf(fields.texts.get('error')),
    delayTimeMs: numberOf(valueOf(fields, 'delayTime')),
    executionTimeMs: numberOf(valueOf(fields, 'executionTime')),
    workerId: textOf(valueOf(fields, 'workerId')),
    extra: extraOf(fields, new Set<string>(jobFields)),
    raw: fields.raw,
  });
}

const jobCounters = ['completed', 'failed', 'inProgress', 'inQueue', 'retried'] as const;
const optionalWorkerCounters = ['initializing', 'ready', 'throttled', 'unhealthy'] as const;
const workerCounters: ReadonlySet<string> = new Set(['idle', 'running', ...optionalWorkerCounters]);

/**
 * spec: Health record. Needs one of the objects jobs and workers; a counter that is missing is 0, the optional ones
 * stay absent (ruling 27). Fields nobody listed are in `extra`, those of jobs and workers under `jobs.name`,
 * `workers.name`.
 */
export function readHealth(fields: Fields): Shaped<HealthRecord> {
  const jobs = objectOf(valueOf(fields, 'jobs'));
  const workers = objectOf(valueOf(fields, 'workers'));
  if (jobs === null && workers === null) return failed('has neither jobs nor workers');
  const job = (name: (typeof jobCounters)[number]): number => numberOf(jobs?.get(name)) ?? 0;
  const record: HealthRecord = {
    jobs: {
      completed: job('completed'),
      failed: job('failed'),
      inProgress: job('inProgress'),
      inQueue: job('inQueue'),
      retried: job('retried'),
    },
    workers: { idle: numberOf(workers?.get('idle')) ?? 0, running: numberOf(workers?.get('running')) ?? 0 },
    extra: {
      ...extraOf(fields, new Set(['jobs', 'workers'])),
      ...unnamed('jobs', jobs, new Set(jobCounters), fields),
      ...unnamed('workers', workers, workerCounters, fields),
    },
  };
  for (const name of optionalWorkerCounters) {
    const count = numberOf(workers?.get(name));
    if (count !== null) record.workers[name] = count;
  }
  return ok(record);
}

function unnamed(
  prefix: string,
  members: Map<string, unknown> | null,
  named: ReadonlySet<string>,
  { texts }: Fields,
): Record<string, unknown> {
  if (members === null) return {};
  const held = shallow(
    Object.fromEntries([...members].filter(([name]) => !named.has(name))),
    memberTexts(texts.get(prefix) ?? ''),
  );
  return Object.fromEntries(Object.entries(held).map(([name, value]) => [`${prefix}.${name}`, value]));
}

/** A value that nests deeper runs the threads it is copied between out of stack: nobody sends one in good faith. */
export const deepestValue = 200;

/** The fields, with a value that nests too deep as the text it came in. */
export function shallow(fields: Record<string, unknown>, texts: Map<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const text = texts.get(name) ?? 'null';
      return [name, nestsDeeper(text, deepestValue) ? text : value];
    }),
  );
}

/** Whether a JSON text nests deeper than so many levels. */
function nestsDeeper(json: string, levels: number): boolean {
  const structural = /["[\]{}]/g;
  let depth = 0;
  for (let found = structural.exec(json); found !== null; found = structural.exec(json)) {
    if (found[0] === '"') structural.lastIndex = stringEnd(json, found.index);
    else if (found[0] === '}' || found[0] === ']') depth -= 1;
    else depth += 1;
    if (depth > levels) return true;
  }
  return false;
}

/** spec: Purge result. Needs the count. */
export function readPurge(fields: Fields): Shaped<PurgeResult> {
  const removed = numberOf(valueOf(fields, 'removed'));
  if (removed === null) return failed('does not say how many jobs were removed');
  return ok({ removed, status: textOf(valueOf(fields, 'status')) ?? '' });
}

/** A number, also when it was sent as text (ruling 29). Null for everything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || !/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A text that says something, or a number written as one (ids are sent as either). Null for everything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/**
 * An id from its JSON text, also when it is sent as a number: then in its own digits, which a value would round over
 * 2^53.
 */
export function idOf(json: string | undefined): string | null {
  if (json === undefined || json.length > longestValue) return null;
  return /^-?\d+$/.test(json) ? json : textOf(JSON.parse(json));
}

/** Text of `error`: as it is, or its JSON text when it is no string. Null when absent or null. */
function errorTextOf(json: string | undefined): string | null {
  if (json === undefined || json === 'null') return null;
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** The value of a member that is small by nature; undefined where it is absent or too long to be one. */
export function valueOf({ texts }: Fields, name: string): unknown {
  const json = texts.get(name);
  if (json === undefined || json.length > longestValue) return undefined;
  const value: unknown = JSON.parse(json);
  return value;
}

/**
 * The members `named` does not list, as an object whose keys are its own whatever they are called. One that nests too
 * deep is the text it came in, and so is what comes when many characters of them were made values of.
 */
export function extraOf({ texts, deep }: Fields, named: ReadonlySet<string>): Record<string, unknown> {
  let left = mostExtra;
  const extra: [string, unknown][] = [];
  for (const [name, json] of texts) {
    if (named.has(name)) continue;
    const isText = deep.has(name) || json.length > left;
    if (!isText) left -= json.length;
    const value: unknown = isText ? json : JSON.parse(json);
    extra.push([name, value]);
  }
  return Object.fromEntries(extra);
}

/** The fields of a JSON object; null for anything else. */
export function objectOf(value: unknown): Map<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map<string, unknown>(Object.entries(value))
    : null;
}

/** Reads a text that must be a JSON object: one that is kept, or short. */
export function readObject(raw: string): Shaped<Fields> {
  if (raw.trim() === '') return failed('is empty');
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return failed(/^\s*</.test(raw) ? 'is a web page, not JSON' : 'is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return failed('is not a JSON object');
  const texts = memberTexts(raw);
  const deep = new Set([...texts].filter(([, json]) => nestsDeeper(json, deepestValue)).map(([name]) => name));
  return ok({ raw, texts, deep, idText: texts.get('id') ?? null, errorText: null });
}
