import { policyDefaults, type Attempt, type Job, type StatusLook } from '../../src-preload/job.ts';
import { emptyOutputCauses } from './outcome.ts';
import { attemptFacts, formatLimit } from './timeline.ts';
import styles from './job-pane.module.css';

/** Why the Output tab is empty, and what to make of it. */
export function NoOutput({ job, attempt }: { job: Job; attempt: Attempt | null }) {
  const facts = attemptFacts(job, attempt);
  if (facts.isStreamPending)
    return (
      <div className={styles.empty}>
        <h3>Still being fetched</h3>
        <p>
          The job is over, and its stream could not be read to the end yet. What it holds appears here as soon as it is
          read.
        </p>
      </div>
    );
  if (facts.isReplyUnread)
    return (
      <div className={styles.empty}>
        <h3>No output was saved</h3>
        <p>The reply of the service is larger than Jobdeck reads, and nothing was kept of it.</p>
      </div>
    );
  if (facts.look === 'done') {
    return (
      <div className={styles.empty}>
        <h3>Completed, no output returned</h3>
        <p>The service reports success and sent no result. Most likely one of these:</p>
        <ol>
          {emptyOutputCauses(job.operation).map((cause) => (
            <li key={cause}>{cause}</li>
          ))}
        </ol>
      </div>
    );
  }
  const progress = job.reason?.kind === 'progress' && facts.isLive ? job.reason.said : null;
  const [title, text] = words(job, attempt, facts.look, progress !== null);
  return (
    <div className={styles.empty}>
      <h3>{title}</h3>
      <p>{text}</p>
      {progress !== null && (
        <p className={styles.progress} role="status">
          {progress}
        </p>
      )}
    </div>
  );
}

function words(job: Job, attempt: Attempt | null, look: StatusLook, hasProgress: boolean): [string, string] {
  if (look === 'timeout') {
    const limit = formatLimit(job.policy.executionTimeout ?? policyDefaults.executionTimeoutMs);
    return [
      'Stopped at its execution timeout',
      `It ran longer than the ${limit} it was allowed, and nothing was received before. Resubmit it with a ` +
        'longer executionTimeout if it needs the time.',
    ];
  }
  if (attempt !== null && attempt.number !== job.attempt)
    return ['This attempt left no output', 'Nothing was received before it ended.'];
  switch (job.phase) {
    case 'waiting':
    case 'submitting':
      return ['Nothing to show yet', 'Output appears here once the job was sent and a worker returns something.'];
    case 'active':
      return job.status === 'IN_QUEUE'
        ? ['Waiting for a worker', 'Output appears here as it arrives.']
        : [
            'Running',
            hasProgress
              ? 'The worker reports progress; output appears here as it arrives, or all at once at the end.'
              : 'The worker has sent nothing yet. Output appears here as it arrives, or all at once at the end.',
          ];
    case 'orphaned':
      return job.jobId === null
        ? ['No output', 'The service was never given this job, so nothing ran.']
        : ['Nothing more is received', 'Its connection was removed, so nobody asks the service about this job.'];
    case 'outcome-unknown':
      return ['Nothing is known of an output', 'No reply said whether the service took the job.'];
    case 'refused':
      return ['No output', 'The service did not take the job, so nothing ran.'];
    case 'gone':
      return ['No output was saved', 'The job left the service before a result was received.'];
    case 'finished':
      return look === 'cancel'
        ? ['Cancelled before any output', 'Nothing was received before it was stopped.']
        : ['It ended without output', 'Nothing was received before it failed.'];
  }
}
