import { ok, type Failure, type Result, type ServiceFailure } from '../../../src-preload/failure.ts';
import type { RequestRecord } from '../../../src-preload/job.ts';
import type { GovernedOperation, Lane, LaneOutcome, RateGovernor } from '../../service/rate-governor.ts';
import type { Exchange, QueueApi, Reply } from '../../service/reply.ts';
import type { Reachability } from './reachability.ts';

/** Where a request goes: the base URL is the one pinned on the job. */
interface Destination {
  connectionId: string;
  baseUrl: string;
  endpointId: string;
}

export interface Ask<T> {
  to: Destination;
  operation: GovernedOperation;
  /** The job it is made for; null for an endpoint's health. */
  jobKey: string | null;
  /**
   * Set on what the schedule did not plan: it is not sent to where the service refuses it at the moment (ruling 35).
   */
  isUnplanned?: true;
  call: (api: QueueApi, signal: AbortSignal) => Promise<Reply<T>>;
  /** One line about a good answer, for the job's request list. */
  describe: (value: T) => string;
}

export type Sent<T> =
  | ({ kind: 'answered' } & Reply<T>)
  /** The budget has no place; nothing was sent. */
  | { kind: 'no-room'; nextAtMs: number | null }
  /** Jobdeck closes; nothing was sent. */
  | { kind: 'closing'; failure: Failure }
  /** There is no way (no key, the connection removed, refused at the moment); nothing was sent. */
  | { kind: 'blocked'; failure: Failure };

export interface DispatchParts {
  governor: RateGovernor;
  reachability: Reachability;
  /** The operations of a connection at a base URL, or why there are none. */
  apiFor: (of: { connectionId: string; baseUrl: string }) => Promise<Result<QueueApi>> | Result<QueueApi>;
  now: () => number;
  onRequest: (jobKey: string, request: Omit<RequestRecord, 'id'>) => void;
}

/** The one way out for every request about jobs: takes its place in the budget, and learns from how it ends. */
export interface Dispatch {
  send<T>(ask: Ask<T>): Promise<Sent<T>>;
  /** Requests in progress, but for runsync. */
  inFlight(): number;
  /** Aborts what is in progress and lets nothing else out. */
  close(): void;
}

/** Sends requests of jobs: asks the governor and reachability first, and notes each request. */
export function createDispatch({ governor, reachability, apiFor, now, onRequest }: DispatchParts): Dispatch {
  const closing = new AbortController();
  let inFlight = 0;

  async function send<T>(ask: Ask<T>): Promise<Sent<T>> {
    const { connectionId, endpointId } = ask.to;
    const lane = { connectionId, endpointId, operation: ask.operation };
    // A runsync is open for as long as it waits: it must not keep the short requests out.
    const slots = ask.operation === 'runsync' ? 0 : 1;
    const mayAsk = ask.isUnplanned === true ? reachability.mayAsk(lane) : ok(null);
    if (!mayAsk.ok) return { kind: 'blocked', failure: mayAsk.failure };
    if (!governor.begin(lane, now())) return { kind: 'no-room', nextAtMs: governor.room(lane, now()).nextAtMs };
    inFlight += slots;
    reachability.asked(lane);
    let outcome: LaneOutcome = { kind: 'failed' };
    try {
      const api = await apiFor(ask.to);
      if (!api.ok || closing.signal.aborted) {
        reachability.released(lane);
        if (api.ok) return { kind: 'closing', failure: closingNow };
        // A job of another host says nothing about the connection's key.
        if (api.failure.kind !== 'refused') reachability.noKey(connectionId);
        return { kind: 'blocked', failure: api.failure };
      }
      const reply = await ask.call(api.value, closing.signal);
      const { result, exchange } = reply;
      outcome = outcomeOf(result);
      learn(lane, result, exchange);
      if (ask.jobKey !== null && wasSent(result)) onRequest(ask.jobKey, recordOf(exchange, result, ask.describe));
      return { kind: 'answered', ...reply };
    } catch (error) {
      // It was perhaps the probe of an unreachable connection: another one may try.
      reachability.released(lane);
      throw error;
    } finally {
      inFlight -= slots;
      governor.end(lane, outcome, now());
    }
  }

  function learn(lane: Lane, result: Result<unknown, ServiceFailure>, exchange: Exchange): void {
    if (result.ok) return reachability.taken(lane);
    const { failure } = result;
    if (failure.kind === 'unauthorized') {
      if (failure.httpStatus === undefined) {
        reachability.released(lane);
        return reachability.noKey(lane.connectionId);
      }
      const refusal = { httpStatus: failure.httpStatus, path: exchange.path, said: failure.serviceSaid ?? null };
      return reachability.keyRefused(lane, refusal, exchange.atMs);
    }
    // What the service says of a job or of a request it says to a key that it takes.
    if (failure.isJson === true && (failure.kind === 'not-found' || failure.kind === 'invalid'))
      return reachability.taken(lane);
    if (failure.httpStatus !== undefined) return reachability.answered(lane);
    if (failure.kind === 'network' || failure.kind === 'timeout') return reachability.unanswered(lane, failure);
    reachability.released(lane);
  }

  return { send, inFlight: () => inFlight, close: () => closing.abort() };
}

const closingNow: Failure = {
  kind: 'refused',
  message: 'Jobdeck is closing, so nothing was sent. Saved data stays.',
};

function outcomeOf(result: Result<unknown, ServiceFailure>): LaneOutcome {
  if (result.ok) return { kind: 'answered' };
  if (result.failure.kind === 'rate-limited')
    return { kind: 'rate-limited', retryAfterMs: result.failure.retryAfterMs ?? null };
  return { kind: result.failure.httpStatus === undefined ? 'failed' : 'answered' };
}

/** Refused here before anything left: no exchange to show. */
function wasSent(result: Result<unknown, ServiceFailure>): boolean {
  return result.ok || result.failure.mayHaveArrived || result.failure.kind === 'network';
}

function recordOf<T>(
  exchange: Exchange,
  result: Result<T, ServiceFailure>,
  describe: (value: T) => string,
): Omit<RequestRecord, 'id'> {
  const { hiddenSecrets = 0, ...request } = exchange;
  return {
    ...request,
    failureKind: result.ok ? null : result.failure.kind,
    note: result.ok
      ? `${describe(result.value)}${hiddenIn(hiddenSecrets)}`
      : result.failure.kind === 'malformed'
        ? result.failure.message
        : (result.failure.serviceSaid ?? result.failure.message),
  };
}

/** That a reply is not kept byte by byte as it came has to be said where the job tells what was asked. */
function hiddenIn(hiddenSecrets: number): string {
  return hiddenSecrets === 0
    ? ''
    : `; it repeated a key or secret, hidden in ${hiddenSecrets === 1 ? 'one place' : `${hiddenSecrets} places`}`;
}
