import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import { faultReply, REQUEST_FAULT_KINDS, skewTimes, spoil } from '../faults/fault-reply.ts';
import type { Faults, FaultTarget } from '../faults/faults.ts';
import {
  isOwnHost,
  type CheckAuthorization,
  authorityOf,
  managementOperationOf,
  readTarget,
  type RequestTarget,
} from '../http/request-target.ts';
import { errorReply, tooManyReply, type EchoText, type Reply } from '../http/reply.ts';
import type { BodyRead } from '../http/request-body.ts';
import type { Queue } from '../queue/queue.ts';
import type { Route } from '../queue/routes.ts';
import { isOperation, isUnservedOperation, OPERATIONS, UNSERVED_OPERATIONS } from '../specification.ts';
import type { Dialect, LimitedOperation, Operation } from '../specification.ts';
import type { Admit } from './rate-limits.ts';
import type { Outcome, RecordAnswer, RequestAccess, RequestTrace } from './request-log.ts';

export type HandleRequest = (request: IncomingMessage, access: RequestAccess) => Promise<Outcome>;

/** A request of the management or the control interface. `path` is the decoded segments after its prefix. */
export interface AreaRequest {
  method: string;
  path: readonly string[];
  query: URLSearchParams;
  contentType: string | undefined;
  readBody(maxBytes: number): Promise<BodyRead>;
}

/** Serves such an interface. `handle` returns null if the client left. */
export interface AreaHandler {
  handle(request: AreaRequest): Promise<Reply | null> | Reply | null;
}

export interface RequestHandlingOptions {
  queues: ReadonlyMap<string, Queue>;
  routes: Record<Operation, Route>;
  dialect: Dialect;
  clock: Clock;
  isAuthorized: CheckAuthorization;
  admit: Admit;
  faults: Faults;
  management: AreaHandler;
  control: AreaHandler;
  echo: EchoText;
  record: RecordAnswer;
}

type QueueTarget = Extract<RequestTarget, { area: 'queue' }>;
type AreaTarget = Extract<RequestTarget, { area: 'management' | 'control' }>;
type Answer = Promise<Reply | null> | Reply | null;
type Destination =
  | { operation: Operation; jobId: string }
  /** Counted by its limit, then refused (ruling 21; spec: Limits). */
  | { operation: Exclude<LimitedOperation, Operation>; refusal: Reply }
  | { operation: null; refusal: Reply };

function answered(reply: Reply): Outcome {
  return { kind: 'reply', reply };
}

function noDestination(status: number, sentence: string): Destination {
  return { operation: null, refusal: errorReply(status, sentence) };
}

