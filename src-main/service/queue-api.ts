import { failed, type Result, type ServiceFailure } from '../../src-preload/failure.ts';
import type { SubmitOperation } from '../../src-preload/job.ts';
import { waitBounds, policyBounds } from '../../src-preload/job-bounds.ts';
import { addressOf } from './address.ts';
import { refuse, send, type HttpOptions, type ReplyShape } from './http.ts';
import { failureText } from '../messages/service/failures.ts';
import { durationNames, durationText } from '../messages/service/requests.ts';
import { maxReplyBytes } from './reply-body.ts';
import { bodyBytes, overSize } from './submission-body.ts';
import type {
  JobRecord,
  QueueApi,
  QueueOperation,
  Reply,
  RequestOptions,
  ServiceTarget,
  StreamReply,
} from './reply.ts';
import { jobFields, readHealth, readJobRecord, readPurge, type AskedJob, type Fields, type Parsed } from './shapes.ts';

/** How long each operation may take, in milliseconds. For runsync, in addition to its wait. Large bodies get more. */
export type QueueTimeouts = Record<QueueOperation, number>;

const defaultTimeouts: QueueTimeouts = {
  run: 60_000,
  runsync: 30_000,
  status: 30_000,
  stream: 30_000,
  cancel: 30_000,
  retry: 30_000,
  'purge-queue': 30_000,
  health: 15_000,
};

export interface QueueApiOptions extends HttpOptions {
  timeouts?: Partial<QueueTimeouts>;
  /** How many unpacked bytes of a reply are read. Default: `maxReplyBytes`. */
  replyLimitBytes?: Partial<Record<QueueOperation, number>>;
  /** Nothing is sent: each operation ends with this. */
  refusal?: Pick<ServiceFailure, 'kind' | 'message'>;
}

/** One request of an operation, before it is checked. */
interface ApiRequest<T> {
  operation: QueueOperation;
  method: 'GET' | 'POST';
  endpointId: string;
  jobId?: string;
  query?: Record<string, number>;
  body?: string;
  /** Default: the time limit of the operation. */
  timeoutMs?: number;
  reply: ReplyShape<T>;
  /** The result of checks other than those of the ids. */
  problem?: string | null;
}

/**
 * The eight queue operations of one connection (spec: Queue operations). Every call returns the result and how it went,
 * and never throws. Invalid requests (size, wait, ttl, ids, no key) are refused here, and nothing is sent.
 */
export function createQueueApi(target: ServiceTarget, options: QueueApiOptions): QueueApi {
  const callService = <T>(apiRequest: ApiRequest<T>, request?: RequestOptions): Promise<Reply<T>> =>
    sendChecked(target, options, apiRequest, request);

  async function submit(submission: Submission, request: RequestOptions | undefined): Promise<Reply<JobRecord>> {
    const { operation, endpointId, body } = submission;
    const tooLarge = overSize(operation, bodyBytes(body));
    if (tooLarge !== null)
      return refuse({ operation, method: 'POST', path: `/v2/${endpointId}/${operation}` }, tooLarge, options.now());
    return await callService(submitRequest(submission, options), request);
  }

  return {
    run: (endpointId, body, request) => submit({ operation: 'run', endpointId, body, waitMs: null }, request),
    runsync: (endpointId, body, waitMs, request) => submit({ operation: 'runsync', endpointId, body, waitMs }, request),
    status: (endpointId, jobId, request) =>
      callService(
        {
          operation: 'status',
          method: 'GET',
          endpointId,
          jobId,
          ...(request?.ttlMs === undefined ? {} : { query: { ttl: request.ttlMs } }),
          problem:
            request?.ttlMs === undefined
              ? null
              : boundsProblem(durationNames.ttlOfStatus, request.ttlMs, policyBounds.ttl),
          reply: recordOf({ id: jobId, status: null }),
        },
        request,
      ),
    stream: (endpointId, jobId, request) =>
      callService({ operation: 'stream', method: 'GET', endpointId, jobId, reply: streamOf(jobId) }, request),
    cancel: (endpointId, jobId, request) =>
      callService(
        { operation: 'cancel', method: 'POST', endpointId, jobId, reply: recordOf({ id: jobId, status: null }) },
        request,
      ),
    retry: (endpointId, jobId, request) =>
      callService(
        { operation: 'retry', method: 'POST', endpointId, jobId, reply: recordOf({ id: jobId, status: 'IN_QUEUE' }) },
        request,
      ),
    purgeQueue: (endpointId, request) =>
      callService(
        { operation: 'purge-queue', method: 'POST', endpointId, reply: objectOf(['removed', 'status'], readPurge) },
        request,
      ),
    health: (endpointId, request) =>
      callService(
        { operation: 'health', method: 'GET', endpointId, reply: objectOf(['jobs', 'workers'], readHealth) },
        request,
      ),
  };
}

