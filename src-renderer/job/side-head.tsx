import { endOf, statusKind, statusWord, type Attempt, type Job, type Lineage } from '../../src-preload/job.ts';
import { CircleStop, RotateCcw } from 'lucide-react';
import { endpointName } from '../../src-preload/connection.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { StatusPill } from '../design/status-glyph.tsx';
import { knownAtMs, useCertainUntil } from '../data/certainty.ts';
import { useHere } from '../data/allowed-here.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { jobActionNames, jobHeaderText } from '../messages/job/pane.ts';
import { rowActions } from './action-row.ts';
import { runAction } from './job-actions.tsx';
import { JobMarks } from './job-marks.tsx';
import { MoreMenu, type JobMenu } from './more-menu.tsx';
import styles from './side-column.module.css';

interface SideHeadProps {
  job: Job;
  lineage: Lineage;
  attempts: readonly Attempt[];
  attempt: Attempt | null;
  onAttempt: (number: number | null) => void;
  menuOf: JobMenu;
}

/** Status, id and the actions for the present state. The other actions are in the window's title bar. */
export function SideHead({ job, lineage, attempts, attempt, onAttempt, menuOf }: SideHeadProps) {
  const nowMs = useNow(1_000);
  const connections = useSession((state) => state.connections);
  const endpoint = endpointName(findEndpoint(connections, job.connectionId, job.endpointId));
  const shown = attempt !== null && attempt.number !== job.attempt ? endOf(attempt) : job;
  const isUncertain = useCertainUntil(shown === job ? knownAtMs(job) : null, job.connectionId) !== null;
  const actions = rowActions(job, nowMs, useHere());
  const cancel = actions.find((action) => action.id === 'cancel' && action.variant === 'danger');
  const retry = actions.find((action) => action.id === 'retry' && action.variant === 'primary');
  return (
    <>
      <div className={styles.row}>
        <StatusPill
          kind={statusKind(shown)}
          word={job.isCancelling && job.phase === 'active' ? jobHeaderText.cancelling : statusWord(shown)}
          isUncertain={isUncertain}
        />
        <span className={styles.gap} />
        {cancel !== undefined && (
          <Button
            size="sm"
            variant="danger"
            icon={<CircleStop />}
            keys={['.']}
            disabledReason={cancel.reason}
            onClick={() => runAction('cancel', job.key)}
          >
            {jobActionNames.cancel}
          </Button>
        )}
        {retry !== undefined && (
          <Button
            size="sm"
            variant="primary"
            icon={<RotateCcw />}
            keys={['R']}
            onClick={() => runAction('retry', job.key)}
          >
            {jobActionNames.retry}
          </Button>
        )}
        <MoreMenu job={job} menuOf={menuOf} />
      </div>
      <div className={styles.identity}>
        <span className={styles['identity-name']}>
          {endpoint} <span className="t3">{job.operation}</span>
        </span>
        {job.jobId === null ? (
          <span className="cap t3">
            {job.phase === 'waiting' || job.phase === 'submitting' ? jobHeaderText.noIdYet : jobHeaderText.noId}
          </span>
        ) : (
          <span className={styles.row}>
            <span className={styles.id} title={job.jobId}>
              {job.jobId}
            </span>
            <CopyButton label={jobHeaderText.copyId} text={() => job.jobId ?? ''} />
          </span>
        )}
        {(job.tags.length > 0 ||
          attempts.length > 1 ||
          job.originKey !== undefined ||
          lineage.copies.length > 0 ||
          lineage.sameInput.total > 0 ||
          job.mark !== undefined ||
          job.label !== undefined) && (
          <span className={styles.marks}>
            <JobMarks job={job} lineage={lineage} attempts={attempts} attempt={attempt} onAttempt={onAttempt} />
          </span>
        )}
      </div>
    </>
  );
}
