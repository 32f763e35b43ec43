import { useState } from 'react';
import type { PurgedJob } from '../../src-preload/purge.ts';
import { jobNamesText } from '../messages/purge.tsx';
import styles from './purge-card.module.css';

/** Up to this many names are shown; more are folded. */
const shownNames = 3;

interface JobNamesProps {
  jobs: readonly PurgedJob[];
  total: number;
  label: string;
  onShowJob: (key: string) => void;
}

/** Jobs by name. Each name opens its job. */
export function JobNames({ jobs, total, label, onShowJob }: JobNamesProps) {
  const [isOpen, setOpen] = useState(false);
  if (jobs.length === 0) return null;
  const shown = isOpen ? jobs : jobs.slice(0, shownNames);
  const beyond = total - jobs.length;
  return (
    <>
      <ul className={styles.names} aria-label={label}>
        {shown.map((job) => (
          <li key={job.key}>
            <button type="button" className={styles.name} title={job.title} onClick={() => onShowJob(job.key)}>
              {job.title}
            </button>
          </li>
        ))}
        {isOpen && beyond > 0 && <li className={styles.cap}>{jobNamesText.more(beyond)}</li>}
      </ul>
      {total > shownNames && (
        <div>
          <button type="button" className={styles.link} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? jobNamesText.showFewer : jobNamesText.showAll(total)}
          </button>
        </div>
      )}
    </>
  );
}
