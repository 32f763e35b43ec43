import type { Attempt, Job, JobDetail } from '../../src-preload/job.ts';
import { JobCostFacts } from '../costs/job-cost.tsx';
import { useCall } from '../data/calls.ts';
import { classes } from '../design/class-names.ts';
import { formatClock, formatCount } from '../../src-preload/format.ts';
import { factGroupTitles, requestsText } from '../messages/job/facts.ts';
import { formatTook } from '../messages/job/formats.ts';
import { jobPaneText } from '../messages/job/pane.ts';
import type { Stream } from '../stream/use-stream.ts';
import { factGroups, type FactGroup } from './metrics.ts';
import { FactList } from '../design/fact-list.tsx';
import { statusTone } from './requests-tab.tsx';
import { usePaneState } from './pane-state.ts';
import type { JobMenu } from './more-menu.tsx';
import { SideHead } from './side-head.tsx';
import { TimelineStepList } from './timeline/timeline-step-list.tsx';
import type { AttemptFacts } from './timeline/timeline.ts';
import { withWorkerLink } from './worker-link.ts';
import requestStyles from './requests-tab.module.css';
import styles from './side-column.module.css';

/** How many requests the column lists. The tab has all of them. */
const shownRequests = 7;

/** Groups that are too long for the column. The Metrics tab has them. */
const tabOnly: ReadonlySet<FactGroup['id']> = new Set(['seen', 'worker']);

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
  const groups = withWorkerLink(factGroups(detail, attempt, stream.log), job, attempt).filter(
    (group) => !tabOnly.has(group.id),
  );
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
      {groups.map((group) => (
        <section key={group.id} className={styles.block}>
          <h2 className={styles.heading}>{factGroupTitles[group.id]}</h2>
          <FactList facts={group.facts} />
        </section>
      ))}
      <JobCostFacts detail={detail} className={styles.block} titleClass={styles.heading} />
      <LastRequests job={job} />
    </aside>
  );
}

function LastRequests({ job }: { job: Job }) {
  const { data: requests = [] } = useCall('job:requests', { key: job.key }, { isFailureToast: true });
  if (requests.length === 0) return null;
  const last = requests.slice(-shownRequests).reverse();
  return (
    <section className={styles.block}>
      <h2 className={styles.heading}>
        {requestsText.requests}
        <span className={styles.count}>{formatCount(requests.length)}</span>
      </h2>
      {last.map((request) => (
        <div key={request.id} className={styles.request} title={request.note ?? request.path}>
          <span className="t3">{request.method}</span>
          <span className="trunc">{request.operation}</span>
          <span className={classes(requestStyles[statusTone(request)], 'trunc')}>
            {request.httpStatus ?? requestsText.noStatus}
          </span>
          <span className="t3">{formatClock(request.atMs)}</span>
          <span className={styles.took}>{formatTook(request.tookMs)}</span>
        </div>
      ))}
      {requests.length > shownRequests && (
        <button type="button" className={styles.more} onClick={() => usePaneState.getState().setTab('requests')}>
          {requestsText.showAll(requests.length)}
        </button>
      )}
    </section>
  );
}
