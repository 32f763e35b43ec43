import { failed, ok } from '../../src-preload/failure.ts';
import type { Failure, Result, ServiceFailure } from '../../src-preload/failure.ts';
import { allowedActions, isTerminalStatus } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import type { History } from '../history/history.ts';
import { backoffMs } from '../service/rate-governor.ts';
import type { JobRecord } from '../service/reply.ts';
import type { Clock } from './clock.ts';
import type { Dispatch } from './dispatch.ts';
import type { Follows } from './follow.ts';
import type { JobEvent } from './job-event.ts';
import type { Ledger } from './ledger.ts';
import type { Looks } from './looks.ts';
import { isSettling } from './reducer.ts';

/** A cancel that the service answered with errors this often is given up and said so. */
const cancelTries = 8;
/** So often the job is looked at to find out whether a retry was taken, with back-off between: some fifteen seconds. */
const retryLooks = 6;

/** What a user asks of a job. Each answers the job as it then stands, or why not. */
export interface Actions {
  /** Withdraws a job that was not sent; else asks the service, and goes on asking (ruling 10) when it does not answer. */
  cancel(key: string): Promise<Result<Job>>;
  /** Sends a cancel that is due again. */
  sendCancel(job: Job): Promise<Result<Job>>;
  /** spec: retry. A new attempt; the old one stays (ruling 12). */
  retry(key: string): Promise<Result<Job>>;
  /** spec: status?ttl= (ruling 19). */
  extendTtl(key: string, ttlMs: number): Promise<Result<Job>>;
}

export interface ActionsParts {
  ledger: Ledger;
  follows: Follows;
  dispatch: Dispatch;
  looks: Looks;
  history: History;
  clock: Clock;
  random: () => number;
  endWithoutDrain: (job: Job, record: JobRecord) => JobEvent[];
}

