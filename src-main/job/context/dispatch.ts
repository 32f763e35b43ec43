import { ok, type Failure, type Result, type ServiceFailure } from '../../../src-preload/failure.ts';
import type { RequestRecord } from '../../../src-preload/job.ts';
import type { Lane, LaneOutcome, RateGovernor } from '../../service/rate-governor.ts';
import type { Exchange, QueueApi, QueueOperation, Reply } from '../../service/reply.ts';
import type { Reachability } from './reachability.ts';
import { nothingSentText, requestNoteText } from '../../messages/job.ts';

/** The destination of a request. The base URL is that of the job. */
interface Destination {
  connectionId: string;
  baseUrl: string;
  endpointId: string;
}

export interface DispatchRequest<T> {
  to: Destination;
  operation: QueueOperation;
  /** The job that it is about. Null for an endpoint's health. */
  jobKey: string | null;
  /** Set if the schedule did not plan it. It is not sent while the service refuses its operation (ruling 35). */
  isUnplanned?: true;
  call: (api: QueueApi, signal: AbortSignal) => Promise<Reply<T>>;
  /** One line about a successful answer, for the job's request list. */
  describe: (value: T) => string;
}

export type Sent<T> =
  | ({ kind: 'answered' } & Reply<T>)
  /** The budget is used up. Nothing was sent. */
  | { kind: 'no-room'; nextAtMs: number | null }
  /** Jobdeck is closing. Nothing was sent. */
  | { kind: 'closing'; failure: Failure }
  /** It cannot be sent (no key, removed connection, refused at the moment). Nothing was sent. */
  | { kind: 'blocked'; failure: Failure };

export interface DispatchParts {
  governor: RateGovernor;
  reachability: Reachability;
  /** The operations of a connection at a base URL, or why there are none. */
  apiFor: (target: { connectionId: string; baseUrl: string }) => Promise<Result<QueueApi>> | Result<QueueApi>;
  now: () => number;
  onRequest: (jobKey: string, request: Omit<RequestRecord, 'id'>) => void;
}

/** All requests about jobs pass through here. Each takes a place in the budget, and its end is evaluated. */
export interface Dispatch {
  send<T>(request: DispatchRequest<T>): Promise<Sent<T>>;
  /** Requests in progress, except runsync, by the connection they were sent to. */
  inFlight(): ReadonlyMap<string, number>;
  /** Aborts what is in progress and sends nothing more. */
  close(): void;
}

/** Sends requests about jobs, if the governor and reachability allow it, and records each. */
export function createDispatch({ governor, reachability, apiFor, now, onRequest }: DispatchParts): Dispatch {
  const closing = new AbortController();
  const inFlight = new Map<string, number>();

  /** `by` is negative when they end. */
  function count(connectionId: string, by: number): void {
    const now = (inFlight.get(connectionId) ?? 0) + by;
    if (now === 0) inFlight.delete(connectionId);
    else inFlight.set(connectionId, now);
  }

  async function send<T>(request: DispatchRequest<T>): Promise<Sent<T>> {
    const { connectionId, endpointId } = request.to;
    const lane = { connectionId, endpointId, operation: request.operation };
    // A runsync is open for as long as it waits, so it must not block short requests.
    const slots = request.operation === 'runsync' ? 0 : 1;
    const allowed = request.isUnplanned === true ? reachability.maySend(lane) : ok(null);
    if (!allowed.ok) return { kind: 'blocked', failure: allowed.failure };
    if (!governor.begin(lane, now())) return { kind: 'no-room', nextAtMs: governor.room(lane, now()).nextAtMs };
    count(connectionId, slots);
    reachability.sent(lane);
    let outcome: LaneOutcome = { kind: 'failed' };
    try {
      const api = await apiFor(request.to);
      if (!api.ok || closing.signal.aborted) {
        reachability.released(lane);
        if (api.ok) return { kind: 'closing', failure: closingNow };
        // A job of another host says nothing about the connection's key.
        if (api.failure.kind !== 'refused') reachability.noKey(connectionId);
        return { kind: 'blocked', failure: api.failure };
      }
      const reply = await request.call(api.value, closing.signal);
      const { result, exchange } = reply;
      outcome = outcomeOf(result);
      learn(lane, result, exchange);
      if (request.jobKey !== null && wasSent(result))
        onRequest(request.jobKey, recordOf(exchange, result, request.describe));
      return { kind: 'answered', ...reply };
    } catch (error) {
      // It may have been the probe of an unreachable connection. Another one may try.
      reachability.released(lane);
      throw error;
    } finally {
      count(connectionId, -slots);
      governor.end(lane, outcome, now());
    }
  }

  function learn(lane: Lane, result: Result<unknown, ServiceFailure>, exchange: Exchange): void {
    if (result.ok) return reachability.accepted(lane);
    const { failure } = result;
    if (failure.kind === 'unauthorized') {
      if (failure.httpStatus === undefined) {
        reachability.released(lane);
        return reachability.noKey(lane.connectionId);
      }
      const refusal = { httpStatus: failure.httpStatus, path: exchange.path, serviceSaid: failure.serviceSaid ?? null };
      return reachability.keyRefused(lane, refusal, exchange.atMs);
    }
    // An answer about a job or a request means that the key was accepted.
    if (failure.isJson === true && (failure.kind === 'not-found' || failure.kind === 'invalid'))
      return reachability.accepted(lane);
    if (failure.httpStatus !== undefined) return reachability.answered(lane);
    if (failure.kind === 'network' || failure.kind === 'timeout') return reachability.unanswered(lane, failure);
    reachability.released(lane);
  }

  return { send, inFlight: () => inFlight, close: () => closing.abort() };
}

const closingNow: Failure = { kind: 'refused', message: nothingSentText.closing };

function outcomeOf(result: Result<unknown, ServiceFailure>): LaneOutcome {
  if (result.ok) return { kind: 'answered' };
  if (result.failure.kind === 'rate-limited')
    return { kind: 'rate-limited', retryAfterMs: result.failure.retryAfterMs ?? null };
  return { kind: result.failure.httpStatus === undefined ? 'failed' : 'answered' };
}

/** If it was refused here before anything left, there is no exchange to show. */
function wasSent(result: Result<unknown, ServiceFailure>): boolean {
  return result.ok || result.failure.mayHaveArrived || result.failure.kind === 'network';
}

function recordOf<T>(
  exchange: Exchange,
  result: Result<T, ServiceFailure>,
  describe: (value: T) => string,
): Omit<RequestRecord, 'id'> {
  const { hiddenSecrets = 0, namedNumbers = 0, ...request } = exchange;
  return {
    ...request,
    failureKind: result.ok ? null : result.failure.kind,
    note: result.ok
      ? requestNoteText.withChanges(describe(result.value), { hiddenSecrets, namedNumbers })
      : result.failure.kind === 'malformed'
        ? result.failure.message
        : (result.failure.serviceSaid ?? result.failure.message),
  };
}
