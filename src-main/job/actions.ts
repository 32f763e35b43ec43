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
import { isSettling } from './reduce/reduced.ts';

/** A cancel that the service answered with errors this often is given up and said so. */
const cancelTries = 8;

/** What a user asks of a job. Each answers the job as it then stands, or why not. */
export interface Actions {
  /**
   * Withdraws a job that was not sent; else asks the service, and goes on asking (ruling 10) when it does not answer.
   */
  cancel(key: string): Promise<Result<Job>>;
  /** Sends a cancel that is due again. */
  sendCancel(job: Job): Promise<Result<Job>>;
  /** Sends `status?ttl=` (spec: Queue operations, status; ruling 19). */
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
  /** Reads the job's stream once, if it is to be collected: a cancel may take the rest of it (ruling 37). */
  readStreamBeforeEnd: (job: Job) => Promise<void>;
}

export function createActions({
  ledger,
  follows,
  dispatch,
  looks,
  history,
  clock,
  random,
  endWithoutDrain,
  readStreamBeforeEnd,
}: ActionsParts): Actions {
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
    if (!isAllowed || isSettling(current))
      return failed({ kind: 'refused', message: isAllowed ? 'The job is finished' : reason });
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
      await readStreamBeforeEnd(job);
      const sent = await dispatch.send({
        to: job,
        operation: 'cancel',
        jobKey: job.key,
        isUnplanned: true,
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
      const isCancelled = result.value.status === 'CANCELLED';
      // With any other end it ended by itself, and its status carries what came of it (ruling 38).
      follow.isLookWanted = !isCancelled;
      const events: JobEvent[] = [{ kind: 'cancel-answered', record: result.value, askedAtMs: exchange.atMs }];
      if (isCancelled) events.push(...endWithoutDrain(job, result.value));
      return ok((await ledger.change(job.key, events)) ?? job);
    } finally {
      follow.isCancelBusy = false;
    }
  }

  async function cancelFailed(job: Job, failure: ServiceFailure): Promise<Result<Job>> {
    const follow = follows.of(job);
    const isPassing =
      failure.kind === 'rate-limited' ||
      failure.kind === 'server' ||
      failure.httpStatus === undefined ||
      isStrange(failure.httpStatus);
    if (failure.kind === 'malformed' || failure.kind === 'not-found') follow.isLookWanted = true;
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
    if (!isAllowed || job.jobId === null || isSettling(job))
      return failed({ kind: 'refused', message: reason || 'Only a live job has a ttl to extend' });
    const sent = await looks.readStatus(job, ttlMs);
    if (sent.kind === 'no-room')
      return failed({
        kind: 'refused',
        message: 'The rate limit of this endpoint is used up for the moment; try again in some seconds',
      });
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

/** No word about the cancel itself: a redirect, a time-out, a conflict, too early. */
function isStrange(httpStatus: number): boolean {
  return (httpStatus >= 300 && httpStatus < 400) || [404, 408, 409, 410, 425].includes(httpStatus);
}

function saidBy(failure: Failure): string {
  return 'serviceSaid' in failure && failure.serviceSaid !== undefined ? failure.serviceSaid : failure.message;
}
