import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import { statusKind, type JobDetail, type Lineage, type Job } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { useJobs } from '../data/jobs-store.ts';
import { pauseMs, useWhenReady } from '../design/use-pause.ts';
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
  /** 120 ms have passed since the job was requested: what is not read has placeholders (design language: Loading). */
  isPauseOver: boolean;
  /** True if the requested job was not read within that time. */
  isSlow: boolean;
  reload: () => void;
}

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
  // One value for each job: with another one at each render, the wait below would never end.
  const ofList = useMemo(() => fromList(key), [key]);
  const placeholder = useCallback((former: JobDetail | undefined) => former ?? ofList, [ofList]);
  const { data, error, refetch } = useCall('job:get', { key }, { placeholder });
  const tab = usePaneTab((state) => state.tab);
  const listed = useJobs((state) => state.list.get(key));
  const [slowKey, setSlowKey] = useState<string | null>(null);
  // Before the timer that ends the wait for the tab, so that no frame between the two is blank.
  useEffect(() => {
    const timer = setTimeout(() => setSlowKey(key), pauseMs);
    return () => clearTimeout(timer);
  }, [key]);
  const [shownKey, setShownKey] = useState<string | null>(null);
  const isTabRead = useTabAhead(tab, data?.job.key === key ? data.job : listed, shownKey === key);
  const detail = useWhenReady(data ?? null, isTabRead, isOtherJob);
  if (detail !== null && detail.job.key !== shownKey) setShownKey(detail.job.key);
  return {
    detail,
    problem: error,
    isPauseOver: slowKey === key,
    isSlow: slowKey === key && data?.job.key !== key,
    reload: () => void refetch(),
  };
}

/** The job with its ends as the present clock has them: drawn again when the engine says that its clock was set. */
export function useEnds(job: Job): Job {
  useSession((state) => state.tracker?.clockSettings.length);
  return withDeadlines(job);
}
