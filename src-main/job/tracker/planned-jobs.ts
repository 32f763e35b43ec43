import { isKnownStatus, type Job } from '../../../src-preload/job.ts';
import type { Forecasts } from '../forecast/forecasts.ts';
import type { Orphans } from '../store/orphans.ts';
import type { PlannedJob } from '../schedule/plan.ts';
import { isSettling } from '../reducer/job-event.ts';
import type { StreamSchedule } from '../stream/stream-schedule.ts';
import type { Ledger } from '../store/ledger.ts';
import type { JobContext } from '../context/job-context.ts';
import type { Batches } from '../submission/batches.ts';

/** What windows show. It decides how often jobs and their streams are read. */
export interface OnView {
  /** Keys of jobs that are open. */
  opened: ReadonlySet<string>;
  /** Keys of jobs whose rows are on screen. */
  rows: ReadonlySet<string>;
  isWindowVisible: boolean;
}

type PlanningContext = Pick<JobContext, 'pollingStates' | 'endpointStates' | 'whyNotFollowed'> & {
  ledger: Pick<Ledger, 'live' | 'outbox'>;
};

export interface PlannedJobsParts {
  forecasts: Pick<Forecasts, 'endsAtMs' | 'startsAtMs'>;
  streams: { schedule: Pick<StreamSchedule, 'isAwaited' | 'dueAtMs'> };
  orphans: Orphans;
  /** Rows that their batch holds back are not sent and do not delay others. */
  batches: Pick<Batches, 'isPaused' | 'maxLive' | 'limitsLiveRows'>;
}

/** The live jobs as the schedule sees them. Jobs that cannot be read are left out, and marked once. */
export class PlannedJobs {
  readonly #context: PlanningContext;
  readonly #parts: PlannedJobsParts & { maxInFlight: number };

  /** `maxInFlight`: the most requests in progress. A plan needs no more jobs of each queue. */
  constructor(context: PlanningContext, parts: PlannedJobsParts & { maxInFlight: number }) {
    this.#context = context;
    this.#parts = parts;
  }

  /** All live jobs for which something is to be planned, and of the outbox what could leave next. */
  read(onView: OnView): PlannedJob[] {
    const { ledger, pollingStates, whyNotFollowed } = this.#context;
    const jobs = this.#headsOfOutbox(onView);
    for (const { job } of ledger.live().values()) {
      const stage = stageOf(job);
      if (stage === null) continue;
      const why = whyNotFollowed(job);
      if (why === 'no-connection' && stage !== 'sending') this.#parts.orphans.mark(job);
      if (why !== null) continue;
      const polling = pollingStates.of(job);
      jobs.push(this.#plannedJob(job, polling.isEndUnsaved ? 'settling' : stage, onView));
    }
    return jobs;
  }

  /**
   * What could leave next: of each queue as many as may be in progress at all. Those behind cannot overtake, because
   * every queue is sent in the order of its keys.
   */
  #headsOfOutbox(onView: OnView): PlannedJob[] {
    const { ledger, pollingStates, whyNotFollowed } = this.#context;
    const { batches, orphans, maxInFlight } = this.#parts;
    const heads: PlannedJob[] = [];
    const liveRows = batches.limitsLiveRows ? this.#countLiveRows() : new Map<string, number>();
    for (const { batchId, keys } of ledger.outbox()) {
      let free = batchId === null ? maxInFlight : this.#freeRows(batchId, liveRows.get(batchId) ?? 0);
      for (const key of keys) {
        const job = ledger.live().get(key)?.job;
        if (job === undefined) continue;
        // An unsent job goes where its connection points now, as long as it exists.
        if (whyNotFollowed(job) === 'no-connection') {
          orphans.mark(job);
          continue;
        }
        if (!pollingStates.of(job).isBusy) {
          if (free === 0) break;
          free -= 1;
        }
        heads.push(this.#plannedJob(job, 'waiting', onView));
      }
    }
    return heads;
  }

  /** How many more rows of a batch may leave. */
  #freeRows(batchId: string, live: number): number {
    const { batches, maxInFlight } = this.#parts;
    if (batches.isPaused(batchId)) return 0;
    return Math.min(maxInFlight, Math.max(0, (batches.maxLive(batchId) ?? Infinity) - live));
  }

  /** The rows of each batch that were sent, or are about to be, and have not ended as far as known. */
  #countLiveRows(): Map<string, number> {
    const { ledger, pollingStates } = this.#context;
    const counts = new Map<string, number>();
    for (const { job } of ledger.live().values()) {
      if (job.batchId === null || this.#parts.batches.maxLive(job.batchId) === null) continue;
      const isLeaving = job.phase === 'waiting' && pollingStates.of(job).isBusy;
      if (!isLeaving && job.phase !== 'submitting' && job.phase !== 'active') continue;
      counts.set(job.batchId, (counts.get(job.batchId) ?? 0) + 1);
    }
    return counts;
  }

  #plannedJob(job: Job, stage: PlannedJob['stage'], { opened, rows, isWindowVisible }: OnView): PlannedJob {
    const { forecasts, streams } = this.#parts;
    const polling = this.#context.pollingStates.of(job);
    const isOpened = opened.has(job.key);
    const endpoint = this.#context.endpointStates.of(job);
    const acceptedAtMs = job.acceptedAtMs ?? job.createdAtMs;
    return {
      key: job.key,
      addressKey: endpoint.id,
      operation: job.operation,
      isBatchRow: job.batchId !== null,
      stage,
      acceptedAtMs,
      startedSeenAtMs: job.startedSeenAtMs,
      isStatusUnlisted: job.status !== null && !isKnownStatus(job.status),
      statusReadAtMs: job.statusReadAtMs,
      endsAtMs: stage === 'active' ? forecasts.endsAtMs(job, endpoint) : null,
      ttlEndsAtMs: job.ttlEndsAtMs,
      retentionEndsAtMs: job.retentionEndsAtMs,
      isOpened,
      isRowOnScreen: rows.has(job.key),
      isStatusReadWanted: polling.isStatusReadWanted || job.notKnown !== undefined,
      notBeforeMs: polling.notBeforeMs,
      isStreamAwaited: streams.schedule.isAwaited(job),
      streamAtMs: streams.schedule.dueAtMs(job, polling, {
        isOpened,
        isWindowVisible,
        startsAtMs: () => forecasts.startsAtMs(job, endpoint),
      }),
      cancelAtMs: job.isCancelling ? polling.cancelAtMs : null,
      isBusy: polling.isBusy,
      streamReads: polling.streamReads,
      isCancelBusy: polling.isCancelBusy,
    };
  }
}

/** Null for a job that is over, so that there is nothing to plan, or that waits in the outbox. */
function stageOf(job: Job): PlannedJob['stage'] | null {
  switch (job.phase) {
    case 'submitting':
      return 'sending';
    case 'active':
      return isSettling(job) ? 'settling' : 'active';
    case 'waiting':
    case 'outcome-unknown':
    case 'refused':
    case 'finished':
    case 'gone':
    case 'orphaned':
      return null;
  }
}
