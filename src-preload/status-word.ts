import { statusLook } from './job.ts';
import type { Job } from './job.ts';

/**
 * The word a job is filtered by after `status:`. An execution timeout counts as timed_out in either form (ruling 14);
 * a status the specification does not name is its own word (ruling 8).
 */
export function statusWordOf(job: Pick<Job, 'phase' | 'status' | 'note'>): string {
  switch (job.phase) {
    case 'waiting':
    case 'submitting':
      return 'waiting';
    case 'outcome-unknown':
      return 'outcome_unknown';
    case 'refused':
      return 'refused';
    case 'gone':
      return 'gone';
    case 'left-behind':
      return 'left_behind';
    case 'active':
    case 'finished':
      return statusLook(job) === 'timeout' ? 'timed_out' : (job.status ?? 'unknown').toLowerCase();
  }
}
