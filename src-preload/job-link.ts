import type { Job } from './job.ts';

/** The scheme of links to Jobdeck, as in package.json. */
export const linkScheme = 'jobdeck';

/**
 * A link that opens a job: by the service's id, so that it also leads there on another computer where the job is
 * saved. One that was not sent yet has only the key that it has here. Pure.
 */
export function jobLink({ key, jobId }: Pick<Job, 'key' | 'jobId'>): string {
  return `${linkScheme}://job/${encodeURIComponent(jobId ?? key)}`;
}
