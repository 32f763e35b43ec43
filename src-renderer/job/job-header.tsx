import { AppWindow, Star, ThumbsDown, ThumbsUp } from 'lucide-react';
import { memo } from 'react';
import {
  endOf,
  isExternal,
  statusKind,
  type Attempt,
  type Job,
  type Lineage,
  statusWord,
} from '../../src-preload/job.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { StatusPill } from '../design/status-glyph.tsx';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { badMark, goodMark } from '../../src-preload/judgement.ts';
import { markJobs, starJobs } from '../data/own-changes.ts';
import { commonText } from '../messages/common.ts';
import { jobHeaderText } from '../messages/job/pane.ts';
import { openInOwnWindow } from './actions.ts';
import { JobMarks } from './job-marks.tsx';
import { JobTitle } from './job-title.tsx';
import { MoreMenu, type JobMenu } from './job-actions.tsx';
import { BatchLink } from '../batches/batch-link.tsx';
import styles from './job-pane.module.css';

/** The word for a job's state above its title. `shown` is the end of a former attempt, if that one is shown. Pure. */
export function stateWord(job: Job, shown: Pick<Job, 'phase' | 'status' | 'reason'> = job): string {
  if (job.isCancelling && job.phase === 'active') return jobHeaderText.cancelling;
  return statusKind(shown) === 'gone' && job.goneReason !== 'too-large' ? jobHeaderText.gone : statusWord(shown);
}

/** As many as the list's rows show of an id. */
const shortIdChars = 8;

/** Status, id and the small buttons; the title; where and when it was sent. */
export const JobHeader = memo(function JobHeader({
  job,
  lineage,
  attempts,
  attempt,
  onAttempt,
  layout,
  menuOf,
}: {
  job: Job;
  lineage: Lineage;
  attempts: readonly Attempt[];
  attempt: Attempt | null;
  onAttempt: (number: number | null) => void;
  layout: 'pane' | 'window';
  menuOf: JobMenu;
}) {
  const connections = useSession((state) => state.connections);
  const nowMs = useNow(60_000);
  const endpoint = findEndpoint(connections, job.connectionId, job.endpointId);
  const shown = attempt !== null && attempt.number !== job.attempt ? endOf(attempt) : job;
  const kind = statusKind(shown);
  const sentAtMs = job.acceptedAtMs ?? job.createdAtMs;
  const isUnsent = job.phase === 'waiting' || job.phase === 'submitting';
  return (
    <>
      <div className={styles.top} data-kind={kind}>
        <span className={styles.state}>
          <StatusPill kind={kind} word={stateWord(job, shown)} />
        </span>
        {job.jobId === null ? (
          <span className={styles['no-id']}>{isUnsent ? jobHeaderText.noIdYet : jobHeaderText.noId}</span>
        ) : (
          <>
            <span className={styles.id} title={job.jobId}>
              {job.jobId.slice(0, shortIdChars)}
              <span className={styles['id-rest']}>{job.jobId.slice(shortIdChars)}</span>
            </span>
            <CopyButton label={jobHeaderText.copyId} text={() => job.jobId ?? ''} />
          </>
        )}
        <span className={styles.gap} />
        <IconButton
          label={jobHeaderText.markGood}
          keys={['+']}
          icon={<ThumbsUp />}
          isOn={job.mark === goodMark}
          onClick={() => void markJobs([job], goodMark)}
        />
        <IconButton
          label={jobHeaderText.markBad}
          keys={['-']}
          icon={<ThumbsDown />}
          isOn={job.mark === badMark}
          onClick={() => void markJobs([job], badMark)}
        />
        <IconButton
          label={job.isStarred ? jobHeaderText.starred : commonText.star}
          keys={['S']}
          icon={<Star />}
          isOn={job.isStarred}
          onClick={() => void starJobs([job], !job.isStarred)}
        />
        {layout === 'pane' && (
          <IconButton
            label={commonText.openInOwnWindow}
            keys={['Shift', '↵']}
            icon={<AppWindow />}
            onClick={() => void openInOwnWindow(job.key)}
          />
        )}
        <MoreMenu job={job} menuOf={menuOf} />
      </div>
      <JobTitle job={job} isEditedHere={layout === 'pane'} />
      <div className={styles.meta}>
        <span className={styles['meta-facts']}>
          <EndpointIcon endpoint={endpoint} size={14} />
          <span className={styles['meta-strong']}>{endpointName(endpoint)}</span>
          <span>{job.operation}</span>
          {isExternal(job) && <span>{jobHeaderText.external}</span>}
          <span className={styles.sent}>
            {isExternal(job)
              ? jobHeaderText.trackedSince(sentAtMs, nowMs)
              : (isUnsent ? jobHeaderText.created : jobHeaderText.submitted)(sentAtMs, nowMs)}
          </span>
          {!isExternal(job) && <span className={styles.size}>{jobHeaderText.input(job.inputBytes)}</span>}
        </span>
        <span className={styles.chips}>
          <BatchLink job={job} />
          <JobMarks job={job} lineage={lineage} attempts={attempts} attempt={attempt} onAttempt={onAttempt} />
        </span>
      </div>
    </>
  );
});
