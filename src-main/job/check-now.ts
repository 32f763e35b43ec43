import { failed, ok } from '../../src-preload/failure.ts';
import type { Failure, Result } from '../../src-preload/failure.ts';
import { isLive } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Follows } from './follow.ts';
import { wordsForNotFollowed } from './left-behind.ts';
import type { WhyNotFollowed } from './left-behind.ts';
import type { Ledger } from './ledger.ts';
import type { Looks } from './looks.ts';

export interface LookAgainParts {
  follows: Pick<Follows, 'of'>;
  ledger: Pick<Ledger, 'change'>;
  looks: Pick<Looks, 'readStatus'>;
  whyNotFollowed: (job: Pick<Job, 'connectionId' | 'baseUrl'>) => WhyNotFollowed | null;
}

export interface CheckNowParts extends Pick<LookAgainParts, 'follows' | 'whyNotFollowed'> {
  find: (key: string) => Promise<Job | null>;
  lookAgain: LookAgain;
  isPaused: () => boolean;
}

/** Asks once about a job that is called gone. Fails where the service does not know it, or nothing could be asked. */
export type LookAgain = (job: Job) => Promise<Result<null>>;

export function createLookAgain({ follows, ledger, looks, whyNotFollowed }: LookAgainParts): LookAgain {
  return async (job) => {
    const why = whyNotFollowed(job);
    if (why !== null) return refused(wordsForNotFollowed[why]);
    const sent = await looks.readStatus(job);
    if (sent.kind === 'no-room')
      return refused('The rate limit of this endpoint is used up for the moment. Try again in some seconds.');
    if (sent.kind !== 'answered') return failed(sent.failure);
    const { result, exchange } = sent;
    if (!result.ok) return failed(stillGone(result.failure));
    const after = await ledger.change(job.key, [
      { kind: 'status', record: result.value, attempt: job.attempt, askedAtMs: exchange.atMs },
    ]);
    if (after !== null) follows.of(after).isLookWanted = true;
    return ok(null);
  };
}

/**
 * Looks at a live job at the next plan, whatever it waits for. One that is called gone is asked for at once, and lives
 * again when the service knows it (ruling 34). Refused where a look can tell nothing, with the reason.
 */
export function createCheckNow(parts: CheckNowParts): (key: string) => Promise<Result<null>> {
  const { find, follows, isPaused, whyNotFollowed, lookAgain } = parts;

  return async (key) => {
    if (isPaused()) return refused('Following jobs is paused. Resume it to look at this one.');
    const job = await find(key);
    const isAsked =
      job !== null && (isLive(job) || job.phase === 'left-behind' || (job.phase === 'gone' && job.jobId !== null));
    if (!isAsked) return refused('This job is finished; nothing more will come.');
    const why = whyNotFollowed(job);
    if (why !== null) return refused(wordsForNotFollowed[why]);
    if (job.phase === 'gone') return await lookAgain(job);
    const follow = follows.of(job);
    follow.isLookWanted = true;
    follow.notBeforeMs = 0;
    follow.stream.notBeforeMs = 0;
    follow.stream.askedToWaitUntilMs = 0;
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
