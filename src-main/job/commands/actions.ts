import { failed, ok, type Failure, type Result, type ServiceFailure } from '../../../src-preload/failure.ts';
import { isTerminalStatus, type Job } from '../../../src-preload/job.ts';
import { allowedActions } from '../../../src-preload/job-actions.ts';
import { backoffMs } from '../../../src-preload/backoff.ts';
import { absent } from '../store/ledger.ts';
import { type JobEvent, isSettling } from '../reducer/job-event.ts';
import type { StatusReads } from '../polling/status-reads.ts';
import type { JobContext } from '../context/job-context.ts';
import type { JobPollingState } from '../context/polling-state.ts';
import type { StreamReader } from '../stream/stream-reader.ts';
import { notCancelledText, notExtendedText } from '../../../src-preload/messages/job.ts';
import { jobText } from '../../messages/job.ts';

/** Without room and without a time at which there will be some, a cancel is tried again after this. */
const noRoomMs = 250;
/** A cancel is given up, with a message, after this many errors of the service. */
const cancelTries = 8;

/** What a user requests for a job. Each method returns the job afterwards, or why not. */
export class Actions {
  readonly #context: JobContext;
  readonly #statusReads: StatusReads;
  readonly #streams: StreamReader;

  constructor(context: JobContext, statusReads: StatusReads, streams: StreamReader) {
    this.#context = context;
    this.#statusReads = statusReads;
    this.#streams = streams;
  }

  /** Withdraws an unsent job. One that left, or may have left, stays as it is. */
  async withdraw(key: string): Promise<Result<{ job: Job; isWithdrawn: boolean }>> {
    const after = await this.#context.ledger.change(key, [{ kind: 'withdrawn' }]);
    return after === null ? failed(absent) : ok({ job: after, isWithdrawn: after.reason?.kind === 'withdrawn' });
  }

