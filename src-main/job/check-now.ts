import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import { isLive } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Follows } from './follow.ts';
import { wordsForNotFollowed } from './left-behind.ts';
import type { WhyNotFollowed } from './left-behind.ts';

export interface CheckNowParts {
  find: (key: string) => Promise<Job | null>;
  follows: Pick<Follows, 'of'>;
  isPaused: () => boolean;
  whyNotFollowed: (job: Pick<Job, 'connectionId' | 'baseUrl'>) => WhyNotFollowed | null;
}

/** Looks at a job at the next plan, whatever it waits for; refused where that can tell nothing. */
export function createCheckNow({ find, follows, isPaused, whyNotFollowed }: CheckNowParts): (key: string) => Promise<Result<null>> {
  const refused = (message: string): Result<null> => failed({ kind: 'refused', message });

  return async (key) => {
    if (isPaused()) return refused('Following jobs is paused. Resume it to look at this one.');
    const job = await find(key);
    if (job === null || !(isLive(job) || job.phase === 'left-behind')) return refused('This job is finished; nothing more will come.');
    const why = whyNotFollowed(job);
    if (why !== null) return refused(wordsForNotFollowed[why]);
    const follow = follows.of(job);
    follow.isLookWanted = true;
    follow.notBeforeMs = 0;
    follow.stream.notBeforeMs = 0;
    return ok(null);
  };
}
