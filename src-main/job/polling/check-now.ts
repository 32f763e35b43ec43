import { failed, ok } from '../../../src-preload/failure.ts';
import type { Failure, Result } from '../../../src-preload/failure.ts';
import { isLive } from '../../../src-preload/job.ts';
import type { Job } from '../../../src-preload/job.ts';
import { wordsForNotFollowed } from '../store/orphans.ts';
import type { StatusReads } from './status-reads.ts';
import type { JobContext } from '../context/job-context.ts';

/** Asks once about a job that is called gone. Fails where the service does not know it, or nothing could be asked. */
export type ReadStatusAgain = (job: Job) => Promise<Result<null>>;

export function createReadStatusAgain(
  { pollingStates, ledger, whyNotFollowed }: JobContext,
  statusReads: StatusReads,
): ReadStatusAgain {
  return async (job) => {
    const why = whyNotFollowed(job);
    if (why !== null) return refused(wordsForNotFollowed[why]);
    const sent = await statusReads.readStatus(job);
    if (sent.kind === 'no-room')
      return refused('The rate limit of this endpoint is used up for the moment. Try again in some seconds.');
    if (sent.kind !== 'answered') return failed(sent.failure);
    const { result, exchange } = sent;
    if (!result.ok) return failed(stillGone(result.failure));
    const after = await ledger.change(job.key, [
      { kind: 'status', record: result.value, attempt: job.attempt, askedAtMs: exchange.atMs },
    ]);
    if (after !== null) pollingStates.of(after).isStatusReadWanted = true;
    return ok(null);
  };
}

/**
 * Looks at a live job at the next plan, whatever it waits for. One that is called gone is asked for at once, and lives
 * again when the service knows it (ruling 34). Refused where a read can tell nothing, with the reason.
 */
export function createCheckNow(
  { find, pollingStates, pausing, whyNotFollowed }: JobContext,
  readStatusAgain: ReadStatusAgain,
): (key: string) => Promise<Result<null>> {
  return async (key) => {
    if (pausing.isPaused) return refused('Following jobs is paused. Resume it to check this one.');
    const job = await find(key);
    const isAsked =
      job !== null && (isLive(job) || job.phase === 'orphaned' || (job.phase === 'gone' && job.jobId !== null));
    if (!isAsked) return refused('This job is finished; nothing more will come.');
    const why = whyNotFollowed(job);
    if (why !== null) return refused(wordsForNotFollowed[why]);
    if (job.phase === 'gone') return await readStatusAgain(job);
    const polling = pollingStates.of(job);
    polling.isStatusReadWanted = true;
    polling.notBeforeMs = 0;
    polling.stream.notBeforeMs = 0;
    polling.stream.askedToWaitUntilMs = 0;
    return ok(null);
  };
}

function refused(message: string): Result<null> {
  return failed({ kind: 'refused', message });
}

function stillGone(failure: Failure): Failure {
  if (failure.kind !== 'not-found') return failure;
  return {
    ...failure,
    message:
      'The service still does not know this job (404). What is saved of it stays, and its input can be ' +
      'submitted again.',
  };
}
