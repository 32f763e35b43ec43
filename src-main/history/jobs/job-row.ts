import { parseJson } from '../../../src-preload/json-spans.ts';
import type { SQLInputValue } from 'node:sqlite';
import type { Job, NotKnown, PendingStream, Policy } from '../../../src-preload/job.ts';
import { flag, number, numberOrNull, oneOf, oneOfOrNull, text, textOrNull, type Row } from '../file/row.ts';
import { marks, type Judgement } from '../../../src-preload/judgement.ts';
import { phases } from './facets.ts';
import { z } from 'zod';
import { plainHeldBack, type JobReason } from '../../../src-preload/job-reason.ts';

const operations = ['run', 'runsync'] as const;
const goneReasons = ['expired', 'purged', 'unknown-endpoint', 'sandbox-restarted', 'too-large'] as const;

/** The columns of a job that a commit writes, and what goes into each. Id, key, facet and input hash are separate. */
const cells: Readonly<Record<string, (job: Job) => SQLInputValue>> = {
  job_id: (job) => job.jobId,
  connection_id: (job) => job.connectionId,
  base_url: (job) => job.baseUrl,
  endpoint_id: (job) => job.endpointId,
  operation: (job) => job.operation,
  title: (job) => job.title,
  tags_json: (job) => JSON.stringify(job.tags),
  first_tag: (job) => job.tags[0] ?? null,
  phase: (job) => job.phase,
  status: (job) => job.status,
  gone_reason: (job) => job.goneReason,
  attempt: (job) => job.attempt,
  created_at_ms: (job) => job.createdAtMs,
  accepted_at_ms: (job) => job.acceptedAtMs,
  started_seen_at_ms: (job) => job.startedSeenAtMs,
  finished_seen_at_ms: (job) => job.finishedSeenAtMs,
  delay_time_ms: (job) => job.delayTimeMs,
  execution_time_ms: (job) => job.executionTimeMs,
  policy_json: (job) => JSON.stringify(job.policy),
  ttl_ends_at_ms: (job) => job.ttlEndsAtMs,
  retention_ends_at_ms: (job) => job.retentionEndsAtMs,
  input_bytes: (job) => job.inputBytes,
  output_bytes: (job) => job.outputBytes,
  is_result_saved: (job) => Number(job.isResultSaved),
  is_without_output: (job) => Number(job.isWithoutOutput),
  chunk_count: (job) => job.chunkCount,
  reason_json: (job) => (job.reason === null ? null : JSON.stringify(job.reason)),
  last_checked_at_ms: (job) => job.statusReadAtMs,
  request_count: (job) => job.requestCount,
  is_starred: (job) => Number(job.isStarred),
  is_seen: (job) => Number(job.isSeen),
  is_cancelling: (job) => Number(job.isCancelling),
  batch_id: (job) => job.batchId,
  batch_row: (job) => job.batchRow,
  is_kept_whole: (job) => Number(job.isKeptWhole !== false),
  retry_asked_at_ms: (job) => job.retryRequestedAtMs ?? null,
  is_likely_there: (job) => Number(job.isLikelyThere === true),
  unsettled_json: writeUnsettled,
  origin_key: (job) => job.originKey ?? null,
  mark: (job) => job.mark ?? null,
  label: (job) => job.label ?? null,
  note_line: (job) => job.noteLine ?? null,
};

/** The columns of `cellsOf`, in its order. */
export const cellNames: readonly string[] = Object.keys(cells);
const cellValues = Object.values(cells);

/** The cells of a job that a commit writes. Id, key, facet and input hash are separate. */
export function cellsOf(job: Job): SQLInputValue[] {
  return cellValues.map((valueOf) => valueOf(job));
}

