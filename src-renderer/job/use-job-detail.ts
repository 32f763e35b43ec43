import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import type { Job, JobDetail } from '../../src-preload/job.ts';
import { call, on } from '../bridge.ts';
import { useJobs } from '../data/jobs-store.ts';

export interface DetailState {
  /**
   * The job asked for; the one before it until the answer is there, so that moving through the list does not flicker.
   */
  detail: JobDetail | null;
  problem: Failure | null;
  /** True when the answer for the job asked for has not come after 120 ms (design language: Loading). */
  isSlow: boolean;
  reload: () => void;
}

const slowAfterMs = 120;

/** What changes about a job that the list's `Job` does not carry: attempts, error, extra fields. */
function stamp(job: Job): string {
  return [job.phase, job.status, job.attempt, job.isResultSaved, job.finishedSeenAtMs, job.retentionEndsAtMs].join(' ');
}

/** What the list knows already: enough for the head of the pane while the rest is read. */
function fromList(key: string): JobDetail | null {
  const job = useJobs.getState().list.get(key);
  return job === undefined
    ? null
    : { job, attempts: [], webhook: null, waitMs: null, s3ProfileId: null, error: null, extraFields: {} };
}

/** A job with its attempts and error, kept up by events. */
export function useJobDetail(key: string): DetailState {
  const [detail, setDetail] = useState<JobDetail | null>(() => fromList(key));
  const [problem, setProblem] = useState<Failure | null>(null);
  const [isSlow, setSlow] = useState(false);
  const wanted = useRef(key);

  const load = useCallback(async (of: string): Promise<void> => {
    const result = await call('job:get', { key: of });
    // The reader has moved on while this was read.
    if (wanted.current !== of) return;
    setSlow(false);
    if (result.ok) {
      // An event may have told more than this answer knew.
      setDetail((before) =>
        before !== null && before.job.key === of && isNewer(before.job, result.value.job)
          ? { ...result.value, job: before.job }
          : result.value,
      );
      setProblem(null);
    } else setProblem(result.failure);
  }, []);

  useEffect(() => {
    wanted.current = key;
    setProblem(null);
    const timer = setTimeout(() => {
      if (wanted.current === key) setSlow(true);
    }, slowAfterMs);
    void load(key).finally(() => clearTimeout(timer));

    let known = '';
    const stop = on('job:changed', ({ jobs }) => {
      const job = jobs.findLast((each) => each.key === key);
      if (job === undefined) return;
      setDetail((before) => (before === null || before.job.key !== key ? before : { ...before, job }));
      const next = stamp(job);
      if (next !== known) {
        known = next;
        void load(key);
      }
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [key, load]);

  return { detail, problem, isSlow: isSlow && detail?.job.key !== key, reload: () => void load(key) };
}

function isNewer(one: Job, other: Job): boolean {
  return (
    one.attempt > other.attempt ||
    (one.attempt === other.attempt && (one.requestCount > other.requestCount || one.chunkCount > other.chunkCount))
  );
}
