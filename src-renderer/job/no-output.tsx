import { missingInputReason, policyDefaults, type Attempt, type Job, type StatusKind } from '../../src-preload/job.ts';
import { formatLongDay } from '../../src-preload/format.ts';
import { emptyOutputCauses } from './outcome.ts';
import { attemptFacts, formatLimit } from './timeline.ts';
import styles from './job-pane.module.css';

/** Why the Output tab is empty, and what that means. */
export function NoOutput({ job, attempt }: { job: Job; attempt: Attempt | null }) {
  const facts = attemptFacts(job, attempt);
  if (facts.isStreamPending)
    return (
      <div className={styles.empty}>
        <h2>Still being fetched</h2>
        <p>
          The job has ended, but Jobdeck could not read its whole stream yet. The output appears here as soon as it
          arrives.
        </p>
      </div>
    );
  if (facts.isReplyUnread)
    return (
      <div className={styles.empty}>
        <h2>No output was saved</h2>
        <p>The service's reply is larger than Jobdeck reads, so nothing of it was saved.</p>
      </div>
    );
  if (job.outputForgottenAtMs !== undefined)
    return (
      <div className={styles.empty}>
        <h2>Output deleted</h2>
        <p>
          Your retention rule deleted it on {formatLongDay(job.outputForgottenAtMs)}.{' '}
          {missingInputReason(job) === null
            ? 'The input, the times and any error are still here, so you can resubmit the job.'
            : 'The times and any error are still here. The input is not, so the job cannot be resubmitted.'}
        </p>
      </div>
    );
  if (facts.kind === 'done') {
    return (
      <div className={styles.empty}>
        <h2>Completed, no output returned</h2>
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
  const [title, text] = reasonOf(job, attempt, facts.kind, progress !== null);
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p>{text}</p>
      {progress !== null && (
        <p className={styles.progress} role="status">
          {progress}
        </p>
      )}
    </div>
  );
}

function reasonOf(job: Job, attempt: Attempt | null, kind: StatusKind, hasProgress: boolean): [string, string] {
  if (kind === 'timeout') {
    const limit = formatLimit(job.policy.executionTimeout ?? policyDefaults.executionTimeoutMs);
    return [
      'Stopped at its execution timeout',
      `It ran longer than its ${limit} limit and returned nothing before. Resubmit it with a longer ` +
        'executionTimeout if it needs more time.',
    ];
  }
  if (attempt !== null && attempt.number !== job.attempt)
    return ['This attempt has no output', 'It ended before returning anything.'];
  switch (job.phase) {
    case 'waiting':
    case 'submitting':
      return ['Nothing to show yet', 'Output appears here once the job is sent and a worker returns something.'];
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
        ? ['No output', 'This job was never sent, so nothing ran.']
        : ['No further updates', 'The connection was removed, so Jobdeck no longer checks this job.'];
    case 'outcome-unknown':
      return ['No output known', 'The service never confirmed this job.'];
    case 'refused':
      return ['No output', 'The service rejected the job, so nothing ran.'];
    case 'gone':
      return ['No output was saved', 'The service deleted the job before Jobdeck received a result.'];
    case 'finished':
      return kind === 'cancel'
        ? ['Cancelled before any output', 'It was stopped before returning anything.']
        : ['No output', 'The job failed before returning anything.'];
  }
}