/** The job in a row of the table `jobs`. */
export function jobOf(row: Row): Job {
  return {
    key: text(row, 'key'),
    jobId: textOrNull(row, 'job_id'),
    connectionId: text(row, 'connection_id'),
    baseUrl: text(row, 'base_url'),
    endpointId: text(row, 'endpoint_id'),
    operation: oneOf(row, 'operation', operations),
    title: text(row, 'title'),
    tags: readTags(text(row, 'tags_json')),
    phase: oneOf(row, 'phase', phases),
    status: textOrNull(row, 'status'),
    goneReason: oneOfOrNull(row, 'gone_reason', goneReasons),
    attempt: number(row, 'attempt'),
    createdAtMs: number(row, 'created_at_ms'),
    acceptedAtMs: numberOrNull(row, 'accepted_at_ms'),
    startedSeenAtMs: numberOrNull(row, 'started_seen_at_ms'),
    finishedSeenAtMs: numberOrNull(row, 'finished_seen_at_ms'),
    delayTimeMs: numberOrNull(row, 'delay_time_ms'),
    executionTimeMs: numberOrNull(row, 'execution_time_ms'),
    policy: readPolicy(text(row, 'policy_json')),
    ttlEndsAtMs: numberOrNull(row, 'ttl_ends_at_ms'),
    retentionEndsAtMs: numberOrNull(row, 'retention_ends_at_ms'),
    inputBytes: number(row, 'input_bytes'),
    outputBytes: number(row, 'output_bytes'),
    isResultSaved: flag(row, 'is_result_saved'),
    isWithoutOutput: flag(row, 'is_without_output'),
    chunkCount: number(row, 'chunk_count'),
    reason: readReason(textOrNull(row, 'reason_json')),
    statusReadAtMs: numberOrNull(row, 'last_checked_at_ms'),
    requestCount: number(row, 'request_count'),
    isStarred: flag(row, 'is_starred'),
    isSeen: flag(row, 'is_seen'),
    isCancelling: flag(row, 'is_cancelling'),
    batchId: textOrNull(row, 'batch_id'),
    batchRow: numberOrNull(row, 'batch_row'),
    ...(flag(row, 'is_kept_whole') ? {} : { isKeptWhole: false }),
    ...retryRequested(numberOrNull(row, 'retry_asked_at_ms')),
    ...(flag(row, 'is_likely_there') ? { isLikelyThere: true } : {}),
    ...readUnsettled(textOrNull(row, 'unsettled_json')),
    ...originOf(textOrNull(row, 'origin_key')),
    ...judgementOf(row),
  };
}

function originOf(originKey: string | null): Pick<Job, 'originKey'> {
  return originKey === null ? {} : { originKey };
}

/** An unknown mark counts as none. */
function judgementOf(row: Row): Judgement {
  const kept = numberOrNull(row, 'mark');
  const mark = marks.find((each) => each === kept);
  const label = textOrNull(row, 'label');
  const noteLine = textOrNull(row, 'note_line');
  return {
    ...(mark === undefined ? {} : { mark }),
    ...(label === null ? {} : { label }),
    ...(noteLine === null ? {} : { noteLine }),
  };
}

function retryRequested(atMs: number | null): Pick<Job, 'retryRequestedAtMs'> {
  return atMs === null ? {} : { retryRequestedAtMs: atMs };
}

