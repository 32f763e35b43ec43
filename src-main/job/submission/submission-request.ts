import { type Result, type ServiceFailure, ok, type Failure } from '../../../src-preload/failure.ts';
import { isPlainRefusal } from '../../service/http-status.ts';
import type { JobRecord } from '../../service/reply.ts';
import type { JobEvent } from '../reducer/job-event.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { JobContext } from '../context/job-context.ts';
import type { StoredSubmission } from '../../history/records.ts';
import { checkSubmission } from '../../service/submission-body.ts';

/** What is sent, and which parts of it must be removed from replies. */
export interface RequestPayload {
  body: string;
  secrets: readonly string[];
}

/**
 * Makes the request of what is saved: the secret of its s3 profile is added, and the receiver's address is replaced by
 * the submission's own.
 */
export async function payloadOf(
  { key, operation }: Pick<Job, 'key' | 'operation'>,
  submission: StoredSubmission,
  { s3Config: readS3Config, callbackFor }: JobContext,
): Promise<Result<RequestPayload>> {
  const { s3ProfileId } = submission;
  const webhook = submission.webhook === null ? null : callbackFor(submission.webhook, key);
  const s3Config = s3ProfileId === null ? ok(null) : await readS3Config(s3ProfileId);
  if (!s3Config.ok) return s3Config;
  const checked = checkSubmission({ operation, ...submission, webhook, s3Config: s3Config.value });
  if (!checked.ok) return checked;
  const secret = s3Config.value?.accessSecret ?? '';
  return ok({ body: checked.value.body, secrets: secret === '' ? [] : [secret] });
}

/** Whether the obstacle may end on its own, as a locked keychain does. */
export function mayPass({ kind }: Failure): boolean {
  return kind === 'storage' || kind === 'no-key' || kind === 'defect';
}

/**
 * What the end of a submission's request means for its job (ruling 9). If it certainly did not arrive, or was answered
 * 429: `held-back`, to be tried again. A plain refusal of the service itself: `refused`. Anything else may have made a
 * job and is `outcome-unknown`: redirects, 408, 409, 425, 5xx, every page of a proxy, and a 2xx without a complete job
 * record. An id in such a reply is evidence, shown in the reason, and never the job's id.
 */
export function submissionOutcome(result: Result<JobRecord, ServiceFailure>): JobEvent {
  if (result.ok) return { kind: 'accepted', record: result.value };
  const { failure } = result;
  const { httpStatus } = failure;
  if (httpStatus === undefined) {
    if (failure.mayHaveArrived) return unknown(failure);
    // Refused here: an input that cannot be sent will not work later either.
    return failure.kind === 'invalid' || failure.kind === 'too-large'
      ? { kind: 'refused', failure }
      : heldBack(failure);
  }
  if (httpStatus === 429) return heldBack(failure);
  // A page is a `server` failure whatever its status: a proxy wrote it, and the request may have passed the proxy.
  return isPlainRefusal(httpStatus) && failure.kind !== 'server' ? { kind: 'refused', failure } : unknown(failure);
}

function heldBack(failure: ServiceFailure): JobEvent {
  const { message, serviceSaid } = failure;
  return {
    kind: 'held-back',
    reason:
      failure.kind === 'rate-limited'
        ? { kind: 'rate-limited', said: serviceSaid ?? null }
        : { kind: 'not-sent', said: serviceSaid === undefined ? message : `${message} ${serviceSaid}` },
  };
}

function unknown(failure: ServiceFailure): JobEvent {
  const { message, rawReply = null } = failure;
  const mentionedId = rawReply === null ? null : idIn(rawReply);
  return { kind: 'outcome-unknown', why: { kind: 'no-answer', said: message, mentionedId }, rawReply };
}

/**
 * A possible job id in a reply that is not a record: in other JSON, or in incomplete JSON. Only evidence (ruling 9).
 */
export function idIn(raw: string): string | null {
  const nested = idOf(parseJson(raw), 0);
  if (nested !== null) return nested;
  // In broken JSON, a text followed by a colon is the next key, not a value.
  const found = /"(?:id|job_?id)"\s*:\s*"((?:[^"\\\p{Cc}]|\\.){1,200})"(?!\s*:)/iu.exec(raw)?.[1];
  if (found === undefined) return null;
  const id = parseJson(`"${found}"`);
  return typeof id === 'string' ? id : null;
}

const idFields = ['id', 'jobId', 'job_id'];

function idOf(value: unknown, depth: number): string | null {
  if (typeof value !== 'object' || value === null || depth > 3) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const name of idFields) {
    const id = fields.get(name);
    if (typeof id === 'string' && id !== '') return id;
  }
  for (const inner of fields.values()) {
    const id = idOf(inner, depth + 1);
    if (id !== null) return id;
  }
  return null;
}

/** Only the id is known. The first status read has the rest. */
export function recordOfId(id: string): JobRecord {
  return {
    id,
    status: '',
    outputJson: null,
    errorText: null,
    delayTimeMs: null,
    executionTimeMs: null,
    workerId: null,
    extraJson: null,
    raw: '',
  };
}

/**
 * At a start: submissions among the `live` jobs whose request was in progress when the last run ended. The service may
 * have them, so each is an unknown outcome from now on and is never sent again automatically (ruling 9). Returns them.
 */
export async function endUnanswered({ ledger }: JobContext, live: readonly Job[]): Promise<Job[]> {
  const unanswered = live.filter(({ phase }) => phase === 'submitting');
  for (const { key } of unanswered)
    await ledger.change(key, [{ kind: 'outcome-unknown', why: { kind: 'ended' }, rawReply: null }]);
  return unanswered;
}
