import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { bufferOf, startOfJson, textAt, type Member, type Span } from './json-scan.ts';

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StreamReply, HealthRecord, JobRecord, PurgeResult } from './reply.ts';
import { memberTexts, stringEnd, isJsonObject } from '../../src-preload/json-spans.ts';
import { dayMs } from '../../src-preload/durations.ts';
import { isTerminalStatus, type JobStatus } from '../../src-preload/job.ts';
import { replyText } from '../messages/service/failures.ts';
import { segmentProblem } from './address.ts';

/** The result of reading a reply, or why it cannot be read: the end of the sentence "the reply ...". */
export type Parsed<T> = Result<T, string>;

/** What a job record may leave out because it is known from the request. */
export interface AskedJob {
  /** The id in the request. Null for run and runsync. */
  id: string | null;
  /** The status of a reply with an id alone: IN_QUEUE for run, runsync and retry; null if the reply must have one. */
  status: JobStatus | null;
}

/** A reply that is an object, as texts. */
export interface Fields {
  /** The whole reply. */
  raw: string;
  /** Exact JSON text of each member. */
  texts: ReadonlyMap<string, string>;
  /** Members that are nested deeper than `deepestValue`. */
  deep: ReadonlySet<string>;
  /** JSON text of the id as it came, even if secrets were removed from the rest. */
  idText: string | null;
  /** The decoded member `error`, if it is a long string. */
  errorText: string | null;
}

export const jobFields = ['id', 'status', 'output', 'error', 'delayTime', 'executionTime', 'workerId'] as const;
/** Characters; a longer member is not one of those that are read as values. */
const maxValueChars = 65_536;
/** How many characters of unlisted members are parsed. The rest stays text. */
const maxExtra = 262_144;

/**
 * spec: Job record. Needs an id or a status in addition to the request; everything else is optional, and every status
 * is taken verbatim (ruling 8). A record of another job is refused (ruling 41).
 */
export function readJobRecord(fields: Fields, requested: AskedJob): Parsed<JobRecord> {
  const givenId = idOf(fields.idText ?? undefined);
  const givenStatus = textOf(valueOf(fields, 'status'));
  const id = givenId ?? (givenStatus === null ? null : requested.id);
  if (id === null) return failed(givenStatus === null ? replyText.noIdNorStatus : replyText.noId);
  if (requested.id !== null && id !== requested.id) return failed(replyText.otherJob(id));
  const status = givenStatus ?? requested.status;
  if (status === null) return failed(replyText.noStatus);
  // Nothing could be asked about this job. Its result, if it has one, is in this record.
  if (segmentProblem(id) !== null && !isTerminalStatus(status)) return failed(replyText.unusableId);
  return ok({
    id,
    status,
    outputJson: fields.texts.get('output') ?? null,
    errorText: fields.errorText ?? errorTextOf(fields.texts.get('error')),
    delayTimeMs: durationOf(fields, 'delayTime'),
    executionTimeMs: durationOf(fields, 'executionTime'),
    workerId: textOf(valueOf(fields, 'workerId')),
    extraJson: extraTextOf(fields, new Set<string>(jobFields.filter((name) => !isNoDuration(fields, name)))),
    raw: fields.raw,
  });
}

/** A job lives for a week at most (spec: policy object). A service of its own kind may allow more. */
const maxDurationMs = 1_000 * dayMs;

/** Milliseconds. Null for what is no duration: one such time would spoil every forecast and every sum of costs. */
function durationOf(fields: Fields, name: 'delayTime' | 'executionTime'): number | null {
  const ms = numberOf(valueOf(fields, name));
  return ms !== null && ms >= 0 && ms <= maxDurationMs ? ms : null;
}

/** Whether a time was sent that is no duration. It is saved among the unlisted fields. */
function isNoDuration(fields: Fields, name: (typeof jobFields)[number]): boolean {
  if (name !== 'delayTime' && name !== 'executionTime') return false;
  return (fields.texts.get(name) ?? 'null') !== 'null' && durationOf(fields, name) === null;
}

const jobCounters = ['completed', 'failed', 'inProgress', 'inQueue', 'retried'] as const;
const optionalWorkerCounters = ['initializing', 'ready', 'throttled', 'unhealthy'] as const;
const workerCounters: ReadonlySet<string> = new Set(['idle', 'running', ...optionalWorkerCounters]);

/**
 * spec: Health record. Needs one of the objects jobs and workers. A missing counter is 0; the optional ones stay absent
 * (ruling 27). Unlisted fields are in `extra`, those of jobs and workers under `jobs.name`, `workers.name`.
 */
export function readHealth(fields: Fields): Parsed<HealthRecord> {
  const jobs = objectOf(valueOf(fields, 'jobs'));
  const workers = objectOf(valueOf(fields, 'workers'));
  if (jobs === null && workers === null) return failed(replyText.noHealth);
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

/** Copying a deeper value between threads would exceed their stack. Honest services never send one. */
export const deepestValue = 200;

/** The fields. A value that is nested too deep is the text it came in. */
export function shallow(fields: Record<string, unknown>, texts: Map<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const text = texts.get(name) ?? 'null';
      return [name, nestsDeeper(text, deepestValue) ? text : value];
    }),
  );
}