function readTags(json: string): string[] {
  const tags: unknown = JSON.parse(json);
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

/** A saved policy. Read without checks, because the bounds apply only to what is sent. */
export function readPolicy(json: string): Policy {
  const kept: unknown = JSON.parse(json);
  const policy: Policy = {};
  if (typeof kept !== 'object' || kept === null) return policy;
  if ('executionTimeout' in kept && typeof kept.executionTimeout === 'number')
    policy.executionTimeout = kept.executionTimeout;
  if ('lowPriority' in kept && typeof kept.lowPriority === 'boolean') policy.lowPriority = kept.lowPriority;
  if ('ttl' in kept && typeof kept.ttl === 'number') policy.ttl = kept.ttl;
  return policy;
}

/** What few jobs have, mostly because something about them is unsettled. */
type Unsettled = Pick<
  Job,
  | 'notKnown'
  | 'pendingStream'
  | 'unreadReply'
  | 'retriedAtMs'
  | 'formerStartsAtMs'
  | 'outputForgottenAtMs'
  | 'inputForgottenAtMs'
>;

/** The JSON text to save. Null if everything is settled. */
function writeUnsettled({
  notKnown,
  pendingStream,
  unreadReply,
  retriedAtMs,
  formerStartsAtMs,
  outputForgottenAtMs,
  inputForgottenAtMs,
}: Unsettled): string | null {
  const parts = {
    notKnown,
    pendingStream,
    unreadReply,
    retriedAtMs,
    formerStartsAtMs,
    outputForgottenAtMs,
    inputForgottenAtMs,
  };
  return Object.values(parts).every((part) => part === undefined) ? null : JSON.stringify(parts);
}

/** The inverse of `writeUnsettled`. A part that cannot be read is left out; the service will report it again. */
function readUnsettled(json: string | null): Unsettled {
  if (json === null) return {};
  const kept: unknown = JSON.parse(json);
  const notKnown = notKnownOf(memberOf(kept, 'notKnown'));
  const pendingStream = pendingStreamOf(memberOf(kept, 'pendingStream'));
  const unreadReply = memberOf(kept, 'unreadReply');
  const retriedAtMs = memberOf(kept, 'retriedAtMs');
  const outputForgottenAtMs = memberOf(kept, 'outputForgottenAtMs');
  const inputForgottenAtMs = memberOf(kept, 'inputForgottenAtMs');
  const formerStartsAtMs = timesOf(memberOf(kept, 'formerStartsAtMs'));
  return {
    ...(notKnown === null ? {} : { notKnown }),
    ...(pendingStream === null ? {} : { pendingStream }),
    ...(typeof unreadReply === 'string' ? { unreadReply } : {}),
    ...(typeof retriedAtMs === 'number' ? { retriedAtMs } : {}),
    ...(typeof outputForgottenAtMs === 'number' ? { outputForgottenAtMs } : {}),
    ...(typeof inputForgottenAtMs === 'number' ? { inputForgottenAtMs } : {}),
    ...(formerStartsAtMs.length === 0 ? {} : { formerStartsAtMs }),
  };
}

function notKnownOf(value: unknown): NotKnown | null {
  const [sinceMs, times, lastAtMs, nextTryMs] = ['sinceMs', 'times', 'lastAtMs', 'nextTryMs'].map((name) =>
    numberOf(value, name),
  );
  if (sinceMs === undefined || times === undefined || lastAtMs === undefined || nextTryMs === undefined) return null;
  return { sinceMs, times, lastAtMs, nextTryMs };
}

function pendingStreamOf(value: unknown): PendingStream | null {
  const [sinceMs, failures, nextTryMs, untilMs] = ['sinceMs', 'failures', 'nextTryMs', 'untilMs'].map((name) =>
    numberOf(value, name),
  );
  const reason = memberOf(value, 'reason');
  if (sinceMs === undefined || failures === undefined || nextTryMs === undefined || untilMs === undefined) return null;
  return { sinceMs, failures, nextTryMs, untilMs, reason: typeof reason === 'string' ? reason : '' };
}

function timesOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((atMs) => typeof atMs === 'number') : [];
}

function numberOf(value: unknown, name: string): number | undefined {
  const member = memberOf(value, name);
  return typeof member === 'number' ? member : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined;
}

const words = z.string();

const unansweredWhy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ended') }),
  z.object({ kind: z.literal('error'), said: words }),
  z.object({ kind: z.literal('called-back') }),
  z.object({ kind: z.literal('no-answer'), said: words, mentionedId: z.string().nullable() }),
]);

const counters = z.object({ more: z.number(), unanswered: z.number(), readBeforeMs: z.number().nullable() });

/** Every reason, field by field. */
export const jobReason: z.ZodType<JobReason> = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(plainHeldBack) }),
  z.object({ kind: z.literal('rate-limited'), said: words.nullable() }),
  z.object({
    kind: z.enum(['not-sent', 'refused', 'progress', 'failed', 'cancel-refused', 'not-retried']),
    said: words,
  }),
  z.object({ kind: z.literal('reply-too-large'), said: words }),
  z.object({ kind: z.enum(['no-output', 'withdrawn', 'retry-too-late']) }),
  z.object({ kind: z.literal('unanswered'), why: unansweredWhy, counters: counters.exactOptional() }),
  z.object({ kind: z.literal('gone'), because: z.enum(['unknown-endpoint', 'purged', 'expired', 'removed']) }),
  z.object({
    kind: z.literal('stream-given-up'),
    because: z.enum(['not-waited-for', 'left-service', 'connection-removed']),
    said: words.nullable(),
  }),
  z.object({ kind: z.literal('timed-out'), limitMs: z.number(), said: words.nullable() }),
  z.object({ kind: z.literal('connection-removed'), wasSent: z.boolean() }),
  z.object({ kind: z.literal('prose'), text: z.string() }),
]);

/** A saved reason. One that this version does not know is shown unchanged, and never lost. */
export function readReason(json: string | null): JobReason | null {
  if (json === null) return null;
  const read = jobReason.safeParse(parseJson(json));
  return read.success ? read.data : { kind: 'prose', text: json };
}
