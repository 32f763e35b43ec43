import type { Job } from '../../src-preload/job.ts';
import type { Clock } from './clock.ts';
import type { Follow, Follows } from './follow.ts';
import type { Forecasts } from './forecast/forecasts.ts';
import type { Groups } from './groups.ts';
import type { LeftBehind, WhyNotFollowed } from './left-behind.ts';
import type { Ledger } from './ledger.ts';
import type { PlannedJob } from './plan/plan.ts';
import { isSettling } from './reduce/reduced.ts';
import type { StreamReader } from './stream/stream-reader.ts';

/** What is on view: it decides how near-live jobs and their streams are followed. */
export interface OnView {
  watched: ReadonlySet<string>;
  isWindowVisible: boolean;
}

export interface PlannedJobsParts {
  ledger: Pick<Ledger, 'live' | 'outbox'>;
  follows: Follows;
  groups: Groups;
  forecasts: Pick<Forecasts, 'endsAtMs' | 'startsAtMs'>;
  streams: Pick<StreamReader, 'isAwaited' | 'dueAtMs'>;
  leftBehind: LeftBehind;
  whyNotFollowed: (job: Pick<Job, 'connectionId' | 'baseUrl'>) => WhyNotFollowed | null;
  /** Rows of such a batch are not sent, and hold up nobody. */
  isBatchPaused: (batchId: string) => boolean;
  /** So many requests may be under way at most: of each queue no more jobs are worth a plan. */
  mostInFlight: number;
  clock: Pick<Clock, 'now'>;
}

/** Reads the live jobs as the schedule sees them. Those that nobody can ask about are left out, and marked once. */
export function createPlannedJobs(parts: PlannedJobsParts): (onView: OnView) => PlannedJob[] {
  const { ledger, follows, groups, forecasts, streams, leftBehind, whyNotFollowed, clock } = parts;

  function read(onView: OnView): PlannedJob[] {
    const jobs = headsOfOutbox(onView);
    for (const { job } of ledger.live().values()) {
      const stage = stageOf(job);
      if (stage === null || stage === 'waiting') continue;
      const why = whyNotFollowed(job);
      if (why === 'no-connection' && stage !== 'sending') leftBehind.mark(job);
      if (why === null) jobs.push(plannedJob(job, stage, follows.of(job), onView));
    }
    return jobs;
  }

  /**
   * What could leave next: of each queue as many as may be under way at all. Those behind them cannot overtake, because
   * every queue is sent in the order of its keys.
   */
  function headsOfOutbox(onView: OnView): PlannedJob[] {
    const heads: PlannedJob[] = [];
    for (const { batchId, keys } of ledger.outbox()) {
      let free = batchId !== null && parts.isBatchPaused(batchId) ? 0 : parts.mostInFlight;
      for (const key of keys) {
        const job = ledger.live().get(key)?.job;
        if (job === undefined) continue;
        // One that was not sent yet goes where its connection points now, as long as there is one.
        if (whyNotFollowed(job) === 'no-connection') {
          leftBehind.mark(job);
          continue;
        }
        if (free === 0) break;
        const follow = follows.of(job);
        heads.push(plannedJob(job, 'waiting', follow, onView));
        if (!follow.isBusy) free -= 1;
      }
    }
    return heads;
  }

  function plannedJob(
    job: Job,
    stage: PlannedJob['stage'],
    follow: Follow,
    { watched, isWindowVisible }: OnView,
  ): PlannedJob {
    const isWatched = watched.has(job.key);
    const group = groups.of(job);
    const acceptedAtMs = job.acceptedAtMs ?? job.createdAtMs;
    return {
      key: job.key,
      groupId: group.id,
      operation: job.operation,
      isBatchRow: job.batchId !== null,
      stage,
      acceptedAtMs,
      startedSeenAtMs: job.startedSeenAtMs,
      lookedAtMs: job.lastCheckedAtMs,
      endsAtMs: stage === 'active' ? forecasts.endsAtMs(job, group) : null,
      ttlEndsAtMs: job.ttlEndsAtMs,
      retentionEndsAtMs: job.retentionEndsAtMs,
      isWatched,
      // The machine's clock was put back: nobody would look until it has come so far again.
      isLookWanted:
        follow.isLookWanted || job.notKnown !== undefined || (job.lastCheckedAtMs ?? acceptedAtMs) > clock.now(),
      notBeforeMs: follow.notBeforeMs,
      isStreamAwaited: streams.isAwaited(job),
      streamAtMs: streams.dueAtMs(job, follow, {
        isWatched,
        isWindowVisible,
        startsAtMs: () => forecasts.startsAtMs(job, group),
      }),
      cancelAtMs: job.isCancelling ? follow.cancelAtMs : null,
      isBusy: follow.isBusy,
      isStreamBusy: follow.isStreamBusy,
      isCancelBusy: follow.isCancelBusy,
    };
  }

  return read;
}

/** Null for a job that is over: there is nothing to plan. */
function stageOf(job: Job): PlannedJob['stage'] | null {
  switch (job.phase) {
    case 'waiting':
      return 'waiting';
    case 'submitting':
      return 'sending';
    case 'active':
      return isSettling(job) ? 'settling' : 'active';
    default:
      return null;
  }
}
