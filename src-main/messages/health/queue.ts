import { formatCountOf } from '../../../src-preload/format.ts';
import { durationText, rate } from './common.ts';

/** How the queue develops. */
export const trendText = {
  grows: (perMinute: number): string => `Queue grows by ${rate(perMinute)} jobs a minute`,
  shrinks: (perMinute: number): string => `Queue shrinks by ${rate(perMinute)} jobs a minute`,
  steady: 'Queue is steady',
  noneEnds: 'No job ended in this time',
  pace: (perMinute: number): string => `About ${rate(perMinute)} jobs end a minute`,
};

/** Every worker is busy and no more are starting. */
export const allBusyText = {
  /** The end of the headline, after what waits. */
  headlineEnd: (lastsMs: number): string => `, and no idle worker for ${durationText(lastsMs)}`,
  explanation: (of: {
    workers: number;
    inProgress: number;
    flatMs: number;
    isFalling: boolean;
    /** The service reports workers that are starting. */
    reportsStarts: boolean;
  }): string =>
    `${holding(of.workers, of.inProgress)}, and the worker count has not risen for ${durationText(of.flatMs)}. ` +
    inference(of),
  busy: (busy: number, max: number, lastsMs: number): string =>
    `${busy} of ${formatCountOf(max, 'worker')} busy for ${durationText(lastsMs)}`,
  failed: (jobs: number): string =>
    jobs === 0 ? 'No rise in failures' : `${formatCountOf(jobs, 'job')} failed in this time`,
  tryWhileFalling: [
    // When the queue will be empty is a figure of the pane. A second estimate here could contradict it.
    'Wait: the queue is getting shorter.',
    'Raise max workers in the service’s console if that is too long.',
  ],
  tryNext: [
    'Raise the endpoint’s max workers in the service’s console.',
    'Submit fewer jobs at once, or purge the waiting jobs that are no longer needed.',
    'Extend the lifetime of jobs whose ttl would end before their turn.',
  ],
};

/** "Every running worker holds a job", if the counts show that. */
function holding(workers: number, inProgress: number): string {
  if (inProgress < workers)
    return `${formatCountOf(inProgress, 'job is', 'jobs are')} in progress on ${workers} workers, none of them idle`;
  return workers === 1 ? 'The one running worker holds a job' : 'Every running worker holds a job';
}

function inference({ isFalling, reportsStarts }: { isFalling: boolean; reportsStarts: boolean }): string {
  if (isFalling)
    return 'The queue is getting shorter: most likely this clears up on its own, at the pace max workers allows.';
  const more = reportsStarts ? '' : ' Workers that are still starting do not show up here.';
  return `Most likely the endpoint has reached its maximum number of workers.${more}`;
}

/** Workers are throttled. */
export const throttledText = {
  /** The end of the headline, after what waits. */
  headlineEnd: (throttled: number, lastsMs: number): string =>
    `, and ${formatCountOf(throttled, 'worker')} throttled for ${durationText(lastsMs)}`,
  /** `running` is null if no worker is up. */
  explanation: (running: number | null, throttled: number): string =>
    `${running === null ? 'No worker runs' : formatCountOf(running, 'worker runs', 'workers run')}; the service ` +
    `holds back ${throttled}. Most likely no host has a free machine of the kind this endpoint requires.`,
  workers: (throttled: number, running: number, starting: number): string =>
    `${throttled} throttled, ${running} running, ${starting} starting`,
  tryNext: [
    'Allow more kinds of machine or more regions for the endpoint in the service’s console.',
    'Wait: throttled workers start when a machine becomes free.',
    'Extend the lifetime of jobs that must not be lost meanwhile, or purge the queue.',
  ],
};
