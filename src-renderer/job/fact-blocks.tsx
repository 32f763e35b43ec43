import type { Attempt, Job, JobDetail } from '../../src-preload/job.ts';
import { JobCostFacts } from '../costs/job-cost.tsx';
import { useCall } from '../data/calls.ts';
import { classes } from '../design/class-names.ts';
import { FactList } from '../design/fact-list.tsx';
import { formatClock, formatCount } from '../../src-preload/format.ts';
import { factGroupTitles, requestsText } from '../messages/job/facts.ts';
import { formatTook } from '../messages/job/formats.ts';
import { usePaneTab } from '../navigation/pane-tab.ts';
import type { Stream } from '../stream/use-stream.ts';
import { factGroups, type FactGroup } from './fact-groups.ts';
import { statusTone } from './requests-tab.tsx';
import { withWorkerLink } from './worker-link.ts';
import requestStyles from './requests-tab.module.css';
import styles from './side-column.module.css';

/** How many requests the column lists. The tab has all of them. */
const shownRequests = 7;

/** Groups that are too long for the column. The Metrics tab has them. */
const tabOnly: ReadonlySet<FactGroup['id']> = new Set(['seen', 'worker']);

interface FactBlocksProps {
  detail: JobDetail;
  attempt: Attempt | null;
  stream: Stream;
}

/** The facts of a job for a column beside its output, in blocks with a title. */
export function FactBlocks({ detail, attempt, stream }: FactBlocksProps) {
  const { job } = detail;
  const groups = withWorkerLink(factGroups(detail, attempt, stream.log), job, attempt).filter(
    (group) => !tabOnly.has(group.id),
  );
  return (
    <>
      {groups.map((group) => (
        <section key={group.id} className={styles.block}>
          <h2 className={styles.heading}>{factGroupTitles[group.id]}</h2>
          <FactList facts={group.facts} />
        </section>
      ))}
      <JobCostFacts place="column" detail={detail} className={styles.block} titleClass={styles.heading} />
      <LastRequests job={job} />
    </>
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
        <span className={styles.count}>{formatCount(job.requestCount)}</span>
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
      {job.requestCount > shownRequests && (
        <button type="button" className={styles.more} onClick={() => usePaneTab.getState().setTab('requests')}>
          {requestsText.showAll(job.requestCount)}
        </button>
      )}
    </section>
  );
}
