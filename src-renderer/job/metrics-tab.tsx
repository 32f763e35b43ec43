import { useRef, useState } from 'react';
import type { Attempt, JobDetail } from '../../src-preload/job.ts';
import { JobCostFacts } from '../costs/job-cost.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { FactList } from '../design/fact-list.tsx';
import { FindButton } from '../design/find-button.tsx';
import { SearchBar } from '../design/search-bar.tsx';
import { useCommandKey } from '../design/keyboard/use-keys.ts';
import { factGroupTitles, factText } from '../messages/job/facts.ts';
import { jobPaneText } from '../messages/job/pane.ts';
import type { Stream } from '../stream/use-stream.ts';
import { factGroups, textOfFacts } from './fact-groups.ts';
import { useFactFind } from './use-fact-find.ts';
import { withWorkerLink } from './worker-link.ts';
import styles from './facts.module.css';

interface MetricsTabProps {
  detail: JobDetail;
  attempt: Attempt | null;
  stream: Stream;
}

/** Times and figures: those that the service reported, unchanged, and separately those that Jobdeck measured. */
export function MetricsTab({ detail, attempt, stream }: MetricsTabProps) {
  const page = useRef<HTMLDivElement>(null);
  const [isFinding, setFinding] = useState(false);
  const search = useFactFind(page, isFinding);
  useCommandKey('f', true, () => setFinding(true));
  const groups = withWorkerLink(factGroups(detail, attempt, stream.log), detail.job, attempt);
  return (
    <>
      {isFinding && (
        <SearchBar label={factText.find} search={search} onClose={() => setFinding(false)} returnTo={page} />
      )}
      <div className={styles.bar}>
        <span className={styles.caption}>{factText.units}</span>
        <FindButton label={factText.find} isOn={isFinding} onChange={setFinding} />
        <CopyButton label={factText.copy} text={() => textOfFacts(groups)} />
      </div>
      <div ref={page} className={styles.page} tabIndex={0} role="document" aria-label={jobPaneText.metrics}>
        <div className={styles.columns}>
          {groups.map((group) => (
            <section key={group.id} className={styles.group}>
              <h2 className={styles.title}>{factGroupTitles[group.id]}</h2>
              <FactList facts={group.facts} />
            </section>
          ))}
          <JobCostFacts place="tab" detail={detail} className={styles.group} titleClass={styles.title} />
        </div>
      </div>
    </>
  );
}
