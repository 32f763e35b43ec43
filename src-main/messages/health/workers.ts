import { listed } from '../../../src-preload/messages/sentence.ts';
import { formatCountOf } from '../../../src-preload/format.ts';
import { durationText } from './common.ts';

/** Jobs wait while the first workers start. Null for what is not known. */
export const coldStartText = {
  /** The end of the headline, after what waits. */
  headlineEnd: (starting: number | null): string =>
    `, and ${
      starting === null || starting === 0 ? 'no worker is up yet' : `${formatCountOf(starting, 'worker')} starting`
    }`,
  explanation: (starting: number | null, earlierMs: number | null): string => {
    const before = earlierMs === null ? '' : ` It took ${durationText(earlierMs)} before.`;
    return starting !== null && starting > 0
      ? `The service says that ${formatCountOf(starting, 'worker is', 'workers are')} starting.${before} Most ` +
          'likely jobs run as soon as the first is ready.'
      : `No workers yet.${before} The first is probably still starting` +
          `${starting === null ? '; this service does not report it' : ''}.`;
  },
  noWorker: (lastsMs: number): string => `No worker for ${durationText(lastsMs)}`,
  earlierStart: (earlierMs: number | null): string =>
    earlierMs === null ? 'No earlier start was seen' : `Earlier start: ${durationText(earlierMs)}`,
  wait: (earlierMs: number | null): string =>
    earlierMs === null
      ? 'Wait for the start; a large image or model takes minutes the first time.'
      : `Wait: it took ${durationText(earlierMs)} before.`,
  tryIfLong: [
    'Check the starting worker’s log in the service’s console: it may still load its image or model.',
    'If no worker comes, check max workers there: with 0, none ever will.',
  ],
  avoid:
    'To avoid this wait next time, keep a worker running: raise the endpoint’s minimum workers in the ' +
    'service’s console.',
};

/** Jobs wait, there is no worker, and none is starting. */
export const noWorkersText = {
  /** The end of the headline, after what waits. */
  headlineEnd: (lastsMs: number): string => `, and no worker for ${durationText(lastsMs)}`,
  nothingStarts:
    'The service reports no worker, running or starting. Most likely max workers is 0, or these jobs never ' +
    'scale up (lowPriority), or the account is not allowed to start any.',
  /** `earlierMs` is null if no earlier start was seen. */
  longerThanStart: (lastsMs: number, earlierMs: number | null): string =>
    `No worker was seen for ${durationText(lastsMs)}, longer than a start ` +
    `${earlierMs === null ? 'usually takes' : `took before (${durationText(earlierMs)})`}. Most likely max workers ` +
    'is 0, or workers crash while starting.',
  none: (lastsMs: number): string => `0 idle, 0 running for ${durationText(lastsMs)}`,
  nothingCompleted: 'Nothing completed',
  tryNext: [
    'Check the endpoint’s max workers in the service’s console, and raise it if it is 0.',
    'Check the log of the last worker there: one that crashes while starting is not counted here.',
    'Submit one job without lowPriority: jobs with it never start a worker.',
    'Purge the queue if these jobs are no longer needed, or extend the lifetime of those that are.',
  ],
};

/** Failures and retries rise while nothing completes. */
export const failingText = {
  headline: (failed: number, retried: number, lastsMs: number): string => {
    const ended = [
      ...(failed > 0 ? [`${formatCountOf(failed, 'job')} failed`] : []),
      ...(retried > 0 ? [formatCountOf(retried, 'retry', 'retries')] : []),
    ];
    return `${listed(ended)} in ${durationText(lastsMs)}, and none completed`;
  },
  workersStay:
    'Workers stay up while their jobs fail, one after another. Most likely the handler fails on each job, or ' +
    'does not accept this input; or these jobs, if they are not yours, hit their executionTimeout.',
  workersCrash:
    'Failures and retries rise while workers come and go, and nothing finishes. Most likely workers ' +
    'crash when they take a job, and restart.',
  counts: (failed: number, retried: number, lastsMs: number): string =>
    `${failed} failed, ${retried} retried, 0 completed in ${durationText(lastsMs)}`,
  vanished: (times: number): string => `Workers vanished ${formatCountOf(times, 'time')}`,
  tryIfWorkersStay: [
    'Open a failed job and read its error; fix the input, or the handler it names.',
    'Submit one job with an input that worked before.',
    'Stop submitting until one completes; retry the failed jobs within 30 minutes of their end.',
  ],
  tryIfWorkersCrash: [
    'Check a worker’s log in the service’s console, or open its pod: the last lines before it ended say why.',
    'Try one small job: out-of-memory errors appear only with large inputs.',
    'Go back to the last image or template that worked.',
    'Stop submitting, or purge the queue, until one job completes.',
  ],
};

/** Workers start again and again but never become ready. `unhealthy` is null if they are not, or not for long. */
export const neverReadyText = {
  /** The end of the headline, after what waits. */
  headlineEnd: (facts: { unhealthy: number | null; starts: number; lastsMs: number }): string =>
    ', and no worker becomes ready: ' +
    `${facts.unhealthy === null ? formatCountOf(facts.starts, 'start') : `${facts.unhealthy} unhealthy`} in ` +
    durationText(facts.lastsMs),
  explanation: ({ unhealthy, starts }: { unhealthy: number | null; starts: number }): string =>
    (unhealthy === null
      ? `Workers began to start ${starts} times. `
      : `The service reports ${formatCountOf(unhealthy, 'worker')} as unhealthy. `) +
    'Most likely workers crash while starting: a stuck queue is more often due to this than to capacity.',
  workers: (starting: number): string => `${starting} starting, 0 idle, 0 running`,
  starts: (starts: number): string => `${formatCountOf(starts, 'start')} seen, none became ready`,
  tryNext: [
    'Check the worker’s log in the service’s console, or open its pod: the last lines before it ended say why.',
    'Check what the last change of the template changed: image name, start command, environment, container disk.',
    'Go back to the last image or template that worked.',
    'Purge the queue, or extend the lifetime of the jobs that must not be lost meanwhile.',
  ],
};

/** Workers are up, but jobs stay in the queue. */
export const notStartedText = {
  /** The end of the headline, after what waits. */
  headlineEnd: (lastsMs: number): string => `, and no worker took one for ${durationText(lastsMs)}`,
  explanation:
    'Workers are up, jobs wait, and none is in progress. Most likely the workers crash and start again before ' +
    'they take a job.',
  noneInProgress: (lastsMs: number): string => `0 in progress for ${durationText(lastsMs)}`,
  nothingEnded: 'Nothing completed or failed',
  tryNext: [
    'Check a worker’s log in the service’s console, or open its pod.',
    'Restart the workers by a new release: save the template with the last image that worked.',
    'Purge the queue if these jobs are no longer needed.',
  ],
};
