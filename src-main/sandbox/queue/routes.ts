import type { Clock } from '../time/clock.ts';
import type { Dialect } from '../dialect.ts';
import { isTerminal, renderJob, type JobRecord, type JobSource } from './job-record.ts';
import { waitForJob } from './job-waiting.ts';
import { RUN_BODY_MAX_BYTES, RUNSYNC_BODY_MAX_BYTES, WAIT_MS } from '../limits.ts';
import type { Operation } from './operations.ts';
import type { Queue } from './queue.ts';
import { errorReply, okReply, type Reply } from '../http/reply.ts';
import type { BodyRead } from '../http/request-body.ts';
import { checkSubmission, checkTtl, checkWait, type Checked, type Submission } from './validation.ts';

/** A request that was authorised and whose endpoint, operation and method are known. */
export interface RoutedRequest {
  operation: Operation;
  endpointId: string;
  /** Empty for operations that name no job. */
  jobId: string;
  query: URLSearchParams;
  contentType: string | undefined;
  readBody(maxBytes: number): Promise<BodyRead>;
  /** Aborted when the client hangs up. */
  signal(): AbortSignal;
}

/** Answers one request; null when the client left and nobody is there to answer. */
export type Route = (request: RoutedRequest, queue: Queue) => Promise<Reply | null> | Reply | null;

export interface RouteOptions {
  clock: Clock;
  dialect: Dialect;
  isStreamReplayed: boolean;
}

function idAndStatus(record: JobRecord, status: string): Reply {
  return okReply(JSON.stringify({ id: record.id, status }));
}

function jobGone({ jobId, endpointId }: RoutedRequest): Reply {
  return errorReply(404, `No job ${jobId} on endpoint ${endpointId}: it never existed, expired, was purged or outlived its ttl.`);
}

function isJson(contentType: string | undefined): boolean {
  return contentType === undefined || /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

async function readSubmission(request: RoutedRequest, maxBytes: number): Promise<Checked<Submission> | null> {
  if (!isJson(request.contentType)) return { ok: false, message: 'The body must be sent as content-type application/json.' };
  const body = await request.readBody(maxBytes);
  switch (body.kind) {
    case 'gone':
      return null;
    case 'too-large':
      return { ok: false, message: `The body of ${request.operation} must not exceed ${maxBytes} bytes.` };
    case 'not-utf8':
      return { ok: false, message: 'The body is not valid UTF-8 text.' };
    case 'text':
      return checkSubmission(body.text);
  }
}

/** The queue operations, each as a function of the request and the endpoint's queue. Spec: Queue operations. */
export function createRoutes({ clock, dialect, isStreamReplayed }: RouteOptions): Record<Operation, Route> {
  const fullRecord = (record: JobRecord): Reply => okReply(renderJob(record, dialect, clock.now()));

  function onJob(answer: (record: JobRecord, request: RoutedRequest, queue: Queue) => ReturnType<Route>): Route {
    return (request, queue) => {
      const record = queue.find(request.jobId);
      return record === undefined ? jobGone(request) : answer(record, request, queue);
    };
  }

  async function submit(request: RoutedRequest, queue: Queue, source: JobSource, maxBytes: number): Promise<JobRecord | Reply | null> {
    const submission = await readSubmission(request, maxBytes);
    if (submission === null) return null;
    return submission.ok ? queue.submit(submission.value, source) : errorReply(400, submission.message);
  }

  async function untilTerminal(record: JobRecord, request: RoutedRequest, waitMs: number): Promise<Reply> {
    const isSatisfied = (): boolean => isTerminal(record.status);
    await waitForJob({ record, clock, isSatisfied, waitMs, signal: request.signal() });
    return record.isRemoved ? jobGone({ ...request, jobId: record.id }) : fullRecord(record);
  }

  function isRecord(submitted: JobRecord | Reply | null): submitted is JobRecord {
    return submitted !== null && 'id' in submitted;
  }

  return {
    run: async (request, queue) => {
      const submitted = await submit(request, queue, 'run', RUN_BODY_MAX_BYTES);
      return isRecord(submitted) ? idAndStatus(submitted, 'IN_QUEUE') : submitted;
    },

    runsync: async (request, queue) => {
      const wait = checkWait(request.query.get('wait'));
      if (!wait.ok) return errorReply(400, wait.message);
      const submitted = await submit(request, queue, 'runsync', RUNSYNC_BODY_MAX_BYTES);
      return isRecord(submitted) ? untilTerminal(submitted, request, wait.value) : submitted;
    },

    status: onJob((record, request, queue) => {
      const ttl = checkTtl(request.query.get('ttl'));
      if (!ttl.ok) return errorReply(400, ttl.message);
      if (ttl.value !== null) queue.restartTtl(record, ttl.value);
      return fullRecord(record);
    }),

    'status-sync': onJob((record, request) => {
      const wait = checkWait(request.query.get('wait'));
      return wait.ok ? untilTerminal(record, request, wait.value) : errorReply(400, wait.message);
    }),

    stream: onJob(async (record, request) => {
      const wait = dialect === 'observed' ? request.query.get('wait') : null;
      if (wait !== null && /^\d{1,9}$/.test(wait)) {
        // Seen in the field: the reply may be held until there is something to tell.
        const isSatisfied = (): boolean => record.stream.hasUnread() || isTerminal(record.status);
        const waitMs = Math.min(Number(wait), WAIT_MS.max);
        await waitForJob({ record, clock, isSatisfied, waitMs, signal: request.signal() });
        if (record.isRemoved) return jobGone(request);
        // Nobody would receive what is drained now.
        if (request.signal().aborted) return null;
      }
      const chunks = isStreamReplayed ? record.stream.replay() : record.stream.drain();
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
      const { idle, running, initializing, unhealthy } = queue.workerCounts();
      const workers = dialect === 'spec' ? { idle, running } : { idle, initializing, ready: idle, running, throttled: 0, unhealthy };
      return okReply(JSON.stringify({ jobs: queue.jobCounts(), workers }));
    },
  };
}