  /**
   * Withdraws an unsent job. Otherwise sends a cancel to the service, and repeats it (ruling 10) until there is an
   * answer.
   */
  async cancel(key: string): Promise<Result<Job>> {
    const job = await this.#context.ledger.find(key);
    if (job === null) return failed(absent);
    if (job.phase === 'waiting' || job.phase === 'orphaned') {
      const withdrawn = await this.withdraw(key);
      if (withdrawn.ok && withdrawn.value.job.phase === 'finished') return ok(withdrawn.value.job);
    }
    const current = (await this.#context.ledger.find(key)) ?? job;
    const { isAllowed, reason } = allowedActions(current, this.#context.clock.now()).cancel;
    if (!isAllowed || isSettling(current))
      return failed({ kind: 'refused', message: isAllowed ? notCancelledText.finished : reason });
    const requested = await this.#context.ledger.change(key, [{ kind: 'cancel-requested' }]);
    return await this.sendCancel(requested ?? current);
  }

  /** Sends a cancel, for the first time or again. */
  async sendCancel(job: Job): Promise<Result<Job>> {
    const polling = this.#context.pollingStates.of(job);
    if (job.jobId === null || !job.isCancelling) {
      polling.cancelAtMs = null;
      return ok(job);
    }
    polling.isCancelBusy = true;
    try {
      await this.#streams.readBeforeEnd(job);
      const sent = await this.#context.dispatch.send({
        to: job,
        operation: 'cancel',
        jobKey: job.key,
        isUnplanned: true,
        call: (api, signal) => api.cancel(job.endpointId, job.jobId ?? '', { signal }),
        describe: ({ status }) => status,
      });
      if (sent.kind === 'no-room') {
        polling.cancelAtMs = sent.nextAtMs ?? this.#context.clock.now() + noRoomMs;
        return ok(job);
      }
      // The user still wants it: the next start sends it.
      if (sent.kind === 'closing') return ok(job);
      const failure = sent.kind === 'blocked' ? sent.failure : sent.result.ok ? null : sent.result.failure;
      // Like a job that waits to be sent, it waits for the key: a keychain may be opened after the start.
      if (failure !== null && isWithoutKey(failure)) {
        polling.cancelAtMs = this.#context.clock.now();
        return ok(job);
      }
      if (sent.kind === 'blocked') return await this.#giveUpCancel(job, sent.failure);
      const { result, exchange } = sent;
      if (!result.ok) return await this.#cancelFailed(job, result.failure);
      endCancel(polling);
      const isCancelled = result.value.status === 'CANCELLED';
      // With any other end the job ended on its own, and its status says how (ruling 38).
      polling.isStatusReadWanted = !isCancelled;
      const events: JobEvent[] = [{ kind: 'cancel-answered', record: result.value, requestedAtMs: exchange.atMs }];
      if (isCancelled) events.push(...this.#streams.schedule.endWithoutDrain(job, result.value));
      return ok((await this.#context.ledger.change(job.key, events)) ?? job);
    } finally {
      polling.isCancelBusy = false;
    }
  }

  /** Sends `status?ttl=` (spec: Queue operations, status; ruling 19). */
  async extendTtl(key: string, ttlMs: number): Promise<Result<Job>> {
    const job = await this.#context.ledger.find(key);
    if (job === null) return failed(absent);
    const { isAllowed, reason } = allowedActions(job, this.#context.clock.now()).extendTtl;
    if (!isAllowed || job.jobId === null || isSettling(job))
      return failed({ kind: 'refused', message: reason || notExtendedText });
    const sent = await this.#statusReads.readStatus(job, ttlMs);
    if (sent.kind === 'no-room') return failed({ kind: 'refused', message: jobText.rateLimitUsedUp });
    if (sent.kind !== 'answered') return failed(sent.failure);
    const { result, exchange } = sent;
    if (!result.ok) return failed(result.failure);
    const events: JobEvent[] = [
      { kind: 'ttl-extended', ttlMs, requestedAtMs: exchange.atMs },
      { kind: 'status', record: result.value, attempt: job.attempt, requestedAtMs: exchange.atMs },
    ];
    if (isTerminalStatus(result.value.status))
      events.push(...this.#streams.schedule.endWithoutDrain(job, result.value));
    const after = await this.#context.ledger.change(key, events);
    return after === null ? failed(absent) : ok(after);
  }

  async #cancelFailed(job: Job, failure: ServiceFailure): Promise<Result<Job>> {
    const polling = this.#context.pollingStates.of(job);
    const isPassing =
      failure.kind === 'rate-limited' ||
      failure.kind === 'server' ||
      failure.httpStatus === undefined ||
      isStrange(failure.httpStatus);
    if (failure.kind === 'malformed' || failure.kind === 'not-found') polling.isStatusReadWanted = true;
    if (isPassing) {
      if (failure.httpStatus !== undefined && failure.kind !== 'rate-limited') polling.cancelFailures += 1;
      if (polling.cancelFailures < cancelTries) {
        const afterMs = Math.max(failure.retryAfterMs ?? 0, backoffMs(polling.cancelStep, this.#context.random));
        polling.cancelAtMs = this.#context.clock.now() + afterMs;
        polling.cancelStep += 1;
        return ok(this.#context.ledger.live().get(job.key)?.job ?? job);
      }
    }
    // A refusal often means that the job has ended.
    polling.isStatusReadWanted = true;
    return await this.#giveUpCancel(job, failure);
  }

  async #giveUpCancel(job: Job, failure: Failure): Promise<Result<Job>> {
    endCancel(this.#context.pollingStates.of(job));
    await this.#context.ledger.change(job.key, [{ kind: 'cancel-refused', said: messageOf(failure) }]);
    return failed(failure);
  }
}

function endCancel(polling: JobPollingState): void {
  Object.assign(polling, { cancelAtMs: null, cancelFailures: 0, cancelStep: 0 });
}

/** Nothing was sent, because the connection has no key now. */
function isWithoutKey(failure: Failure): boolean {
  return failure.kind === 'no-key' || (failure.kind === 'unauthorized' && failure.httpStatus === undefined);
}

/**
 * The answer is not about the cancel itself: a redirect, a time-out, a conflict, too early. A 404 or 410 neither: one
 * does not prove that the job is gone (ruling 34).
 */
function isStrange(httpStatus: number): boolean {
  return (httpStatus >= 300 && httpStatus < 400) || [404, 408, 409, 410, 425].includes(httpStatus);
}

function messageOf(failure: Failure): string {
  return 'serviceSaid' in failure && failure.serviceSaid !== undefined ? failure.serviceSaid : failure.message;
}
