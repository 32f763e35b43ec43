import type { Health } from '../../src-preload/health.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Result } from '../../src-preload/failure.ts';
import { emptyFilter, type JobPage } from '../../src-preload/history.ts';
import { call, on } from '../bridge.ts';
import { createThrottle } from '../data/throttle.ts';
import { watchHealth } from '../data/watch-health.ts';
import {
  loadSeries,
  showSubject,
  takeReadFailure,
  takeReadings,
  useHealth,
  type HealthSubject,
} from './health-store.ts';
import { withJobs } from './our-jobs.ts';

/** Charts step once a second (design language: Motion). */
const stepMs = 1_000;
const pageSize = 500;
/**
 * More points than a year has. When single readings have added up to more, the series is read again, with older
 * readings combined.
 */
const maxPoints = 20_000;
const packEveryMs = 60_000;
/** Live jobs are read up to this many pages. More of them would hardly change a figure. */
const maxPages = 10;

/**
 * Shows a subject and keeps it up to date until the returned function is called. `endpointIds` are the endpoints on
 * screen. While the window is hidden nothing is drawn or requested; when it is visible again, the missed readings are
 * loaded.
 */
export function followHealth(subject: HealthSubject, endpointIds: readonly string[]): () => void {
  let isEnded = false;
  let isBehind = false;
  let readings: Health[] = [];
  /** By key, so that each job is held once even after a long time hidden. */
  let jobs = new Map<string, Job>();
  /** Jobs that changed while the live ones were being read. They are newer than the answer. */
  let changedMeanwhile: Job[] | null = [];

  const step = createThrottle(stepMs, () => {
    if (isEnded || document.hidden) return;
    takeReadings(readings);
    readings = [];
    const { endpointId } = subject;
    if (endpointId !== null)
      useHealth.setState(({ ourJobs }) => ({
        ourJobs: withJobs(ourJobs, [...jobs.values()], subject.connectionId, endpointId),
      }));
    jobs = new Map();
    if (Object.values(useHealth.getState().points).some((points) => points.length > maxPoints)) packAgain();
  });
  const packAgain = createThrottle(packEveryMs, () => void loadSeries());

  const isOfSubject = (one: { connectionId: string; endpointId: string }): boolean =>
    one.connectionId === subject.connectionId && (subject.endpointId === null || one.endpointId === subject.endpointId);

  const ends = [
    on('health:readFailed', (failed) => {
      if (isOfSubject(failed)) takeReadFailure(failed.endpointId, failed.message);
    }),
    on('health:changed', ({ health }) => {
      if (!isOfSubject(health)) return;
      if (document.hidden) isBehind = true;
      readings.push(health);
      // While the window is hidden only the last reading is needed. The rest is loaded when it is visible again.
      if (document.hidden) readings = readings.slice(-endpointIds.length - 1);
      step();
    }),
    on('job:changed', (changed) => {
      const mine = changed.jobs.filter(isOfSubject);
      if (mine.length === 0) return;
      if (subject.endpointId !== null) for (const job of mine) jobs.set(job.key, job);
      changedMeanwhile?.push(...mine);
      step();
    }),
  ];
  const onVisibility = (): void => {
    if (document.hidden) return;
    if (isBehind) void loadSeries();
    isBehind = false;
    step();
  };
  document.addEventListener('visibilitychange', onVisibility);

  showSubject(subject);
  const { connectionId, endpointId } = subject;
  const endWatch = watchHealth(connectionId, endpointIds);
  if (endpointId !== null) {
    void liveJobs(connectionId, endpointId, () => isEnded).then((live) => {
      if (!isEnded)
        useHealth.setState({
          ourJobs: withJobs(
            withJobs({}, live, connectionId, endpointId),
            changedMeanwhile ?? [],
            connectionId,
            endpointId,
          ),
        });
      changedMeanwhile = null;
    });
  }

  return () => {
    isEnded = true;
    for (const end of ends) end();
    document.removeEventListener('visibilitychange', onVisibility);
    endWatch();
  };
}

async function liveJobs(connectionId: string, endpointId: string, isEnded: () => boolean): Promise<Job[]> {
  const live: Job[] = [];
  let beforeKey: string | null = null;
  for (let page = 0; page < maxPages && !isEnded(); page += 1) {
    const result: Result<JobPage> = await call('job:list', {
      filter: { ...emptyFilter, view: 'active', connectionId, endpointId },
      beforeKey,
      limit: pageSize,
    });
    if (!result.ok) {
      useHealth.setState({ problem: result.failure.message });
      break;
    }
    live.push(...result.value.jobs);
    beforeKey = result.value.nextBeforeKey;
    if (beforeKey === null) break;
  }
  return live;
}
