import { failed, ok } from '../../../src-preload/failure.ts';
import type { Failure, Result, ServiceFailure } from '../../../src-preload/failure.ts';
import { allowedActions, isTerminalStatus } from '../../../src-preload/job.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import { backoffMs } from '../../service/rate-governor.ts';
import type { JobRecord } from '../../service/reply.ts';
import type { Clock } from '../../time/clock.ts';
import type { Dispatch } from '../context/dispatch.ts';
import { absent, createFindJob } from '../store/find-job.ts';
import type { JobPollingStates } from '../context/job-polling-state.ts';
import type { JobEvent } from '../reducer/job-event.ts';
import type { Ledger } from '../store/ledger.ts';
import type { StatusReads } from '../polling/status-reads.ts';
import { isSettling } from '../reducer/reduced.ts';

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
  pollingStates: JobPollingStates;
  dispatch: Dispatch;
  statusReads: StatusReads;
  history: History;
  clock: Clock;
  random: () => number;
  endWithoutDrain: (job: Job, record: JobRecord) => JobEvent[];
  /** Reads the job's stream once, if it is to be collected: a cancel may take the rest of it (ruling 37). */
  readStreamBeforeEnd: (job: Job) => Promise<void>;
}

export function createActions({
  ledger,
  pollingStates,
  dispatch,
  statusReads,
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
    const polling = pollingStates.of(job);
    if (job.jobId === null || !job.isCancelling) {
      polling.cancelAtMs = null;
      return ok(job);
    }
    polling.isCancelBusy = true;
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
        polling.cancelAtMs = sent.nextAtMs ?? now() + 250;
        return ok(job);
      }
      // It is still wanted: the next start sends it.
      if (sent.kind === 'closing') return ok(job);
      if (sent.kind === 'blocked') return await giveUpCancel(job, sent.failure);
      const { result, exchange } = sent;
      if (!result.ok) return await cancelFailed(job, result.failure);
      polling.cancelAtMs = null;
      const isCancelled = result.value.status === 'CANCELLED';
      // With any other end it ended by itself, and its status carries what came of it (ruling 38).
      polling.isStatusReadWanted = !isCancelled;
      const events: JobEvent[] = [{ kind: 'cancel-answered', record: result.value, askedAtMs: exchange.atMs }];
      if (isCancelled) events.push(...endWithoutDrain(job, result.value));
      return ok((await ledger.change(job.key, events)) ?? job);
    } finally {
      polling.isCancelBusy = false;
    }
  }

  async function cancelFailed(job: Job, failure: ServiceFailure): Promise<Result<Job>> {
    const polling = pollingStates.of(job);
    const isPassing =
      failure.kind === 'rate-limited' ||
      failure.kind === 'server' ||
      failure.httpStatus === undefined ||
      isStrange(failure.httpStatus);
    if (failure.kind === 'malformed' || failure.kind === 'not-found') polling.isStatusReadWanted = true;
    if (isPassing && failure.kind !== 'unauthorized') {
      if (failure.httpStatus !== undefined && failure.kind !== 'rate-limited') polling.cancelFailures += 1;
      if (polling.cancelFailures < cancelTries) {
        polling.cancelAtMs = now() + Math.max(failure.retryAfterMs ?? 0, backoffMs(polling.cancelFailures, random));
        return ok(ledger.live().get(job.key)?.job ?? job);
      }
    }
    // A refusal often means that the job ended in the meantime.
    polling.isStatusReadWanted = true;
    return await giveUpCancel(job, failure);
  }

  async function giveUpCancel(job: Job, failure: Failure): Promise<Result<Job>> {
    const polling = pollingStates.of(job);
    polling.cancelAtMs = null;
    polling.cancelFailures = 0;
    await ledger.change(job.key, [{ kind: 'cancel-refused', reason: `Not cancelled: ${saidBy(failure)}` }]);
    return failed(failure);
  }

  async function extendTtl(key: string, ttlMs: number): Promise<Result<Job>> {
    const job = await find(key);
    if (job === null) return failed(absent);
    const { isAllowed, reason } = allowedActions(job, now()).extendTtl;
    if (!isAllowed || job.jobId === null || isSettling(job))
      return failed({ kind: 'refused', message: reason || 'Only a live job has a ttl to extend' });
    const sent = await statusReads.readStatus(job, ttlMs);
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
