import type { Attempt, Job, Lineage } from '../../src-preload/job.ts';
import { AttemptSelect } from './attempt-select.tsx';
import { LineageLinks } from './lineage.tsx';
import { JudgementChips } from './mark-glyph.tsx';
import styles from './judgement.module.css';

interface JobMarksProps {
  job: Job;
  lineage: Lineage;
  attempts: readonly Attempt[];
  attempt: Attempt | null;
  onAttempt: (number: number | null) => void;
}

/** The attempts of a job, the jobs it came from and that came from it, and its mark, label and tags. */
export function JobMarks({ job, lineage, attempts, attempt, onAttempt }: JobMarksProps) {
  return (
    <>
      {attempts.length > 1 && (
        <AttemptSelect job={job} attempts={attempts} value={attempt?.number ?? job.attempt} onChange={onAttempt} />
      )}
      <LineageLinks job={job} lineage={lineage} />
      <JudgementChips {...job} />
      {job.tags.map((tag) => (
        <span key={tag} className={styles.tag} title={tag}>
          {tag}
        </span>
      ))}
    </>
  );
}
