import { endpointKey } from '../../../src-preload/endpoint-key.ts';
import type { Failure, Result, ServiceFailure } from '../../../src-preload/failure.ts';
import { isTerminalStatus, type Job } from '../../../src-preload/job.ts';
import type { JobPollingState } from '../context/polling-state.ts';
import type { JobContext } from '../context/job-context.ts';
import { nothingSentText, requestNoteText, strangeAnswerText } from '../../messages/job.ts';

/** How the purge request ended. */
export type PurgeAnswer =
  | { kind: 'removed'; removed: number }
  /** It may have arrived (as in ruling 9). It is never repeated automatically. */
  | { kind: 'unknown'; reason: string }
  /** The service refused it, or nothing was sent. */
  | { kind: 'refused'; failure: Failure };

/** Our jobs at an endpoint, as far as a purge is concerned. */
export interface PurgeableJobs {
  /** In the endpoint's queue at the last read, oldest first. */
  queued: Job[];
  /** Not sent yet. A purge does not affect them. */
  unsent: number;
  /** Being sent now: the service may have queued them already. */
  sending: number;
}

/** The part of purging an endpoint's queue that concerns jobs. */
export class QueuePurge {
  readonly #context: JobContext;
  /** By endpoint: when the last purge that may have removed something was answered. */
  readonly #answeredAtMs = new Map<string, number>();
  readonly #lane = (connectionId: string, endpointId: string) => ({
    connectionId,
    endpointId,
    operation: 'purge-queue' as const,
  });

  constructor(context: JobContext) {
    this.#context = context;
    context.events.on('accepted', ({ job, requestedAtMs }) => this.#noteAccepted(job, requestedAtMs));
  }

  /** How many of our jobs wait in the endpoint's queue, how many are unsent, and how many are being sent. */
  purgeable(connectionId: string, endpointId: string): PurgeableJobs {
    const purgeable: PurgeableJobs = { queued: this.#queued(connectionId, endpointId), unsent: 0, sending: 0 };
    for (const { job } of this.#context.ledger.live().values()) {
      if (job.connectionId !== connectionId || job.endpointId !== endpointId) continue;
      if (job.phase === 'waiting') purgeable.unsent += 1;
      if (job.phase === 'submitting') purgeable.sending += 1;
    }
    return purgeable;
  }

  /** Sends the one request. Jobs that answer 404 afterwards were purged, not lost (ruling 11). */
  async send(connectionId: string, endpointId: string): Promise<PurgeAnswer> {
    const baseUrl = await this.#context.baseUrlOf(connectionId);
    if (!baseUrl.ok) return { kind: 'refused', failure: baseUrl.failure };
    // Before the request: a status read in progress may learn of the purge before its answer does.
    const marked: JobPollingState[] = this.#queued(connectionId, endpointId)
      .map((job) => this.#context.pollingStates.of(job))
      .filter((polling) => !polling.wasPurgedHere);
    for (const polling of marked) polling.wasPurgedHere = true;
    const sent = await this.#context.dispatch.send({
      to: { connectionId, baseUrl: baseUrl.value, endpointId },
      operation: 'purge-queue',
      jobKey: null,
      isUnplanned: true,
      call: (api, signal) => api.purgeQueue(endpointId, { signal }),
      describe: ({ removed }) => requestNoteText.removed(removed),
    });
    const answer =
      sent.kind === 'answered'
        ? purgeAnswer(sent.result)
        : ({ kind: 'refused', failure: sent.kind === 'no-room' ? noRoom : sent.failure } as const);
    const hasNoEffect = answer.kind === 'refused' || (answer.kind === 'removed' && answer.removed === 0);
    if (hasNoEffect) for (const polling of marked) polling.wasPurgedHere = false;
    else {
      this.#answeredAtMs.set(endpointKey({ connectionId, endpointId }), this.#context.clock.now());
      this.note(connectionId, endpointId);
    }
    return answer;
  }

  /** The purges of the last ten seconds, and until when no other is allowed, or null. */
  room(connectionId: string, endpointId: string): { used: number; lockedUntilMs: number | null } {
    const nowMs = this.#context.clock.now();
    const { free, nextAtMs } = this.#context.governor.room(this.#lane(connectionId, endpointId), nowMs);
    const used =
      this.#context.governor
        .budgets(nowMs)
        .find(
          (budget) =>
            budget.connectionId === connectionId &&
            budget.endpointId === endpointId &&
            budget.operation === 'purge-queue',
        )?.spent ?? 0;
    return { used, lockedUntilMs: free > 0 ? null : (nextAtMs ?? nowMs) };
  }

  /**
   * A purge was sent from here: queued jobs that were accepted until `acceptedUntilMs` and now answer 404 were purged.
   */
  note(connectionId: string, endpointId: string, acceptedUntilMs = Infinity): void {
    for (const job of this.#queued(connectionId, endpointId)) {
      if ((job.acceptedAtMs ?? 0) > acceptedUntilMs) continue;
      this.#mark(this.#context.pollingStates.of(job), this.#context.clock.now());
    }
    this.#context.events.emit('plan-outdated', null);
  }

  /**
   * The service accepted a submission or a retry that left at `requestedAtMs`. If a purge was answered meanwhile, that
   * may have removed the job while its acceptance was still on its way.
   */
  #noteAccepted(job: Job, requestedAtMs: number): void {
    const answeredAtMs = this.#answeredAtMs.get(endpointKey(job));
    if (answeredAtMs === undefined || requestedAtMs > answeredAtMs) return;
    this.#mark(this.#context.pollingStates.of(job), answeredAtMs);
  }

  #mark(polling: JobPollingState, answeredAtMs: number): void {
    polling.wasPurgedHere = true;
    polling.purgeAnsweredAtMs = answeredAtMs;
    polling.isStatusReadWanted = true;
  }

  #queued(connectionId: string, endpointId: string): Job[] {
    return [...this.#context.ledger.live().values()]
      .map(({ job }) => job)
      .filter((job) => job.connectionId === connectionId && job.endpointId === endpointId && isQueued(job));
  }
}

/** It was in the service's queue at the last read. */
function isQueued(job: Job): boolean {
  return (
    job.phase === 'active' && job.startedSeenAtMs === null && (job.status === null || !isTerminalStatus(job.status))
  );
}

/** What the service's answer, or its absence, says about the purge. Pure. */
export function purgeAnswer(result: Result<{ removed: number }, ServiceFailure>): PurgeAnswer {
  if (result.ok) {
    const { removed } = result.value;
    if (Number.isInteger(removed) && removed >= 0) return { kind: 'removed', removed };
    return { kind: 'unknown', reason: strangeAnswerText.purgeCount(removed) };
  }
  const { failure } = result;
  const mayBeDone =
    failure.mayHaveArrived && (failure.httpStatus === undefined || mayBeCarriedOut(failure.kind, failure.httpStatus));
  return mayBeDone ? { kind: 'unknown', reason: failure.serviceSaid ?? failure.message } : { kind: 'refused', failure };
}

/**
 * A page of a proxy, an error of the service, a redirect or a conflict: the purge may have been carried out before it.
 */
function mayBeCarriedOut(kind: ServiceFailure['kind'], httpStatus: number): boolean {
  return kind === 'server' || kind === 'malformed' || httpStatus < 400 || [408, 409, 425].includes(httpStatus);
}

const noRoom: Failure = { kind: 'refused', message: nothingSentText.justPurged };
