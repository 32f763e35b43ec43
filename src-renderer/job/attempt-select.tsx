import { endOf, statusKind, statusWord, type Attempt, type Job } from '../../src-preload/job.ts';
import { ChevronsUpDown, Columns2 } from 'lucide-react';
import { attemptText } from '../messages/job/pane.ts';
import { compareAttempts } from '../navigation/go.ts';
import { Menu } from '../design/menu/menu.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import styles from './job-pane.module.css';

interface AttemptSelectProps {
  job: Job;
  attempts: readonly Attempt[];
  value: number;
  onChange: (number: number | null) => void;
}

/** The choice between a job's attempts: a retry keeps the former attempt's output, error and times (ruling 12). */
export function AttemptSelect({ job, attempts, value, onChange }: AttemptSelectProps) {
  const name = (number: number): string => attemptText.attempt(number, attempts.length);
  return (
    <Menu
      minWidth={236}
      trigger={
        <button type="button" className={styles.attempt}>
          {name(value)}
          <ChevronsUpDown size={12} aria-hidden="true" />
        </button>
      }
      items={[
        ...attempts
          .toSorted((one, other) => other.number - one.number)
          .map((attempt) => {
            const shown = attempt.number === job.attempt ? job : endOf(attempt);
            return {
              kind: 'item' as const,
              label: name(attempt.number),
              icon: <StatusGlyph kind={statusKind(shown)} />,
              note: attemptText.note(statusWord(shown), attempt.startedAtMs),
              isChosen: attempt.number === value,
              onSelect: () => onChange(attempt.number === job.attempt ? null : attempt.number),
            };
          }),
        { kind: 'separator' as const },
        {
          kind: 'item' as const,
          label: attemptText.compare,
          icon: <Columns2 />,
          onSelect: () => compareAttempts(job),
        },
      ]}
    />
  );
}
