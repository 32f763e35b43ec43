import type { JobStatus } from '../../src-preload/job.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import { elementTexts, memberTexts } from './json-spans.ts';
import type { HealthRecord, JobRecord, PurgeResult, StreamReply } from './reply.ts';

/** What a reply became, or why it cannot be read: the end of the sentence "the reply ...". */
export type Shaped<T> = Result<T, string>;

/** What a job record may leave out because the request says it already. */
export interface AskedJob {
  /** Id the request named; null on run and runsync. */
  id: string | null;
  /** Status a reply with an id alone stands for: IN_QUEUE on run, runsync and retry; null where it must be told. */
  status: JobStatus | null;
}

const jobFields: ReadonlySet<string> = new Set(['id', 'status', 'output', 'error', 'delayTime', 'executionTime', 'workerId']);

/**
 * spec: Job record. Needs an id or a status beyond what was asked; everything else is optional, every status is taken
 * verbatim (ruling 8). One about another job than asked for is refused (ruling 41).
 */
export function readJobRecord(raw: string, asked: AskedJob): Shaped<JobRecord> {
  const read = readObject(raw);
  if (!read.ok) return read;
  const { fields, texts } = read.value;
  const givenId = idOf(fields.get('id'), texts.get('id'));
  const givenStatus = textOf(fields.get('status'));
  const id = givenId ?? (givenStatus === null ? null : asked.id);
  if (id === null) return failed(givenStatus === null ? 'has neither an id nor a status' : 'has no id');
  if (asked.id !== null && id !== asked.id) return failed(`is about another job (${id})`);
  const status = givenStatus ?? asked.status;
  if (status === null) return failed('has no status');
  return ok({
    id,
    status,
    outputJson: texts.get('output') ?? null,
    errorText: errorTextOf(fields.get('error'), texts.get('error')),
    delayTimeMs: numberOf(fields.get('delayTime')),
    executionTimeMs: numberOf(fields.get('executionTime')),
    workerId: textOf(fields.get('workerId')),
    extra: shallow(extraOf(fields, jobFields), texts),
    raw,
  });
}

/** spec: Stream chunk. Takes a bare array, `{status, stream: [...]}`, or one chunk alone (ruling 1). */
export function readStream(raw: string): Shaped<StreamReply> {
  const value = parse(raw);
  if (!value.ok) return value;
  if (Array.isArray(value.value)) return ok({ status: null, chunks: elementTexts(raw).map(readChunk) });
  if (typeof value.value !== 'object' || value.value === null) return failed('is neither an array of chunks nor an object');
  const fields = fieldsOf(value.value);
  const texts = memberTexts(raw);
  const status = textOf(fields.get('status'));
  if (!fields.has('stream')) {
    // With an id it is a job record, whose output is the result and no increment.
    if (status !== null && (fields.has('id') || !fields.has('output'))) return ok({ status, chunks: [] });
    return fields.has('output') ? ok({ status, chunks: [readChunk(raw.trim())] }) : failed('has no stream');
  }
  const stream = fields.get('stream');
  const streamText = texts.get('stream') ?? 'null';
  if (Array.isArray(stream)) return ok({ status, chunks: elementTexts(streamText).map(readChunk) });
  return ok({ status, chunks: stream === null ? [] : [readChunk(streamText)] });
}

/**
 * One element of a stream, as texts. An element that is no object with `output` is all output. Reading drains the
 * stream on the server (ruling 2), so fields beside output and metrics are kept too: with the metrics.
 */
function readChunk(text: string): { outputJson: string; metricsJson: string | null } {
  const texts = memberTexts(text);
  const outputJson = texts.get('output');
  if (outputJson === undefined) return { outputJson: text, metricsJson: null };
  const metrics = texts.get('metrics') ?? null;
  const beside = [...texts].filter(([name]) => name !== 'output' && name !== 'metrics');
  if (beside.length === 0) return { outputJson, metricsJson: metrics };
  const ownMetrics: [string, string][] = metrics === null ? [] : metrics.startsWith('{') ? [...memberTexts(metrics)] : [['metrics', metrics]];
  const members = new Map<string, string>([...beside, ...ownMetrics]);
  return { outputJson, metricsJson: `{${[...members].map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(',')}}` };
}

const jobCounters = ['completed', 'failed', 'inProgress', 'inQueue', 'retried'] as const;
const optionalWorkerCounters = ['initializing', 'ready', 'throttled', 'unhealthy'] as const;
const workerCounters: ReadonlySet<string> = new Set(['idle', 'running', ...optionalWorkerCounters]);

