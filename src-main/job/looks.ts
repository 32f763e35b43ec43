import { failed, ok } from '../../src-preload/failure.ts';
import type { Failure, Result, ServiceFailure } from '../../src-preload/failure.ts';
import type { Health } from '../../src-preload/health.ts';
import { isTerminalStatus } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import type { HealthRecord, JobRecord } from '../service/reply.ts';
import type { Dispatch, Sent } from './dispatch.ts';
import type { Follows } from './follow.ts';
import { endSeen, healthAsked, healthFailed, healthRead } from './health-gate.ts';
import type { Group, Groups } from './groups.ts';
import type { JobEvent } from './job-event.ts';
import type { Ledger } from './ledger.ts';

/** An endpoint whose health answered no longer ago than this exists. */
const knownForMs = 60_000;
/** Until a 404 can be told apart (ruling 11). */
const undecidedMs = 1_000;

export interface Looks {
  /** Reads a live job's status once and applies what came. */
  look(job: Job): Promise<void>;
  /** Reads an endpoint's health once, for the gate and for whoever shows it. */
  readHealth(group: Group): Promise<Result<Health>>;
  /** One status request, applied to nothing. */
  readStatus(job: Job, ttlMs?: number): Promise<Sent<JobRecord>>;
}

export interface LooksParts {
  ledger: Ledger;
  follows: Follows;
  groups: Groups;
  dispatch: Dispatch;
  now: () => number;
  endWithoutDrain: (job: Job, record: JobRecord) => JobEvent[];
  onHealth: (health: Health) => void;
}

/** The reads that tell what became of a job. */
export function createLooks({ ledger, follows, groups, dispatch, now, endWithoutDrain, onHealth }: LooksParts): Looks {
  async function readStatus(job: Job, ttlMs?: number): Promise<Sent<JobRecord>> {
    return await dispatch.send({
      to: job,
      operation: 'status',
      jobKey: job.key,
      call: (api, signal) => api.status(job.endpointId, job.jobId ?? '', { signal, ...(ttlMs === undefined ? {} : { ttlMs }) }),
      describe: describeRecord,
    });
  }

  async function look(job: Job): Promise<void> {
    const follow = follows.of(job);
    const sent = await readStatus(job);
    if (sent.kind !== 'answered') return;
    follow.isLookWanted = false;
    const { result, exchange } = sent;
    if (!result.ok) return await failedLook(job, result.failure);
    follow.failures = 0;
    follow.notBeforeMs = 0;
    const events: JobEvent[] = [{ kind: 'status', record: result.value, attempt: job.attempt, askedAtMs: exchange.atMs }];
    if (isTerminalStatus(result.value.status)) {
      const group = groups.of(job);
      group.gate = endSeen(group.gate, result.value.status, job.lastCheckedAtMs ?? job.createdAtMs, follow.isHinted);
      follow.cancelAtMs = null;
      events.push(...endWithoutDrain(job, result.value));
    }
    await ledger.change(job.key, events);
  }

  async function failedLook(job: Job, failure: ServiceFailure): Promise<void> {
    const follow = follows.of(job);
    switch (failure.kind) {
      case 'not-found':
        return await notFound(job);
      // The connection is closed, or the whole lane is held: nothing to learn about this job.
      case 'unauthorized':
      case 'rate-limited':
      case 'cancelled':
        return;
      case 'malformed':
        follows.backOff(follow, failure.retryAfterMs);
        await ledger.change(job.key, [{ kind: 'malformed', failure }]);
        return;
      default:
        follows.backOff(follow, failure.retryAfterMs);
    }
  }

  /** Ruling 11: whether the endpoint is known decides between a lost job and a wrong endpoint. */
  async function notFound(job: Job): Promise<void> {
    const follow = follows.of(job);
    const isEndpointKnown = await isKnown(groups.of(job));
    if (isEndpointKnown === null) {
      follow.notBeforeMs = now() + undecidedMs;
      follow.isLookWanted = true;
      return;
    }
    await ledger.change(job.key, [{ kind: 'not-found', attempt: job.attempt, isEndpointKnown, wasPurgedHere: follow.wasPurgedHere }]);
  }

  /** Null: it could not be found out now. */
  async function isKnown(group: Group): Promise<boolean | null> {
    if (group.knownAtMs !== null && now() - group.knownAtMs < knownForMs) return true;
    if (group.isHealthBusy) return null;
    const read = await readHealth(group);
    if (read.ok) return true;
    // A health that answers anything but 404 belongs to an endpoint that is there.
    if (read.failure.kind === 'not-found') return false;
    return read.failure.kind === 'invalid' || read.failure.kind === 'malformed' ? true : null;
  }

  async function readHealth(group: Group): Promise<Result<Health>> {
    group.isHealthBusy = true;
    group.gate = healthAsked(group.gate);
    try {
      const sent = await dispatch.send({
        to: group,
        operation: 'health',
        jobKey: null,
        call: (api, signal) => api.health(group.endpointId, { signal }),
        describe: () => '',
      });
      if (sent.kind === 'no-room') return failed(waitForRoom);
      if (sent.kind !== 'answered') return failed(sent.failure);
      if (!sent.result.ok) {
        const { failure } = sent.result;
        if (failure.kind !== 'rate-limited' && failure.httpStatus !== undefined) group.gate = healthFailed(group.gate, now());
        return failed(failure);
      }
      const atMs = now();
      group.gate = healthRead(group.gate, sent.result.value, atMs);
      group.knownAtMs = atMs;
      const health = healthOf(group, sent.result.value, atMs);
      onHealth(health);
      return ok(health);
    } finally {
      group.isHealthBusy = false;
    }
  }

  return { look, readHealth, readStatus };
}

const waitForRoom: Failure = { kind: 'refused', message: 'The health of an endpoint is read at most once a second. Try again in a moment.' };

function healthOf(group: Group, record: HealthRecord, atMs: number): Health {
  return { endpointId: group.endpointId, connectionId: group.connectionId, atMs, jobs: record.jobs, workers: record.workers, extra: record.extra };
}

export function describeRecord(record: JobRecord): string {
  return record.executionTimeMs === null ? record.status : `${record.status}, execution ${record.executionTimeMs} ms`;
}