export function createActions({ ledger, follows, dispatch, looks, history, clock, random, endWithoutDrain }: ActionsParts): Actions {
  const { now } = clock;

  async function find(key: string): Promise<Job | null> {
    return ledger.live().get(key)?.job ?? (await history.get(key))?.job ?? null;
  }

  async function cancel(key: string): Promise<Result<Job>> {
    const job = await find(key);
    if (job === null) return failed(absent);
    if (job.phase === 'waiting') {
      const withdrawn = await ledger.change(key, [{ kind: 'withdrawn' }]);
      if (withdrawn?.phase === 'finished') return ok(withdrawn);
    }
    const current = (await find(key)) ?? job;
    const { isAllowed, reason } = allowedActions(current, now()).cancel;
    if (!isAllowed || isSettling(current)) return failed({ kind: 'refused', message: isAllowed ? 'The job is finished' : reason });
    const asked = await ledger.change(key, [{ kind: 'cancel-asked' }]);
    return await sendCancel(asked ?? current);
  }

  async function sendCancel(job: Job): Promise<Result<Job>> {
    const follow = follows.of(job);
    if (job.jobId === null || !job.isCancelling) {
      follow.cancelAtMs = null;
      return ok(job);
    }
    follow.isCancelBusy = true;
    try {
      const sent = await dispatch.send({
        to: job,
        operation: 'cancel',
        jobKey: job.key,
        call: (api, signal) => api.cancel(job.endpointId, job.jobId ?? '', { signal }),
        describe: ({ status }) => status,
      });
      if (sent.kind === 'no-room') {
        follow.cancelAtMs = sent.nextAtMs ?? now() + 250;
        return ok(job);
      }
      // It is still wanted: the next start sends it.
      if (sent.kind === 'closing') return ok(job);
      if (sent.kind === 'blocked') return await giveUpCancel(job, sent.failure);
      const { result, exchange } = sent;
      if (!result.ok) return await cancelFailed(job, result.failure);
      follow.cancelAtMs = null;
      follow.isLookWanted = !isTerminalStatus(result.value.status);
      const events: JobEvent[] = [{ kind: 'cancel-answered', record: result.value, askedAtMs: exchange.atMs }];
      if (isTerminalStatus(result.value.status)) events.push(...endWithoutDrain(job, result.value));
      return ok((await ledger.change(job.key, events)) ?? job);
    } finally {
      follow.isCancelBusy = false;
    }
  }

  async function cancelFailed(job: Job, failure: ServiceFailure): Promise<Result<Job>> {
    const follow = follows.of(job);
    const isPassing = failure.kind === 'rate-limited' || failure.httpStatus === undefined || failure.httpStatus >= 500;
    if (failure.kind === 'malformed') follow.isLookWanted = true;
    if (isPassing && failure.kind !== 'unauthorized') {
      if (failure.httpStatus !== undefined && failure.kind !== 'rate-limited') follow.cancelFailures += 1;
      if (follow.cancelFailures < cancelTries) {
        follow.cancelAtMs = now() + Math.max(failure.retryAfterMs ?? 0, backoffMs(follow.cancelFailures, random));
        return ok(ledger.live().get(job.key)?.job ?? job);
      }
    }
    // A refusal often means that the job ended in the meantime.
    follow.isLookWanted = true;
    return await giveUpCancel(job, failure);
  }

  async function giveUpCancel(job: Job, failure: Failure): Promise<Result<Job>> {
    const follow = follows.of(job);
    follow.cancelAtMs = null;
    follow.cancelFailures = 0;
    await ledger.change(job.key, [{ kind: 'cancel-refused', reason: `Not cancelled: ${saidBy(failure)}` }]);
    return failed(failure);
  }

  async function retry(key: string): Promise<Result<Job>> {
    const job = await find(key);
    if (job === null) return failed(absent);
    const { isAllowed, reason } = allowedActions(job, now()).retry;
    if (!isAllowed || job.jobId === null) return failed({ kind: 'refused', message: reason || 'Without an id from the service it cannot be retried' });
    if (isSettling(job)) return failed({ kind: 'refused', message: 'The rest of its output is still being read; try again in a moment' });
    const sent = await dispatch.send({
      to: job,
      operation: 'retry',
      jobKey: job.key,
      call: (api, signal) => api.retry(job.endpointId, job.jobId ?? '', { signal }),
      describe: ({ status }) => status,
    });
    if (sent.kind === 'no-room') return failed({ kind: 'refused', message: 'The rate limit for retries of this endpoint is used up for the moment; try again in some seconds' });
    if (sent.kind !== 'answered') return failed(sent.failure);
    if (sent.result.ok) return await openedBy(job, sent.result.value);
    const { failure } = sent.result;
    // Refused: perhaps because an earlier try was taken, of which no answer came.
    const mayBeTaken = failure.mayHaveArrived && (failure.httpStatus === undefined || failure.httpStatus >= 500 || failure.kind === 'malformed' || failure.kind === 'invalid');
    return mayBeTaken ? await wasRetried(job, failure) : failed(failure);
  }

  /** No answer tells whether a retry was taken: the job's own state does, as soon as it can be read. */
  async function wasRetried(job: Job, failure: ServiceFailure): Promise<Result<Job>> {
    let strange: JobRecord | null = null;
    for (let looked = 0; looked < retryLooks; looked += 1) {
      if (looked > 0) await pause(backoffMs(looked, random));
      const sent = await looks.readStatus(job);
      if (sent.kind === 'closing' || sent.kind === 'blocked') return failed(failure);
      if (sent.kind === 'no-room') continue;
      if (!sent.result.ok) {
        if (sent.result.failure.kind === 'not-found' || sent.result.failure.kind === 'unauthorized') return failed(failure);
        continue;
      }
      const record = sent.result.value;
      const standing = standingOf(job, record);
      if (standing === 'as before') return failed(failure);
      if (standing === 'retried') return await openedBy(job, record);
      strange = record;
    }
    // A service with words of its own for what is under way (ruling 8).
    return strange === null ? failed(failure) : await openedBy(job, strange);
  }

  function pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => void clock.after(delayMs, resolve));
  }

  function openedBy(job: Job, record: JobRecord): Promise<Result<Job>> {
    return opened(job, [{ kind: 'retry-accepted', ofAttempt: job.attempt, record }]);
  }

  async function opened(job: Job, events: JobEvent[]): Promise<Result<Job>> {
    const after = await ledger.change(job.key, events);
    if (after === null) return failed(absent);
    follows.of(after).isLookWanted = true;
    return ok(after);
  }

  async function extendTtl(key: string, ttlMs: number): Promise<Result<Job>> {
    const job = await find(key);
    if (job === null) return failed(absent);
    const { isAllowed, reason } = allowedActions(job, now()).extendTtl;
    if (!isAllowed || job.jobId === null || isSettling(job)) return failed({ kind: 'refused', message: reason || 'Only a live job has a ttl to extend' });
    const sent = await looks.readStatus(job, ttlMs);
    if (sent.kind === 'no-room') return failed({ kind: 'refused', message: 'The rate limit of this endpoint is used up for the moment; try again in some seconds' });
    if (sent.kind !== 'answered') return failed(sent.failure);
    const { result, exchange } = sent;
    if (!result.ok) return failed(result.failure);
    const events: JobEvent[] = [
      { kind: 'ttl-extended', ttlMs, askedAtMs: exchange.atMs },
      { kind: 'status', record: result.value, attempt: job.attempt, askedAtMs: exchange.atMs },
    ];
    if (isTerminalStatus(result.value.status)) events.push(...endWithoutDrain(job, result.value));
    const after = await ledger.change(key, events);
    return after === null ? failed(absent) : ok(after);
  }

  return { cancel, sendCancel, retry, extendTtl };
}

/** What a record tells of a finished job that was perhaps retried; `strange`: nothing, its status is not one of ours. */
function standingOf(job: Job, record: JobRecord): 'as before' | 'retried' | 'strange' {
  if (record.status === 'IN_QUEUE' || record.status === 'IN_PROGRESS') return 'retried';
  if (!isTerminalStatus(record.status)) return 'strange';
  // It may be over again already; two runs hardly take the same times.
  const isOtherRun = record.status !== job.status || differs(record.delayTimeMs, job.delayTimeMs) || differs(record.executionTimeMs, job.executionTimeMs);
  return isOtherRun ? 'retried' : 'as before';
}

function differs(ms: number | null, savedMs: number | null): boolean {
  return ms !== null && savedMs !== null && ms !== savedMs;
}

const absent: Failure = { kind: 'absent', message: 'This job is not in the history any more.' };

function saidBy(failure: Failure): string {
  return 'serviceSaid' in failure && failure.serviceSaid !== undefined ? failure.serviceSaid : failure.message;
}