/**
 * spec: Health record. Needs one of the objects jobs and workers; a counter that is missing is 0, the optional ones
 * stay absent (ruling 27). Fields nobody listed are in `extra`, those of jobs and workers under `jobs.name`, `workers.name`.
 */
export function readHealth(raw: string): Shaped<HealthRecord> {
  const read = readObject(raw);
  if (!read.ok) return read;
  const { fields, texts } = read.value;
  const jobs = objectOf(fields.get('jobs'));
  const workers = objectOf(fields.get('workers'));
  if (jobs === null && workers === null) return failed('has neither jobs nor workers');
  const job = (name: (typeof jobCounters)[number]): number => numberOf(jobs?.get(name)) ?? 0;
  const record: HealthRecord = {
    jobs: { completed: job('completed'), failed: job('failed'), inProgress: job('inProgress'), inQueue: job('inQueue'), retried: job('retried') },
    workers: { idle: numberOf(workers?.get('idle')) ?? 0, running: numberOf(workers?.get('running')) ?? 0 },
    extra: {
      ...shallow(extraOf(fields, new Set(['jobs', 'workers'])), texts),
      ...unnamed('jobs', jobs, new Set(jobCounters), texts),
      ...unnamed('workers', workers, workerCounters, texts),
    },
  };
  for (const name of optionalWorkerCounters) {
    const count = numberOf(workers?.get(name));
    if (count !== null) record.workers[name] = count;
  }
  return ok(record);
}

function unnamed(prefix: string, fields: Map<string, unknown> | null, named: ReadonlySet<string>, texts: Map<string, string>): Record<string, unknown> {
  if (fields === null) return {};
  const held = shallow(extraOf(fields, named), memberTexts(texts.get(prefix) ?? ''));
  return Object.fromEntries(Object.entries(held).map(([name, value]) => [`${prefix}.${name}`, value]));
}

/** A value that nests deeper runs the threads it is copied between out of stack: nobody sends one in good faith. */
const deepestValue = 200;

/** The fields, with a value that nests too deep as the text it came in. */
export function shallow(fields: Record<string, unknown>, texts: Map<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, nestsDeeper(value, deepestValue) ? (texts.get(name) ?? null) : value]));
}

/** Whether `value`, made of JSON, nests deeper than so many levels. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => nestsDeeper(member, levels - 1));
}

/** spec: Purge result. Needs the count. */
export function readPurge(raw: string): Shaped<PurgeResult> {
  const read = readObject(raw);
  if (!read.ok) return read;
  const removed = numberOf(read.value.fields.get('removed'));
  if (removed === null) return failed('does not say how many jobs were removed');
  return ok({ removed, status: textOf(read.value.fields.get('status')) ?? '' });
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

/** An id, also when it is sent as a number: then in its own digits, which a value would round over 2^53. */
export function idOf(value: unknown, text: string | undefined): string | null {
  return typeof value === 'number' && text !== undefined && /^-?\d+$/.test(text) ? text : textOf(value);
}

/** Text of `error`: as it is, or its JSON text when it is no string. Null when absent or null. */
function errorTextOf(value: unknown, text: string | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : (text ?? null);
}

/** The fields `named` does not list, as an object whose keys are its own whatever they are called. */
export function extraOf(fields: Map<string, unknown>, named: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries([...fields].filter(([name]) => !named.has(name)));
}

/** The fields of a JSON object; null for anything else. */
export function objectOf(value: unknown): Map<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? fieldsOf(value) : null;
}

function fieldsOf(value: object): Map<string, unknown> {
  return new Map<string, unknown>(Object.entries(value));
}

/** Parses a reply that must be an object, into values and into the exact text of each. */
export function readObject(raw: string): Shaped<{ fields: Map<string, unknown>; texts: Map<string, string> }> {
  const value = parse(raw);
  if (!value.ok) return value;
  const fields = objectOf(value.value);
  if (fields === null) return failed('is not a JSON object');
  return ok({ fields, texts: memberTexts(raw) });
}

function parse(raw: string): Shaped<unknown> {
  if (raw.trim() === '') return failed('is empty');
  try {
    const value: unknown = JSON.parse(raw);
    return ok(value);
  } catch {
    return failed(/^\s*</.test(raw) ? 'is a web page, not JSON' : 'is not JSON');
  }
}
