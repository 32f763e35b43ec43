import { formatCredits } from '../../src-preload/format.ts';

export const costText = { couldNotSave: 'Could not save this. Check that the disk is not full, then save again.' };

/** Title and text of a notice about a job or a day that passed its limit. Amounts are credits. */
export const overrunText = {
  jobTitle: (job: string): string => `${job} passed its cost limit`,
  runningJob: (credits: number, endpoint: string, limit: number): string =>
    `It was at about ${formatCredits(credits)} credits when Jobdeck noticed; the limit for a job on ` +
    `${endpoint} is ${formatCredits(limit)}. It keeps running; cancel it if you do not want ` +
    'that. Its Metrics show what it costs now.',
  endedJob: (credits: number, endpoint: string, limit: number): string =>
    `About ${formatCredits(credits)} credits; the limit for a job on ${endpoint} is ${formatCredits(limit)}.`,
  moreJobsTitle: (endpoint: string): string => `More jobs on ${endpoint} pass the cost limit`,
  moreJobs: (limit: number): string =>
    `The limit is ${formatCredits(limit)} credits for a job. No more notifications for single ` +
    'jobs today; each job’s Metrics show its cost.',
  dayTitle: (endpoint: string): string => `${endpoint} passed its cost limit for today`,
  day: (credits: number, limit: number): string =>
    `It was at about ${formatCredits(credits)} credits when Jobdeck noticed; the limit for a day is ` +
    `${formatCredits(limit)}. Jobs are not stopped. Its Health shows what it costs now.`,
};