interface Submission {
  operation: SubmitOperation;
  endpointId: string;
  body: string;
  waitMs: number | null;
}

function submitRequest(
  { operation, endpointId, body, waitMs }: Submission,
  options: QueueApiOptions,
): ApiRequest<JobRecord> {
  return {
    operation,
    method: 'POST',
    endpointId,
    body,
    ...(waitMs === null ? {} : { query: { wait: waitMs } }),
    problem: waitMs === null ? null : boundsProblem(durationNames.waitOfRunsync, waitMs, waitBounds),
    timeoutMs: timeoutMsOf(operation, options) + (operation === 'runsync' ? (waitMs ?? waitBounds.defaultMs) : 0),
    // Accepted means queued (spec: States and transitions). An id must never be lost because a status is missing.
    reply: recordOf({ id: null, status: 'IN_QUEUE' }),
  };
}

function timeoutMsOf(operation: QueueOperation, { timeouts }: QueueApiOptions): number {
  return timeouts?.[operation] ?? defaultTimeouts[operation];
}

/** Sends a request whose ids and bounds are valid. Others are refused, and nothing is sent. */
async function sendChecked<T>(
  target: ServiceTarget,
  options: QueueApiOptions,
  apiRequest: ApiRequest<T>,
  request: RequestOptions = {},
): Promise<Reply<T>> {
  const { operation, method, endpointId, jobId } = apiRequest;
  const segments = ['v2', endpointId, operation, ...(jobId === undefined ? [] : [jobId])];
  const unsent = { operation, method, path: `/${segments.join('/')}` };
  if (options.refusal !== undefined) return refuse(unsent, options.refusal, options.now());
  const url = checked(apiRequest.problem ?? null, addressOf(target.baseUrl, segments, apiRequest.query));
  if (!url.ok)
    return refuse(
      unsent,
      { kind: 'invalid', message: `${url.failure} ${failureText.notSent(operation)}` },
      options.now(),
    );
  return await send<T>(
    {
      operation,
      method,
      url: url.value,
      authorization: target.authorization,
      readKey: target.readKey,
      ...(apiRequest.body === undefined ? {} : { body: apiRequest.body }),
      timeoutMs: request.timeoutMs ?? apiRequest.timeoutMs ?? timeoutMsOf(operation, options),
      replyLimitBytes: options.replyLimitBytes?.[operation] ?? maxReplyBytes,
      signal: request.signal,
      secrets: request.secrets,
      isAfterBeyondLimits: request.isAfterBeyondLimits,
      beyondBeginning: request.beyondBeginning,
      reply: apiRequest.reply,
    },
    options,
  );
}

/** An object, without the secrets it may repeat and with every other byte unchanged. */
function objectOf<T>(wanted: readonly string[], shape: (fields: Fields) => Parsed<T>): ReplyShape<T> {
  return { format: 'fields', wanted, scope: 'strings', shape };
}

function recordOf(requested: AskedJob): ReplyShape<JobRecord> {
  return {
    format: 'fields',
    wanted: jobFields,
    scope: 'strings',
    shape: (fields) => readJobRecord(fields, requested),
    job: { idOf: ({ id }) => id, isNew: requested.id === null },
  };
}

function streamOf(jobId: string): ReplyShape<StreamReply> {
  return { format: 'chunks', wanted: [], scope: 'strings', jobId, shape: (stream) => stream };
}

function checked(problem: string | null, url: Result<URL, string>): Result<URL, string> {
  return problem === null ? url : failed(problem);
}

function boundsProblem(what: string, ms: number, bounds: { minMs: number; maxMs: number }): string | null {
  if (Number.isInteger(ms) && ms >= bounds.minMs && ms <= bounds.maxMs) return null;
  return durationText.outsideBounds(what, ms, bounds);
}
