import { useCallback, useEffect, useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import { statusKind, type JobDetail, type Lineage, type Job } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { useJobs } from '../data/jobs-store.ts';
import { useWhenReady } from '../design/use-pause.ts';
import { withDeadlines } from '../data/service-deadlines.ts';
import { useSession } from '../data/session-store.ts';
import { usePaneTab } from '../navigation/pane-tab.ts';
import { useTabAhead } from './use-body.ts';

export interface DetailState {
  /**
   * The requested job. Until it is read with the beginning of what its tab shows, the one before it, so that moving
   * through the list does not flicker.
   */
  detail: JobDetail | null;
  problem: Failure | null;
  /** True if the requested job was not read within 120 ms (design language: Loading). */
  isSlow: boolean;
  reload: () => void;
}

const slowAfterMs = 120;

const noLineage: Lineage = { origin: null, copies: [], sameInput: { jobs: [], total: 0 } };

/**
 * What the list knows already. It is enough for the head of the pane while the rest is read. Not of a job that failed:
 * its error is above its tabs, which would move when it has been read.
 */
function fromList(key: string): JobDetail | undefined {
  const job = useJobs.getState().list.get(key);
  return job === undefined || statusKind(job) === 'fail'
    ? undefined
    : {
        job,
        attempts: [],
        webhook: null,
        waitMs: null,
        s3ProfileId: null,
        note: '',
        lineage: noLineage,
        error: null,
        extraFields: {},
      };
}

function isOtherJob(shown: JobDetail | null, next: JobDetail | null): boolean {
  return shown !== null && next !== null && shown.job.key !== next.job.key;
}

/** A job with its attempts and error, updated by events. */
export function useJobDetail(key: string): DetailState {
  const placeholder = useCallback((former: JobDetail | undefined) => former ?? fromList(key), [key]);
  const { data, error, refetch } = useCall('job:get', { key }, { placeholder });
  const tab = usePaneTab((state) => state.tab);
  const listed = useJobs((state) => state.list.get(key));
  const isTabRead = useTabAhead(tab, data?.job.key === key ? data.job : listed);
  const detail = useWhenReady(data ?? null, isTabRead, isOtherJob);
  const [slowKey, setSlowKey] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSlowKey(key), slowAfterMs);
    return () => clearTimeout(timer);
  }, [key]);
  return {
    detail,
    problem: error,
    isSlow: slowKey === key && data?.job.key !== key,
    reload: () => void refetch(),
  };
}

/** The job with its ends as the present clock has them: drawn again when the engine says that its clock was set. */
export function useEnds(job: Job): Job {
  useSession((state) => state.tracker?.clockSettings.length);
  return withDeadlines(job);
}
