import type { Attempt, JobDetail } from '../../src-preload/job.ts';
import { jobPaneText } from '../messages/job/pane.ts';
import type { Stream } from '../stream/use-stream.ts';
import { FactBlocks } from './fact-blocks.tsx';
import type { JobMenu } from './more-menu.tsx';
import { SideHead } from './side-head.tsx';
import { TimelineStepList } from './timeline/timeline-step-list.tsx';
import type { AttemptFacts } from './timeline/attempt-facts.ts';
import styles from './side-column.module.css';

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
