import { minuteMs } from '../../../src-preload/durations.ts';
import { formatCountOf } from '../../../src-preload/format.ts';
import { durationText, percent, rate } from './common.ts';

/** The shortest and the longest executionTimeout of some jobs. */
export interface Limits {
  minMs: number;
  maxMs: number;
}

/** How long jobs usually run. */
interface UsualRun {
  p50Ms: number;
  p95Ms: number;
}

const limitText = ({ minMs, maxMs }: Limits): string =>
  minMs === maxMs ? durationText(minMs) : `${durationText(minMs)} to ${durationText(maxMs)}`;

/** Jobs that end close to, or by, their executionTimeout. */
export const nearTimeoutText = {
  usual: ({ p50Ms, p95Ms }: UsualRun): string => `Usually ${durationText(p50Ms)}, 95 % within ${durationText(p95Ms)}`,
  late: (jobs: number, share: number): string => `${formatCountOf(jobs, 'running job')} past ${percent(share)} of it`,
};

/** Jobs are allowed less time than jobs there usually take. */
export const shortLimitText = {
  headline: (jobs: number, limits: Limits, { p50Ms, p95Ms }: UsualRun): string =>
    `${formatCountOf(jobs, 'active job')} allowed ${limitText(limits)}, and jobs here take ` +
    `${durationText(p50Ms)} to ${durationText(p95Ms)}`,
  /** `areMostOver`: most runs take longer than the limit. */
  explanation: (jobs: number, areMostOver: boolean, { p50Ms, p95Ms }: UsualRun): string =>
    `Half of the saved jobs on this endpoint ran up to ${durationText(p50Ms)}, 95 % up to ` +
    `${durationText(p95Ms)}. Most likely ${areMostOver ? 'these end' : 'one in twenty of these ends'} by ` +
    `${jobs === 1 ? 'its' : 'their'} executionTimeout.`,
  limit: (limits: Limits): string => `executionTimeout ${limitText(limits)}`,
  tryNext: [
    'Cancel what still waits, and submit it again with a longer executionTimeout (up to 7 days).',
    'Leave them if you know this input is smaller than usual.',
  ],
};

/** Jobs were ended by their executionTimeout. */
export const timeoutsText = {
  headline: (jobs: number, ends: number, limits: Limits): string =>
    `${ofLast(jobs, ends)} ended by ${jobs === 1 ? 'its' : 'their'} executionTimeout of ${limitText(limits)}`,
  /** `cameOthersClose`: further jobs almost reached it. */
  explanation: (jobs: number, limits: Limits, cameOthersClose: boolean): string =>
    `${jobs === 1 ? 'It' : 'They'} ran longer than ${limitText(limits)}, and what ` +
    `${jobs === 1 ? 'it' : 'they'} had done is lost. Most likely the work takes longer than that` +
    `${cameOthersClose ? ', as others came close to it' : ', or the handler hangs on this input'}.`,
  ended: (jobs: number, ends: number): string => `${jobs} of ${ends} ended by it`,
  close: (jobs: number, leftShare: number): string => `${jobs} more came within ${percent(leftShare)} of it`,
  tryNext: [
    'Submit again with a longer executionTimeout (up to 7 days), and a ttl that covers it.',
    'Compare with a job that completed: a larger input, or one the handler hangs on.',
    'Check the worker’s log for what it did last.',
    'Split the work into smaller jobs.',
  ],
};

/** Jobs came close to their executionTimeout, or are close to it now. */
export const closeToTimeoutText = {
  headlineOfEnds: (jobs: number, ends: number, longestMs: number, limits: Limits): string =>
    `${ofLast(jobs, ends)} took up to ${durationText(longestMs)} of the ${limitText(limits)} allowed`,
  headlineOfRunning: (jobs: number, limits: Limits): string =>
    `${formatCountOf(jobs, 'running job')} close to the executionTimeout of ${limitText(limits)}`,
  explanation:
    'None has hit it yet. Most likely a slightly larger input would hit the executionTimeout and lose its work.',
  ended: (jobs: number, ends: number, share: number): string => `${jobs} of ${ends} took over ${percent(share)} of it`,
  tryNext: ['Submit the next ones with a longer executionTimeout (up to 7 days).', 'Split the work into smaller jobs.'],
};

