import { CircleStop, RotateCcw } from 'lucide-react';
import {
  type Attempt,
  type JobDetail,
  endOf,
  statusKind,
  statusWord,
  type Job,
  type Lineage,
} from '../../src-preload/job.ts';
import { jobPaneText, jobActionNames, jobHeaderText } from '../messages/job/pane.ts';
import type { Stream } from '../stream/use-stream.ts';
import { FactBlocks } from './fact-blocks.tsx';
import { type JobMenu, MoreMenu, runAction } from './job-actions.tsx';
import { TimelineStepList } from './timeline/timeline-step-list.tsx';
import type { AttemptFacts } from './timeline/attempt-facts.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { StatusPill } from '../design/status-glyph.tsx';
import { useHere } from '../data/allowed-here.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { rowActions } from './action-row.ts';
import { JobMarks } from './job-marks.tsx';
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
function SideHead({ job, lineage, attempts, attempt, onAttempt, menuOf }: SideHeadProps) {
  const nowMs = useNow(1_000);
  const connections = useSession((state) => state.connections);
  const endpoint = endpointName(findEndpoint(connections, job.connectionId, job.endpointId));
  const shown = attempt !== null && attempt.number !== job.attempt ? endOf(attempt) : job;
  const actions = rowActions(job, nowMs, useHere());
  const cancel = actions.find((action) => action.id === 'cancel' && action.variant === 'danger');
  const retry = actions.find((action) => action.id === 'retry' && action.variant === 'primary');
  return (
    <>
      <div className={styles.row}>
        <StatusPill
          kind={statusKind(shown)}
          word={job.isCancelling && job.phase === 'active' ? jobHeaderText.cancelling : statusWord(shown)}
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

interface SideColumnProps {
  detail: JobDetail;
  attempt: Attempt | null;
  onAttempt: (number: number | null) => void;
  facts: AttemptFacts;
  /** Until when the shown state of the job is certain. Null while it is. */
  asOfMs: number | null;
  stream: Stream;
  menuOf: JobMenu;
}

/** The facts of a job beside its output, in a window of its own. */
export function SideColumn({ detail, attempt, onAttempt, facts, asOfMs, stream, menuOf }: SideColumnProps) {
  const { job } = detail;
  return (
    <aside className={styles.column} aria-label={jobPaneText.facts}>
      <section className={styles.block}>
        <SideHead
          job={job}
          lineage={detail.lineage}
          attempts={detail.attempts}
          attempt={attempt}
          onAttempt={onAttempt}
          menuOf={menuOf}
        />
        <TimelineStepList facts={facts} asOfMs={asOfMs} />
      </section>
      <FactBlocks detail={detail} attempt={attempt} stream={stream} />
    </aside>
  );
}
