import { formatCount, formatCountOf } from '../../src-preload/format.ts';

/** The dialog for jobs that were submitted elsewhere. */
export const followText = {
  title: 'Track jobs submitted elsewhere',
  hint: 'Results are saved here before the service deletes them. Read-only; nothing is submitted.',
  jobIds: 'Job ids',
  placeholder: 'One per line, or any text with ids in it',
  pasteIds: 'Paste ids, a log or an API response.',
  noneFound: 'No job id found.',
  found: (ids: number): string => `${formatCountOf(ids, 'id')} found.`,
  track: (jobs: number): string => (jobs > 1 ? `Track ${formatCountOf(jobs, 'job')}` : 'Track job'),
  tracking: (jobs: number): string => `Tracking ${formatCountOf(jobs, 'job')}`,
};

/** Why the jobs cannot be tracked yet. */
export const followRefusalText = {
  noId: 'Paste at least one job id',
  noEndpoint: 'Choose an endpoint',
  tooMany: (max: number): string => `At most ${formatCount(max)} at once`,
  adding: 'Adding…',
};

/** Jobs that webhooks reported and that are not known here. */
export const unknownIdsText = {
  title: 'Reported by webhooks',
  arrived: (jobs: number): string =>
    jobs === 1
      ? 'A webhook arrived for a job not known here:'
      : `Webhooks arrived for ${formatCountOf(jobs, 'job')} not known here:`,
  add: (jobId: string): string => `Add ${jobId}`,
  addAll: (jobs: number): string => `Add all ${formatCount(jobs)}`,
};