/** "3 of the last 20 jobs". */
function ofLast(count: number, ends: number): string {
  return ends === 1 ? 'The last job' : `${count} of the last ${ends} jobs`;
}

/** Jobs that their ttl will delete before they are done. Rates are jobs per millisecond. */
export const outlivesTtlText = {
  headline: (jobs: number, waiting: number, nextMs: number): string =>
    `${jobs} of your ${formatCountOf(waiting, 'waiting job')} ` +
    `${jobs === 1 ? 'outlives its' : 'outlive their'} ttl, the first in ${durationText(nextMs)}`,
  /** `pace`: how fast the queue becomes shorter, in words. */
  explanation: (of: { inQueue: number; pace: string; jobs: number; isSure: boolean }): string =>
    `${formatCountOf(of.inQueue, 'job waits', 'jobs wait')}, and ${of.pace}. ` +
    'The ttl ends a job whatever its state. ' +
    `Most likely ${of.jobs === 1 ? 'this job is' : 'these are'} deleted before ` +
    `${of.jobs === 1 ? 'it is' : 'they are'} done${of.isSure ? '' : '; too few ends are known to be sure'}.`,
  nothingRan: 'nothing has run for a minute or more',
  ended: (jobs: number, spanMs: number): string => `${jobs} ended in the last ${durationText(spanMs)}`,
  usualRuns: (p50Ms: number, workers: number): string =>
    `jobs here usually run for ${durationText(p50Ms)} on ${formatCountOf(workers, 'worker')}`,
  rate: (usual: number, max: number): string =>
    usual === 0 ? 'Nothing ends' : `About ${rate(usual * minuteMs)} jobs a minute end, ${rate(max * minuteMs)} at most`,
  emptyIn: (inQueue: number, usual: number): string =>
    `The queue will be empty in ${usual === 0 ? 'unknown time' : `about ${durationText(inQueue / usual)}`}`,
  firstEnds: (nextMs: number): string => `The first ttl ends in ${durationText(nextMs)}`,
  tryNext: (jobs: number): string[] => [
    `Extend the lifetime of ${jobs === 1 ? 'this job' : `these ${jobs} jobs`}.`,
    'Raise max workers in the service’s console, so that the queue drains sooner.',
    'Shorten the queue: cancel or purge waiting jobs that are no longer needed.',
    'Submit the next ones with a ttl that covers the wait and the run.',
  ],
};

/** Results and streams that will soon expire on the service. `results` of `count` are results. */
export const resultsExpiringText = {
  headline: (count: number, results: number, nextMs: number): string => {
    const what = formatCountOf(count, results === 0 ? 'stream' : 'result');
    if (nextMs <= 0) return `${what} not read, and the time to read ${count === 1 ? 'it' : 'the first'} may be over`;
    return `${what} may expire on the service unread${count === 1 ? '' : ', the first'} in ${durationText(nextMs)}`;
  },
  explanation: (count: number, results: number): string =>
    results === 0
      ? 'The result is saved, but the rest of the stream is only on the service. Most likely the service answers ' +
        'its reads with errors, or cannot be reached.'
      : `Jobdeck could not check ${count === 1 ? 'this job' : 'these jobs'} for long. If one has ended since, ` +
        'its result is only on the service. Most likely the connection was down or its key refused, polling ' +
        'was paused, or Jobdeck was closed.',
  ofRunsync: (count: number): string => `${count} of runsync, kept for 1 minute (5 at most)`,
  ofRun: (count: number): string => `${count} of run, kept for 30 minutes`,
  streams: (count: number): string => `${formatCountOf(count, 'stream')} not read to the end`,
  checked: (agoMs: number): string => `Last checked ${durationText(agoMs)} ago`,
  first: (nextMs: number): string =>
    nextMs <= 0
      ? `The first may have expired ${durationText(-nextMs)} ago`
      : `The first may expire in ${durationText(nextMs)}`,
  tryNext: [
    'Keep Jobdeck open and online, and polling resumed: it reads these first.',
    'Check the connection and its key if it is not online.',
    'Submit with run instead of runsync, or with a webhook, where results are read late.',
  ],
};
