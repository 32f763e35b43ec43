import { useMemo, useState } from 'react';
import type { JobPrinted } from '../../src-preload/printed.ts';
import type { Job } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { useSession } from '../data/session-store.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { FindButton } from '../design/find-button.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { useCommandKey } from '../design/keyboard/use-keys.ts';
import { jobPrintedText, printedText } from '../messages/printed.ts';
import { PrintedList } from '../printed/printed-list.tsx';
import { rowsOfJob, textOfRows } from '../printed/printed-rows.ts';
import { WrapButton } from '../printed/wrap-button.tsx';
import { PartProblem } from './part-problem.tsx';
import { printedCaching } from './use-job-pane.ts';
import styles from './printed-tab.module.css';

/** What the job's handler printed: its first and its last lines. */
export function PrintedTab({ job }: { job: Job }) {
  const { data, error, refetch } = useCall('job:printedLines', { key: job.key }, printedCaching);
  if (error !== null)
    return <PartProblem title={jobPrintedText.notRead} failure={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows count={5} height={20} />;
  if (data === null) return <p className={styles.none}>{jobPrintedText.none}</p>;
  return <Printed key={job.key} printed={data} />;
}

function Printed({ printed }: { printed: JobPrinted }) {
  const isWrapped = useSession((state) => state.settings.plainOutput.isWrapped);
  const [isFinding, setFinding] = useState(false);
  const rows = useMemo(() => rowsOfJob(printed), [printed]);
  const count = printed.head.length + printed.dropped + printed.tail.length;
  useCommandKey('f', true, () => setFinding(true));
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <span className={styles.count} title={jobPrintedText.kept}>
          {jobPrintedText.count(count)}
        </span>
        <FindButton label={printedText.find} isOn={isFinding} onChange={setFinding} />
        <WrapButton />
        <CopyButton label={printedText.copy} text={() => textOfRows(rows, printedText.gap)} />
      </div>
      <PrintedList rows={rows} isWrapped={isWrapped} isFinding={isFinding} onFindEnd={() => setFinding(false)} />
      <p className={styles.foot}>{jobPrintedText.kept}</p>
    </div>
  );
}
