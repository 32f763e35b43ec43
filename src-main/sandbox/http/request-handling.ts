import type { IncomingMessage } from 'node:http';
import type { Admit } from './admission.ts';
import type { CheckAuthorization } from './authorization.ts';
import type { Clock } from '../time/clock.ts';
import type { Dialect } from '../dialect.ts';
import { refusalOf, spoil, type Faults } from '../faults/faults.ts';
import { OPERATIONS, isOperation, readTarget, type Operation, type RequestTarget } from '../queue/operations.ts';
import type { Queue } from '../queue/queue.ts';
import { errorReply, tooManyReply, type Reply } from './reply.ts';
import type { BodyRead } from './request-body.ts';
import type { RequestCounters } from './request-counters.ts';
import type { Route } from '../queue/routes.ts';

/** What becomes of a request. `hang`: left without an answer on purpose. `gone`: the client left. */
export type Outcome = { kind: 'reply'; reply: Reply } | { kind: 'reset' } | { kind: 'hang' } | { kind: 'gone' };

/** The connection side of a request, as far as answering it needs it. */
export interface RequestAccess {
  readBody(maxBytes: number): Promise<BodyRead>;
  signal(): AbortSignal;
}

export type HandleRequest = (request: IncomingMessage, access: RequestAccess) => Promise<Outcome>;

export interface RequestHandlingOptions {
  queues: ReadonlyMap<string, Queue>;
  routes: Record<Operation, Route>;
  dialect: Dialect;
  clock: Clock;
  isAuthorized: CheckAuthorization;
  admit: Admit;
  faults: Faults;
  counters: RequestCounters;
}

type QueueTarget = Extract<RequestTarget, { area: 'queue' }>;
type Destination = { operation: Operation; queue: Queue; jobId: string } | { refusal: Reply };

/** A page from elsewhere that resolves its own name to 127.0.0.1 still sends that name as Host. */
function isOwnHost(host: string | undefined): boolean {
  return host === undefined || /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host);
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return delayMs <= 0 ? Promise.resolve() : new Promise((resolve) => void clock.setTimeout(resolve, delayMs));
}

function answered(reply: Reply): Outcome {
  return { kind: 'reply', reply };
}

/** The steps every request goes through, in order: host, key, existence, admission, faults, route. */
export function createRequestHandling(options: RequestHandlingOptions): HandleRequest {
  const { queues, routes, dialect, clock, isAuthorized, admit, faults, counters } = options;

  function findDestination({ endpointId, operation, jobId }: QueueTarget, method: string | undefined): Destination {
    const queue = queues.get(endpointId);
    if (queue === undefined) return { refusal: errorReply(404, `No endpoint ${endpointId} here.`) };
    if (operation === 'openai' || operation === 'requests') {
      return { refusal: errorReply(404, `The ${operation} operation is not described by the specification and not served here.`) };
    }
    if (!isOperation(operation) || (operation === 'status-sync' && dialect === 'spec')) {
      return { refusal: errorReply(400, `There is no operation ${operation}.`) };
    }
    const { method: ownMethod, namesJob } = OPERATIONS[operation];
    if (method !== ownMethod) return { refusal: errorReply(400, `${operation} is called with ${ownMethod}.`) };
    if (namesJob && (jobId === null || jobId === '')) return { refusal: errorReply(400, `${operation} needs a job id in its path.`) };
    if (!namesJob && jobId !== null) return { refusal: errorReply(400, `${operation} takes no job id in its path.`) };
    return { operation, queue, jobId: jobId ?? '' };
  }

  async function process(request: IncomingMessage, access: RequestAccess, target: QueueTarget, to: Exclude<Destination, { refusal: Reply }>): Promise<Outcome> {
    const { operation, queue, jobId } = to;
    const { endpointId, query } = target;
    const fault = faults.pick(operation, endpointId);
    if (fault !== null) {
      await pause(clock, fault.delayMs ?? 0);
      const refusal = refusalOf(fault);
      if (refusal !== null) return answered(refusal);
      if (fault.kind === 'reset' || fault.kind === 'hang') return { kind: fault.kind };
    }
    const contentType = request.headers['content-type'];
    const reply = await routes[operation]({ operation, endpointId, jobId, query, contentType, ...access }, queue);
    if (reply === null) return { kind: 'gone' };
    if (fault === null) return answered(reply);
    return fault.kind === 'drop-after-accept' ? { kind: 'reset' } : answered(spoil(reply, fault.kind));
  }

  async function handleQueueRequest(request: IncomingMessage, access: RequestAccess, target: QueueTarget): Promise<Outcome> {
    const destination = findDestination(target, request.method);
    if ('refusal' in destination) return answered(destination.refusal);
    const admission = admit({ endpointId: target.endpointId, operation: destination.operation, atMs: clock.now() });
    if (!admission.isAdmitted) return answered(tooManyReply(admission.reason, admission.retryAfterS));
    try {
      return await process(request, access, target, destination);
    } finally {
      admission.release();
    }
  }

  async function decide(request: IncomingMessage, access: RequestAccess, target: RequestTarget): Promise<Outcome> {
    if (!isOwnHost(request.headers.host)) return answered(errorReply(403, 'This service answers only to its own host name.'));
    const forms = target.area === 'management' ? 'bearer' : 'bare-or-bearer';
    if (!isAuthorized(request.headers.authorization, forms)) {
      return answered(errorReply(401, 'The key in the authorization header is missing or incorrect.'));
    }
    if (target.area === 'queue') return handleQueueRequest(request, access, target);
    const place = target.area === 'management' ? 'The management interface is not served here yet.' : 'Nothing is served at this path.';
    return answered(errorReply(404, place));
  }

  return async (request, access) => {
    const target = readTarget(request.url ?? '/');
    const outcome = await decide(request, access, target);
    const isQueue = target.area === 'queue';
    // Names from outside are counted together, or a scan of the port would grow the counters without end.
    const endpointId = isQueue && queues.has(target.endpointId) ? target.endpointId : '(other)';
    const operation = isQueue && isOperation(target.operation) ? target.operation : '(other)';
    counters.add(endpointId, operation, outcome.kind === 'reply' ? outcome.reply.status : 0);
    return outcome;
  };
}
