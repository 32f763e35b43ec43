import type { ReactNode } from 'react';
import { serviceTimeMs } from '../../data/service-deadlines.ts';
import {
  mayOutputCome,
  missingInputReason,
  type Attempt,
  type Job,
  type StatusKind,
} from '../../../src-preload/job.ts';
import { policyDefaults } from '../../../src-preload/job-bounds.ts';
import type { TitledText } from '../../messages/job/outcome.ts';
import {
  emptyOutputCauses,
  lateOutputText,
  noOutputTexts,
  outputDeletedText,
  timedOutText,
} from '../../messages/job/output.ts';
import { useNow } from '../../data/use-now.ts';
import { commonText } from '../../messages/common.ts';
import { CheckButton } from '../unsettled-notes.tsx';
import { attemptFacts } from '../timeline/attempt-facts.ts';
import styles from '../job-pane.module.css';

/** Why the Output tab is empty, and what that means. */
export function NoOutput({ job, attempt }: { job: Job; attempt: Attempt | null }) {
  const facts = attemptFacts(job, attempt);
  if (facts.isStreamPending) return <Explained {...noOutputTexts.stillFetched} />;
  if (facts.isReplyUnread) return <Explained {...noOutputTexts.replyTooLarge} />;
  if (job.outputForgottenAtMs !== undefined)
    return <Explained {...outputDeletedText(job.outputForgottenAtMs, missingInputReason(job) === null)} />;
  if (facts.kind === 'done')
    return (
      <Explained {...noOutputTexts.completed}>
        <ol>
          {emptyOutputCauses(job.operation).map((cause) => (
            <li key={cause}>{cause}</li>
          ))}
        </ol>
        <LateOutput job={job} />
      </Explained>
    );
  const progress = job.reason?.kind === 'progress' && facts.isLive ? job.reason.said : null;
  return (
    <Explained {...reasonOf(job, attempt, facts.kind, progress !== null)}>
      {progress !== null && (
        <p className={styles.progress} role="status">
          {progress}
        </p>
      )}
    </Explained>
  );
}

function LateOutput({ job }: { job: Job }) {
  const nowMs = useNow(15_000);
  if (!mayOutputCome(job, serviceTimeMs(job, nowMs))) return null;
  return (
    <div className={styles.late}>
      <p>{lateOutputText}</p>
      <CheckButton job={job} label={commonText.checkNow} />
    </div>
  );
}

function Explained({ title, text, children }: TitledText & { children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}

function reasonOf(job: Job, attempt: Attempt | null, kind: StatusKind, hasProgress: boolean): TitledText {
  if (kind === 'timeout') return timedOutText(job.policy.executionTimeout ?? policyDefaults.executionTimeoutMs);
  if (attempt !== null && attempt.number !== job.attempt) return noOutputTexts.formerAttempt;
  switch (job.phase) {
    case 'waiting':
    case 'submitting':
      return noOutputTexts.notSent;
    case 'active':
      if (job.status === 'IN_QUEUE') return noOutputTexts.queued;
      return hasProgress ? noOutputTexts.progressing : noOutputTexts.running;
    case 'orphaned':
      return job.jobId === null ? noOutputTexts.neverSent : noOutputTexts.notTracked;
    case 'outcome-unknown':
      return noOutputTexts.notConfirmed;
    case 'refused':
      return noOutputTexts.rejected;
    case 'gone':
      return noOutputTexts.gone;
    case 'finished':
      return kind === 'cancel' ? noOutputTexts.cancelled : noOutputTexts.failed;
  }
}
