import type { EndpointJobCounts } from '../../src-preload/history.ts';
import type { Health } from '../../src-preload/health.ts';
import { activeText } from '../../src-preload/messages/active-jobs.ts';
import { endpointText } from '../messages/data/connection-state.ts';
import { noOurJobs, type OurJobCounts } from './recent-our-jobs.ts';

/** What an endpoint is doing now, as far as it is known. */
export interface EndpointActivity {
  /** Jobs in its queue, ours and others'. */
  queued: number;
  /** Jobs in progress, ours and others'. */
  running: number;
  idleWorkers: number;
  startingWorkers: number;
}

type OwnCounts = Pick<EndpointJobCounts, 'queued' | 'running'>;

const none: OwnCounts = { queued: 0, running: 0 };

/**
 * An endpoint's health, adjusted to our own jobs as they are now, so that its row agrees with the list. Others' jobs
 * are what the reading counted beyond ours. `around`: the most jobs of ours at about the time of the reading.
 */
export function activityNow(
  health: Pick<Health, 'jobs' | 'workers'>,
  around: OurJobCounts = noOurJobs,
  now: OwnCounts = none,
): EndpointActivity {
  const { inQueue, inProgress } = health.jobs;
  const { idle, running, initializing } = health.workers;
  const others = Math.max(0, inQueue + inProgress - around.all);
  const othersRunning = Math.min(others, Math.max(0, inProgress - around.running));
  const runningNow = othersRunning + now.running;
  return {
    queued: others - othersRunning + now.queued,
    running: runningNow,
    idleWorkers: Math.max(0, idle + running - runningNow),
    startingWorkers: initializing ?? 0,
  };
}

/**
 * What an endpoint's row shows it doing: its activity, where its health is known, else what our own jobs do there, and
 * when it was last read where the service is out of reach. "Idle" is a word for workers only. Our jobs of an unknown
 * status are always named. Pure.
 */
export function endpointWords(
  activity: EndpointActivity | null,
  ours: EndpointJobCounts | undefined,
  readAtMs: number | null,
  isOnline: boolean,
): string {
  const unknown = ours === undefined || ours.unknown === 0 ? [] : [endpointText.ofUnknownStatus(ours.unknown)];
  if (activity !== null) return [activityText(activity), ...unknown].join(', ');
  const own = ours === undefined ? '' : activeText(ours);
  if (isOnline && own !== '') return own;
  if (readAtMs === null) return endpointText.notChecked;
  return isOnline ? endpointText.notRead : endpointText.asOf(readAtMs);
}

/** The activity as text: `2 running, 1 idle`. */
export function activityText({ running, idleWorkers, startingWorkers }: EndpointActivity): string {
  if (running === 0 && idleWorkers === 0)
    return startingWorkers > 0 ? endpointText.starting(startingWorkers) : endpointText.scaledToZero;
  return [running > 0 && endpointText.running(running), idleWorkers > 0 && endpointText.idleWorkers(idleWorkers)]
    .filter((part) => part !== false)
    .join(', ');
}
