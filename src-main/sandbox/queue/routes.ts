import type { Checked } from '../checked.ts';
import type { Clock } from '../clock.ts';
import type { FaultKind } from '../faults/faults.ts';
import { errorReply, okReply, type EchoText, type Reply } from '../http/reply.ts';
import { readJsonText, type BodyRead } from '../http/request-body.ts';
import { RUN_BODY_MAX_BYTES, RUNSYNC_BODY_MAX_BYTES, type Dialect, type Operation } from '../specification.ts';
import { isTerminal, renderJob, waitForJob, type JobRecord, type JobSource } from './job-record.ts';
import type { Queue } from './queue.ts';
import { NotSaved } from './store.ts';
import type { SentChunks } from './stream-buffer.ts';
import { checkStreamWait, checkSubmission, checkTtl, checkWait, type Submission } from './validation.ts';

/** An authorised request whose endpoint, operation and method are known. */
interface RoutedRequest {
  operation: Operation;
  endpointId: string;
  /** Empty for operations without a job. */
  jobId: string;
  query: URLSearchParams;
  contentType: string | undefined;
  readBody(maxBytes: number): Promise<BodyRead>;
  /** Aborted when the client hangs up. */
  signal(): AbortSignal;
  /** Whether a fault of this kind changes the answer. `applies` says whether it would make a difference. */
  isHitBy(kind: FaultKind, applies?: () => boolean): boolean;
  /** Called with the id of the submitted job, for the log. */
  onSubmitted(jobId: string): void;
  /** Called with the chunks in the answer, for the log. */
  onChunksSent(chunks: SentChunks): void;
}

/** Answers one request. Null if the client left. */
export type Route = (request: RoutedRequest, queue: Queue) => Promise<Reply | null> | Reply | null;

export interface RouteOptions {
  clock: Clock;
  dialect: Dialect;
  isStreamReplayed: boolean;
  echo: EchoText;
}

/** The queue operations, each as a function of the request and the endpoint's queue. Spec: Queue operations. */
export function createRoutes(options: RouteOptions): Record<Operation, Route> {
  const { clock, dialect, isStreamReplayed, echo } = options;
  const fullRecord = (record: JobRecord): Reply => okReply(renderJob(record, dialect, clock.now()));
  const statusReply = (record: JobRecord, request: RoutedRequest): Reply =>
    faultedStatus(record, request, dialect, clock.now()) ?? fullRecord(record);

  function jobGone({ jobId, endpointId }: RoutedRequest): Reply {
    return errorReply(
      404,
      `No job ${echo(jobId)} on endpoint ${endpointId}: it never existed, expired, was purged or outlived its ttl.`,
    );
  }

  function onJob(answer: (record: JobRecord, request: RoutedRequest, queue: Queue) => ReturnType<Route>): Route {
    return (request, queue) => {
      const record = queue.find(request.jobId);
      return record === undefined ? jobGone(request) : answer(record, request, queue);
    };
  }

  async function untilTerminal(record: JobRecord, request: RoutedRequest, waitMs: number): Promise<Reply> {
    const isSatisfied = (): boolean => isTerminal(record.status);
    await waitForJob({ record, clock, isSatisfied, waitMs, signal: request.signal() });
    if (record.isRemoved) return jobGone({ ...request, jobId: record.id });
    return request.operation === 'status-sync' ? statusReply(record, request) : fullRecord(record);
  }

  return {
    run: async (request, queue) => {
      const submitted = await submit(request, queue, 'run', RUN_BODY_MAX_BYTES);
      return isRecord(submitted) ? idAndStatus(submitted, 'IN_QUEUE') : submitted;
    },

    runsync: async (request, queue) => {
      const wait = checkWait(request.query.getAll('wait'));
      if (!wait.ok) return errorReply(400, wait.message);
      const submitted = await submit(request, queue, 'runsync', RUNSYNC_BODY_MAX_BYTES);
      return isRecord(submitted) ? untilTerminal(submitted, request, wait.value) : submitted;
    },

    status: onJob((record, request, queue) => {
      const ttl = checkTtl(request.query.getAll('ttl'));
      if (!ttl.ok) return errorReply(400, ttl.message);
      if (ttl.value !== null) queue.restartTtl(record, ttl.value);
      return statusReply(record, request);
    }),

    'status-sync': onJob((record, request) => {
      const wait = checkWait(request.query.getAll('wait'));
      return wait.ok ? untilTerminal(record, request, wait.value) : errorReply(400, wait.message);
    }),

    stream: onJob(async (record, request) => {
      if (dialect === 'observed') {
        const wait = checkStreamWait(request.query.getAll('wait'));
        if (!wait.ok) return errorReply(400, wait.message);
        const isSatisfied = (): boolean => record.stream.hasUnread() || isTerminal(record.status);
        await waitForJob({ record, clock, isSatisfied, waitMs: wait.value, signal: request.signal() });
        if (record.isRemoved) return jobGone(request);
        // What is drained now would reach no client.
        if (request.signal().aborted) return null;
      }
      const chunks = takeChunks(record, request, isStreamReplayed);
      return okReply(dialect === 'observed' ? `{"status":"${record.status}","stream":${chunks}}` : chunks);
    }),

    cancel: onJob((record, _request, queue) =>
      queue.cancel(record)
        ? idAndStatus(record, 'CANCELLED')
        : errorReply(400, `Only a waiting or running job can be cancelled; this one is ${record.status}.`),
    ),

    retry: onJob((record, _request, queue) =>
      queue.retry(record)
        ? idAndStatus(record, 'IN_QUEUE')
        : errorReply(400, `Only a FAILED or TIMED_OUT job can be retried; this one is ${record.status}.`),
    ),

    'purge-queue': (_request, queue) => okReply(JSON.stringify({ removed: queue.purge(), status: 'completed' })),

    health: (_request, queue) => {
      const { idle, running, initializing, throttled, unhealthy } = queue.workerCounts();
      const workers =
        dialect === 'spec' ? { idle, running } : { idle, initializing, ready: idle, running, throttled, unhealthy };
      return okReply(JSON.stringify({ jobs: queue.jobCounts(), workers }));
    },
  };
}

