import { failed, ok, type Failure, type Result } from '../../../src-preload/failure.ts';
import { allowedActions } from '../../../src-preload/job-actions.ts';
import { isLive, type Job } from '../../../src-preload/job.ts';
import type { StatusReads } from './status-reads.ts';
import type { JobContext } from '../context/job-context.ts';
import { nowWithoutSetting } from '../../time/clock.ts';
import { asSentence } from '../../../src-preload/messages/sentence.ts';
import { checkNowText, notTrackedTexts } from '../../messages/job.ts';
import { absent } from '../store/ledger.ts';

/** Reads the status of a job that is over once. Fails if the service does not know it, or nothing could be sent. */
export type ReadStatusAgain = (job: Job) => Promise<Result<null>>;

/** Creates the function that reads a job's status now, or refuses if the rate limit leaves no room. */
export function createReadStatusAgain(
  { pollingStates, ledger, whyNotFollowed }: JobContext,
  statusReads: StatusReads,
): ReadStatusAgain {
  return async (job) => {
    const why = whyNotFollowed(job);
    if (why !== null) return refused(notTrackedTexts[why]);
    const sent = await statusReads.readStatus(job);
    if (sent.kind === 'no-room') return refused(checkNowText.rateLimit);
    if (sent.kind !== 'answered') return failed(sent.failure);
    const { result, exchange } = sent;
    if (!result.ok) {
      const { failure } = result;
      if (failure.isBeyondLimits === true)
        await ledger.change(job.key, [
          { kind: 'beyond-limits', attempt: job.attempt, failure, ...statusReads.trustInClock(job) },
        ]);
      return failed(stillGone(failure));
    }
    const after = await ledger.change(job.key, [
      { kind: 'status', record: result.value, attempt: job.attempt, requestedAtMs: exchange.atMs },
    ]);
    if (after !== null && isLive(after)) pollingStates.of(after).isStatusReadWanted = true;
    return ok(null);
  };
}

/**
 * Reads a live job in the next plan, whatever it waits for. A gone job is read immediately, and is live again if the
 * service knows it (ruling 34); so is one whose output may still come. Refused, with the reason, if a read would say
 * nothing.
 */
export function createCheckNow(
  { ledger, pollingStates, pausing, whyNotFollowed, clock }: JobContext,
  readStatusAgain: ReadStatusAgain,
): (key: string) => Promise<Result<null>> {
  return async (key) => {
    if (pausing.isPaused) return refused(checkNowText.paused);
    const job = await ledger.find(key);
    if (job === null) return failed(absent);
    const { check } = allowedActions(job, nowWithoutSetting(clock, job.finishedSeenAtMs ?? Infinity));
    // A live job without an id has nothing to check yet, but what it waits for is tried now.
    if (!check.isAllowed && !isLive(job)) return refused(asSentence(check.reason));
    const why = whyNotFollowed(job);
    if (why !== null) return refused(notTrackedTexts[why]);
    if (!isLive(job)) return await readStatusAgain(job);
    const polling = pollingStates.of(job);
    polling.isStatusReadWanted = true;
    polling.notBeforeMs = 0;
    polling.stream.notBeforeMs = 0;
    polling.stream.retryAfterUntilMs = 0;
    return ok(null);
  };
}

function refused(message: string): Result<null> {
  return failed({ kind: 'refused', message });
}

function stillGone(failure: Failure): Failure {
  if (failure.kind !== 'not-found') return failure;
  return { ...failure, message: checkNowText.stillUnknown };
}