/** Whether a JSON text has more levels than this. */
export function nestsDeeper(json: string, levels: number): boolean {
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
export function readPurge(fields: Fields): Parsed<PurgeResult> {
  const removed = numberOf(valueOf(fields, 'removed'));
  if (removed === null) return failed(replyText.noPurgeCount);
  return ok({ removed, status: textOf(valueOf(fields, 'status')) ?? '' });
}

/** A number, even if it was sent as text (ruling 29). Null for everything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || !/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A text that is not empty, or a number as text (ids are sent as either). Null for everything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** An id from its JSON text. If it was sent as a number, in its own digits, which a value would round over 2^53. */
export function idOf(json: string | undefined): string | null {
  if (json === undefined || json.length > maxValueChars) return null;
  return /^-?\d+$/.test(json) ? json : textOf(JSON.parse(json));
}

/** Text of `error`: unchanged, or its JSON text if it is not a string. Null if absent or null. */
function errorTextOf(json: string | undefined): string | null {
  if (json === undefined || json === 'null') return null;
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** The value of a small member. Undefined if it is absent or too long. */
export function valueOf({ texts }: Fields, name: string): unknown {
  const json = texts.get(name);
  if (json === undefined || json.length > maxValueChars) return undefined;
  const value: unknown = JSON.parse(json);
  return value;
}

/**
 * The members that `named` does not list, as an object with own keys, whatever their names. A member that is nested too
 * deep stays text, and so do further members after many characters.
 */
export function extraOf({ texts, deep }: Fields, named: ReadonlySet<string>): Record<string, unknown> {
  let left = maxExtra;
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

/** The members that `named` does not list as JSON text, without reading them: they may have megabytes. */
function extraTextOf({ texts }: Fields, named: ReadonlySet<string>): string | null {
  const members: string[] = [];
  for (const [name, json] of texts) if (!named.has(name)) members.push(`${JSON.stringify(name)}:${json}`);
  return members.length === 0 ? null : `{${members.join(',')}}`;
}

/** The fields of a JSON object. Null for anything else. */
export function objectOf(value: unknown): Map<string, unknown> | null {
  return isJsonObject(value) ? new Map<string, unknown>(Object.entries(value)) : null;
}

/** Where the members of an object are. */
export interface ScannedFields {
  members: Member[];
  /** JSON text of the member `id` as it came, before anything was removed, because requests about the job use it. */
  idText: string | null;
  /** A long `error` that is a string, decoded, as UTF-8. */
  decodedError: Uint8Array | null;
}

/** How many bytes are decoded without a pause. */
const pieceBytes = 262_144;
/** A member of at least this size is part of the raw text, without a second copy. */
const sharedBytes = 65_536;
/** The longest time that the event loop is blocked, approximately. */
const shareMs = 8;

/** Reports when the event loop has been blocked for that time. */
class Pauses {
  #since = performance.now();

  isDue(): boolean {
    return performance.now() - this.#since >= shareMs;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}

/** The fields of a reply as texts, from the bytes they were found in. In many short steps if it is long. */
export async function fieldsAt(shared: Uint8Array, scanned: ScannedFields): Promise<Fields> {
  const bytes = bufferOf(shared);
  const pauses = new Pauses();
  const { members, idText, decodedError } = scanned;
  const texts = new Map<string, string>();
  const deep = new Set<string>();
  const long: { span: Span; text: string }[] = [];
  for (const member of members) {
    const text = await longTextOf(bytes, member, pauses);
    texts.set(member.name, text);
    if (member.depth > deepestValue) deep.add(member.name);
    if (member.end - member.start >= sharedBytes) long.push({ span: member, text });
  }
  let raw = '';
  let from = bytes[0] === 0xef ? startOfJson(bytes) : 0;
  for (const { span, text } of long.toSorted((one, other) => one.span.start - other.span.start)) {
    raw += (await longTextOf(bytes, { start: from, end: span.start }, pauses)) + text;
    from = span.end;
  }
  raw += await longTextOf(bytes, { start: from, end: bytes.length }, pauses);
  const errorText =
    decodedError === null ? null : await longTextOf(decodedError, { start: 0, end: decodedError.length }, pauses);
  return { raw, texts, deep, idText, errorText };
}

/**
 * The chunks of a stream's reply as texts, from the bytes they were found in. In many short steps if there are many.
 */
export async function chunksAt(
  shared: Uint8Array,
  { spans, composed }: { spans: Uint32Array; composed: Uint8Array },
): Promise<StreamReply['chunks']> {
  const bytes = bufferOf(shared);
  const pauses = new Pauses();
  const chunks: StreamReply['chunks'] = [];
  const textFrom = (start: number, end: number): string | Promise<string> => {
    if (start >= bytes.length) return textAt(composed, start - bytes.length, end - bytes.length);
    return end - start <= pieceBytes ? textAt(bytes, start, end) : longTextOf(bytes, { start, end }, pauses);
  };
  for (let at = 0; at < spans.length; at += 4) {
    const output = textFrom(spans[at] ?? 0, spans[at + 1] ?? 0);
    const metricsEnd = spans[at + 3] ?? 0;
    const metrics = metricsEnd === 0 ? null : textFrom(spans[at + 2] ?? 0, metricsEnd);
    // Many short ones are decoded without waiting for each.
    chunks.push({
      outputJson: typeof output === 'string' ? output : await output,
      metricsJson: metrics === null || typeof metrics === 'string' ? metrics : await metrics,
    });
    if (pauses.isDue()) await pauses.rest();
  }
  return chunks;
}

/** A range as text. A long one is decoded in pieces, cut between characters. */
async function longTextOf(bytes: Uint8Array, { start, end }: Span, pauses: Pauses): Promise<string> {
  let text = '';
  for (let from = start; from < end;) {
    let to = Math.min(end, from + pieceBytes);
    // A byte 10xxxxxx continues the character before it.
    while (to < end && to > from + 1 && ((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1;
    text += textAt(bytes, from, to);
    from = to;
    if (pauses.isDue()) await pauses.rest();
  }
  return text;
}
