import type { Handlers } from '../../src-preload/contract.ts';
import { ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Connections } from '../connection/connections.ts';
import type { S3Profiles } from '../connection/s3-profiles.ts';
import type { History } from '../history/history.ts';
import type { Jobs } from '../job/jobs.ts';
import { startOfDay } from '../time/day.ts';
import { curlOf } from './curl.ts';
import { jobDetail } from './job-detail.ts';
import { foundInHistory, fromHistory, noSuchJob } from '../history/from-history.ts';
import type { WatchedJobs } from './watched-jobs.ts';

type JobCall = Extract<keyof Handlers, `job:${string}`>;

/** Enough of a body to read in the window; copying and saving take the whole. */
const shownBytes = 1_000_000;

export interface JobHandlersParts {
  jobs: Jobs;
  history: History;
  connections: Pick<Connections, 'get'>;
  s3Profiles: Pick<S3Profiles, 'list'>;
  watched: Pick<WatchedJobs, 'set'>;
  onJobsChanged: (jobs: Job[]) => void;
  now: () => number;
}

/** The contract's job calls: the engine acts, the history remembers. */
export function jobHandlers({
  jobs,
  history,
  connections,
  s3Profiles,
  watched,
  onJobsChanged,
  now,
}: JobHandlersParts): Pick<Handlers, JobCall> {
  /** Every window hears of the user's own marks on a job. */
  const marked = async (change: Promise<Job | null>): Promise<Result<Job>> => {
    const result = await foundInHistory(change, noSuchJob);
    if (result.ok) onJobsChanged([result.value]);
    return result;
  };

  return {
    'job:submit': (draft) => jobs.submit(draft),
    'job:followExternal': (wanted) => jobs.followExternal(wanted),
    'job:confirmSubmission': ({ key }) => jobs.confirmSubmission(key),
    'job:cancel': ({ key }) => jobs.cancel(key),
    'job:retry': ({ key }) => jobs.retry(key),
    'job:resubmit': ({ key }) => jobs.resubmit(key),
    'job:draft': ({ key }) => jobs.draftOf(key),
    'job:extendTtl': ({ key, ttlMs }) => jobs.extendTtl(key, ttlMs),
    'job:checkNow': ({ key }) => jobs.checkNow(key),
    'job:stopWaiting': ({ key }) => jobs.stopWaiting(key),
    'job:watch': ({ keys }, { windowId }) => {
      watched.set(windowId, keys);
      return ok(null);
    },
    'job:curl': async (asked) => {
      const source = {
        connection: (connectionId: string) => connections.get(connectionId),
        s3Profiles: () => s3Profiles.list(),
      };
      if ('draft' in asked) return curlOf(asked.draft, source);
      const draft = await jobs.draftOf(asked.key);
      return draft.ok ? curlOf(draft.value, source) : draft;
    },

    'job:list': ({ filter, beforeKey, limit }) => fromHistory(history.list(filter, beforeKey, limit)),
    'job:counts': ({ connectionId }) => fromHistory(history.counts(connectionId, startOfDay(now()))),
    'job:get': async ({ key }) => {
      const stored = await foundInHistory(history.get(key), noSuchJob);
      return stored.ok ? fromHistory(jobDetail(stored.value, history)) : stored;
    },
    'job:body': ({ key, part, attempt, isWhole }) =>
      foundInHistory(history.body(key, part, attempt, isWhole ? null : shownBytes), 'Nothing is saved here.'),
    'job:chunks': ({ key, attempt, fromSeq, limit }) => fromHistory(history.chunks(key, attempt, fromSeq, limit)),
    'job:streamPage': ({ key, attempt, fromSeq }) =>
      foundInHistory(history.streamPage(key, attempt, fromSeq), noSuchJob),
    'job:requests': ({ key }) => fromHistory(history.requests(key)),
    'job:runTimes': ({ connectionId }) => fromHistory(history.runTimes(connectionId)),
    'job:star': async ({ key, isStarred }) => {
      const result = await marked(jobs.setStarred(key, isStarred));
      return result.ok ? ok(null) : result;
    },
    'job:tag': ({ key, tags }) => marked(jobs.setTags(key, tags)),
    'job:markSeen': async ({ keys }) => {
      const result = await fromHistory(jobs.markSeen(keys));
      if (!result.ok) return result;
      if (result.value.length > 0) onJobsChanged(result.value);
      return ok(null);
    },
  };
}