async function submit(
  request: RoutedRequest,
  queue: Queue,
  source: JobSource,
  maxBytes: number,
): Promise<JobRecord | Reply | null> {
  const submission = await readSubmission(request, maxBytes);
  if (submission === null) return null;
  if (!submission.ok) return errorReply(400, submission.message);
  try {
    const record = queue.submit(submission.value, source);
    request.onSubmitted(record.id);
    return record;
  } catch (error) {
    if (error instanceof NotSaved) return errorReply(500, error.message);
    throw error;
  }
}

async function readSubmission(request: RoutedRequest, maxBytes: number): Promise<Checked<Submission> | null> {
  const body = await readJsonText(request, maxBytes, `The body of ${request.operation}`);
  return body === null || !body.ok ? body : checkSubmission(body.value);
}

function isRecord(submitted: JobRecord | Reply | null): submitted is JobRecord {
  return submitted !== null && 'id' in submitted;
}

function idAndStatus(record: JobRecord, status: string): Reply {
  return okReply(JSON.stringify({ id: record.id, status }));
}

/** The record as a fault falsifies it for a read of the status, or null. */
function faultedStatus(record: JobRecord, { isHitBy }: RoutedRequest, dialect: Dialect, nowMs: number): Reply | null {
  const isLate = isHitBy('late-in-progress', () => record.status === 'COMPLETED');
  const isUnknown = isHitBy('unknown-status');
  if (!isLate && !isUnknown) return null;
  const shown: JobRecord = isLate ? { ...record, status: 'IN_PROGRESS', outputJson: null } : record;
  const text = renderJob(shown, dialect, nowMs);
  if (!isUnknown) return okReply(text);
  // The status comes after the id, which the sandbox made, so the first match is right.
  const unknown = isTerminal(shown.status) ? 'ERROR' : 'RUNNING';
  return okReply(text.replace(`"status":"${shown.status}"`, `"status":"${unknown}"`));
}

/** The chunks in the answer to a read of the stream, as a JSON array, which faults may repeat. */
function takeChunks(
  { stream, retries }: JobRecord,
  { isHitBy, onChunksSent }: RoutedRequest,
  isStreamReplayed: boolean,
): string {
  const isReplayed = isHitBy('replay-chunks', () => stream.readCount() > 0) || isStreamReplayed;
  const from = isReplayed ? 0 : stream.readCount();
  const chunks = isReplayed ? stream.replay() : stream.drain();
  const isDoubled = isHitBy('duplicate-chunks', () => chunks !== '[]');
  onChunksSent({ retries, from, to: stream.readCount(), times: isDoubled ? 2 : 1 });
  if (!isDoubled) return chunks;
  const once: unknown[] = JSON.parse(chunks);
  return JSON.stringify(once.flatMap((chunk) => [chunk, chunk]));
}
