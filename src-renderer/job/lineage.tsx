import { CopyCheck, GitFork } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Job, type Lineage, statusKind, statusWord } from '../../src-preload/job.ts';
import { Menu } from '../design/menu/menu.tsx';
import { formatClock } from '../../src-preload/format.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { lineageText } from '../messages/job/pane.ts';
import { compareJobs, goToSameInput } from '../navigation/go.ts';
import { showJob } from './actions.ts';
import styles from './job-pane.module.css';

interface LineageLinksProps {
  job: Job;
  lineage: Lineage;
}

/** Links to the job that the input came from, and to the jobs made from it. */
export function LineageLinks({ job, lineage: { origin, copies, sameInput } }: LineageLinksProps) {
  const [only] = copies;
  return (
    <>
      {job.originKey !== undefined &&
        (origin === null ? (
          <span>{lineageText.fromDeleted}</span>
        ) : (
          <JobsMenu name={lineageText.from(shortName(origin))} jobs={[origin]} job={job} />
        ))}
      {only !== undefined && (
        <JobsMenu
          name={copies.length === 1 ? lineageText.as(shortName(only)) : lineageText.asJobs(copies.length)}
          jobs={copies}
          job={job}
        />
      )}
      {sameInput.total > 0 && (
        <JobsMenu
          name={lineageText.otherRuns(sameInput.total)}
          icon={<CopyCheck size={12} aria-hidden="true" />}
          jobs={sameInput.jobs}
          job={job}
          total={sameInput.total}
        />
      )}
    </>
  );
}

function shortName(job: Job): string {
  return job.jobId?.slice(0, 8) ?? statusWord(job).toLowerCase();
}

interface JobsMenuProps {
  name: string;
  icon?: ReactNode;
  jobs: readonly Job[];
  job: Job;
  /** How many runs of the same input there are, which the list can show; undefined of other jobs. */
  total?: number;
}

function JobsMenu({ name, icon, jobs, job, total }: JobsMenuProps) {
  return (
    <Menu
      minWidth={260}
      trigger={
        <button type="button" className={styles.attempt}>
          {icon ?? <GitFork size={12} aria-hidden="true" />}
          <span className="trunc">{name}</span>
        </button>
      }
      items={[
        ...jobs.map((each) => ({
          kind: 'item' as const,
          label: each.title,
          icon: <StatusGlyph kind={statusKind(each)} />,
          note: formatClock(each.createdAtMs),
          onSelect: () => showJob(each.key),
        })),
        { kind: 'separator' as const },
        {
          kind: 'item' as const,
          label:
            jobs.length === 1
              ? lineageText.compareBoth
              : jobs.length < 3
                ? lineageText.compareThese
                : lineageText.compareNewest,
          onSelect: () => compareJobs([job.key, ...jobs.slice(0, 3).map(({ key }) => key)]),
        },
        ...(total === undefined
          ? []
          : [{ kind: 'item' as const, label: lineageText.showAll(total + 1), onSelect: () => goToSameInput(job) }]),
      ]}
    />
  );
}