function hasEncodedBody({ method, headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'];
  return method === 'POST' && encoding !== undefined && encoding.trim().toLowerCase() !== 'identity';
}

const ENCODED_BODY = 'The body must be sent as it is, without a content-encoding.';
const GONE: Outcome = { kind: 'gone' };

/** A request with its connection, and what was found out about it for the log. */
interface Passage<Target> {
  request: IncomingMessage;
  access: RequestAccess;
  target: Target;
  trace: RequestTrace;
}

/** Passes every request through the same steps, in order: host, key, existence, admission, faults, route. */
export class RequestHandling {
  readonly #options: RequestHandlingOptions;

  constructor(options: RequestHandlingOptions) {
    this.#options = options;
  }

  /** Handles a request. Rejects only on a defect of the sandbox. */
  async handle(request: IncomingMessage, access: RequestAccess): Promise<Outcome> {
    const target = readTarget(request.url ?? '/');
    const trace: RequestTrace = { fault: null, submittedJobId: null, sentChunks: null };
    const recordOutcome = this.#options.record(request, access, target, trace);
    // If a defect of the sandbox throws, the server answers 500.
    let outcome: Outcome | null = null;
    try {
      outcome = await this.#decide({ request, access, target, trace });
      return outcome;
    } finally {
      recordOutcome(outcome);
    }
  }

  async #decide({ request, access, target, trace }: Passage<RequestTarget>): Promise<Outcome> {
    const refusal = this.#refusalAtTheDoor(request, target);
    if (refusal !== null) return answered(refusal);
    switch (target.area) {
      case 'queue':
        return this.#handleQueueRequest({ request, access, target, trace });
      case 'management':
        return this.#handleManagementRequest({ request, access, target, trace });
      case 'control':
        return answeredOrGone(await this.#options.control.handle(areaRequest({ request, access, target, trace })));
      case 'elsewhere':
        return answered(errorReply(404, 'Nothing is served at this path.'));
    }
  }

  /** The refusal of a request with a wrong host or key, or null. */
  #refusalAtTheDoor({ url, headers, httpVersion }: IncomingMessage, target: RequestTarget): Reply | null {
    const { host, authorization } = headers;
    const authority = authorityOf(url ?? '');
    if (host === undefined && httpVersion !== '1.0') return errorReply(400, 'The request must carry a Host header.');
    if ((host !== undefined && !isOwnHost(host)) || (authority !== null && !isOwnHost(authority)))
      return errorReply(403, 'This service answers only to its own host name.');
    const { isAuthorized } = this.#options;
    if (!isAuthorized(authorization, 'bare-or-bearer'))
      return errorReply(401, 'The key in the authorization header is missing or incorrect.');
    if (target.area === 'management' && !isAuthorized(authorization, 'bearer'))
      return errorReply(401, 'The management interface takes the key only in the form authorization: Bearer KEY.');
    return null;
  }

  async #handleQueueRequest(passage: Passage<QueueTarget>): Promise<Outcome> {
    const { queues, echo, admit } = this.#options;
    const { request, access, target, trace } = passage;
    const { endpointId } = target;
    const queue = queues.get(endpointId);
    if (queue === undefined) return answered(errorReply(404, `No endpoint ${echo(endpointId)} here.`));
    queue.touch();
    const destination = this.#findDestination(target, request.method);
    if (destination.operation === null) return answered(destination.refusal);

    const { operation } = destination;
    const admission = admit({ endpointId, operation });
    if (!admission.isAdmitted) return answered(tooManyReply(admission.reason, admission.retryAfterS));
    let isHanging = false;
    try {
      const outcome = await this.#underFaults({ operation, endpointId }, trace, () =>
        'refusal' in destination ? destination.refusal : this.#askRoute(passage, destination, queue),
      );
      isHanging = outcome.kind === 'hang';
      return outcome;
    } finally {
      // A request that is left hanging counts as in progress until its client gives up.
      if (isHanging) access.signal().addEventListener('abort', admission.release);
      else admission.release();
    }
  }

  #findDestination({ operation, jobId }: QueueTarget, method: string | undefined): Destination {
    const { dialect, echo } = this.#options;
    if (isUnservedOperation(operation)) {
      const refusal = errorReply(
        404,
        `The ${operation} operation is not described by the specification and not served here.`,
      );
      return { operation: method === UNSERVED_OPERATIONS[operation].method ? operation : null, refusal };
    }
    if (!isOperation(operation) || (operation === 'status-sync' && dialect === 'spec')) {
      return noDestination(400, `There is no operation ${echo(operation)}.`);
    }
    const { method: ownMethod, namesJob } = OPERATIONS[operation];
    if (method !== ownMethod) return noDestination(400, `${operation} is called with ${ownMethod}.`);
    if (namesJob && (jobId === null || jobId === ''))
      return noDestination(400, `${operation} needs a job id in its path.`);
    if (!namesJob && jobId !== null) return noDestination(400, `${operation} takes no job id in its path.`);
    return { operation, jobId: jobId ?? '' };
  }

  /** Calls a route, whose answer faults may change. */
  async #askRoute(
    { request, access, target, trace }: Passage<QueueTarget>,
    { operation, jobId }: { operation: Operation; jobId: string },
    queue: Queue,
  ): Promise<Reply | null> {
    if (hasEncodedBody(request)) return errorReply(400, ENCODED_BODY);
    const { routes, faults } = this.#options;
    const { endpointId, query } = target;
    let delayMs = 0;
    const reply = await routes[operation](
      {
        operation,
        endpointId,
        jobId,
        query,
        contentType: request.headers['content-type'],
        readBody: access.readBody,
        signal: access.signal,
        isHitBy: (kind, applies) => {
          const fault = faults.pick([kind], { operation, endpointId }, applies);
          if (fault === null) return false;
          trace.fault ??= kind;
          delayMs += fault.delayMs ?? 0;
          return true;
        },
        onSubmitted: (id) => {
          trace.submittedJobId = id;
        },
        onChunksSent: (chunks) => {
          trace.sentChunks = chunks;
        },
      },
      queue,
    );
    await this.#pause(delayMs);
    return reply;
  }

  async #handleManagementRequest(passage: Passage<AreaTarget>): Promise<Outcome> {
    const { request, target, trace } = passage;
    const operation = managementOperationOf(request.method, target.path);
    const ask = (): Answer =>
      hasEncodedBody(request) ? errorReply(400, ENCODED_BODY) : this.#options.management.handle(areaRequest(passage));
    if (operation !== null) return this.#underFaults({ operation, endpointId: null }, trace, ask);
    return answeredOrGone(await ask());
  }

  /** Applies faults to a request and its answer. */
  async #underFaults(target: FaultTarget, trace: RequestTrace, produce: () => Answer): Promise<Outcome> {
    const { faults } = this.#options;
    const fault = faults.pick(REQUEST_FAULT_KINDS, target);
    if (fault !== null) {
      trace.fault = fault.kind;
      await this.#pause(fault.delayMs ?? 0);
      if (fault.kind === 'reset' || fault.kind === 'hang') return { kind: fault.kind };
    }
    const inPlace = fault === null ? null : faultReply(fault);
    const own = inPlace !== null && fault?.isProcessed !== true ? inPlace : await produce();
    if (own === null) return GONE;
    const reply = inPlace ?? own;
    if (fault?.kind === 'drop-after-accept') return { kind: 'reset' };

    const skew = faults.pick(['clock-skew'], target);
    if (skew !== null) {
      trace.fault ??= skew.kind;
      await this.#pause(skew.delayMs ?? 0);
    }
    const timed = skew === null ? reply : skewTimes(reply, skew, target.endpointId === null);
    return answered(fault === null ? timed : spoil(timed, fault));
  }

  #pause(delayMs: number): Promise<void> | null {
    return delayMs <= 0 ? null : new Promise((resolve) => void this.#options.clock.setTimeout(resolve, delayMs));
  }
}

function areaRequest({ request, access, target }: Passage<AreaTarget>): AreaRequest {
  const { path, query } = target;
  const { method = 'GET', headers } = request;
  return { method, path, query, contentType: headers['content-type'], readBody: access.readBody };
}

function answeredOrGone(reply: Reply | null): Outcome {
  return reply === null ? GONE : answered(reply);
}
