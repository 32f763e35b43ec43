import { statusKind, statusWord, type Job } from '../../src-preload/job.ts';
import { jobHeaderText } from '../messages/job/pane.ts';

/** The word for a job's state above its title. `shown` is the end of a former attempt, if that one is shown. Pure. */
export function stateWord(job: Job, shown: Pick<Job, 'phase' | 'status' | 'reason'> = job): string {
  if (job.isCancelling && job.phase === 'active') return jobHeaderText.cancelling;
  return statusKind(shown) === 'gone' && job.goneReason !== 'too-large' ? jobHeaderText.gone : statusWord(shown);
}
