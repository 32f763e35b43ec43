import { failed, ok } from '../../src-preload/failure.ts';
import type { Failure, Result, ServiceFailure } from '../../src-preload/failure.ts';
import { allowedActions, isTerminalStatus } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import type { History } from '../history/history.ts';
import { backoffMs } from '../service/rate-governor.ts';
import type { JobRecord } from '../service/reply.ts';
import type { Clock } from './clock.ts';
import type { Dispatch } from './dispatch.ts';
import { absent, createFindJob } from './find-job.ts';
import type { Follows } from './follow.ts';
import type { JobEvent } from './job-event.ts';
import type { Ledger } from './ledger.ts';
import type { Looks } from './looks.ts';
import { isSettling } from './reducer.ts';

/** A cancel that the service answered with errors this often is given up and said so. */
const cancelTries = 8;

/** What a user asks of a job. Each answers the job as it then stands, or why not. */
export interface Actions {
  /** Withdraws a job that was not sent; else asks the service, and goes on asking (ruling 10) when it does not answer. */
  cancel(key: string): Promise<Result<Job>>;
  /** Sends a cancel that is due again. */
  sendCancel(job: Job): Promise<Result<Job>>;
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

  const find = createFindJob(ledger, history);

  async function cancel(key: string): Promise<Result<Job>> {
    const job = await find(key);
    if (job === null) return failed(absent);
    if (job.phase === 'waiting' || job.phase === 'left-behind') {
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

  return { cancel, sendCancel, extendTtl };
}


function saidBy(failure: Failure): string {
  return 'serviceSaid' in failure && failure.serviceSaid !== undefined ? failure.serviceSaid : failure.message;
}
