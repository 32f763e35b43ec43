import { CloudAlert, SlidersHorizontal } from 'lucide-react';
import { BatchStrip } from '../batches/batch-strip.tsx';
import { useComposer } from '../composer/composer-store.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { formatCountOf } from '../design/format.ts';
import { exportItems } from '../data/export-items.tsx';
import { useFollow } from '../navigation/follow-store.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu } from '../design/menu.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { chooseSettings, useCurrentConnection, useJobCounts, useSession } from '../data/session-store.ts';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBox } from './filter-box.tsx';
import type { RowForm } from './job-row.tsx';
import { JobListView, type RowMenu } from './job-list-view.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { KeyRefused } from './key-refused.tsx';
import { NoMatches } from './no-matches.tsx';
import { activeOf, sumOf } from './sections.ts';
import { SandboxExamples } from './sandbox-examples.tsx';
import styles from './jobs-pane.module.css';

interface JobsPaneProps {
  form: RowForm;
  menuOf: RowMenu;
  className?: string | undefined;
}

/** The list with its filter, heads, states and bulk bar. */
export function JobsPane({ form, menuOf, className }: JobsPaneProps) {
  return (
    <section className={classes(styles.pane, className)} aria-label="Jobs">
      <div className={styles.head}>
        <FilterBox />
        <ListMenu />
      </div>
      <BatchStrip />
      <ListBody form={form} menuOf={menuOf} />
      <BulkBar />
    </section>
  );
}

function ListBody({ form, menuOf }: Omit<JobsPaneProps, 'className'>) {
  const status = useJobs((state) => state.status);
  const hasNoRows = useJobs((state) => state.list.live().length === 0 && state.list.rest().length === 0);
  const shownFilter = useJobs((state) => state.shownFilter);
  // Rows of a batch come a moment after it is known of.
  const isEmpty = sumOf(activeOf(useJobCounts(), shownFilter)) === 0 && hasNoRows;
  const isPicking = useJobs((state) => state.pickedKeys.size > 0);
  const isFiltered = useJobs((state) => state.query.tokens.length > 0 || state.query.text !== '');
  if (status === 'failed' && isEmpty) return <ListProblem />;
  if (status === 'first')
    return <SkeletonRows count={form === 'comfortable' ? 8 : 12} height={form === 'comfortable' ? 52 : 30} />;
  if (isEmpty && isFiltered) return <NoMatches />;
  if (isEmpty) return <NothingHere />;
  return (
    <>
      {form !== 'compact' && <ColumnHeads form={form} />}
      <JobListView form={form} menuOf={menuOf} />
      {isPicking && <div className={styles.fade} />}
    </>
  );
}

function ColumnHeads({ form }: { form: RowForm }) {
  const p95 = (
    <span className={styles.p95} title="The tick on each bar: 95th percentile of that endpoint's run times">
      p95
    </span>
  );
  if (form === 'comfortable') {
    return (
      <div className={classes(styles.columns, styles.comfortable)} aria-hidden="true">
        <span />
        <span>Job</span>
        <span className={styles.right}>Wait</span>
        <span className={styles.right}>Execution{p95}</span>
        <span className={styles.right}>Age</span>
      </div>
    );
  }
  return (
    <div className={classes(styles.columns, styles.table)} aria-hidden="true">
      <span />
      <span className={styles.id}>Id</span>
      <span className={styles.endpoint}>Endpoint</span>
      <span>Job</span>
      <span className={classes(styles.right, styles.wait)}>Wait</span>
      <span className={styles.right}>Execution</span>
      <span className={styles.right}>Age</span>
      <span className={classes(styles.right, styles.ttl)}>ttl left</span>
      <span className={styles.tags}>Tags</span>
    </div>
  );
}

function ListMenu() {
  const density = useSession((state) => state.settings.density);
  const filter = useJobs((state) => state.filter);
  const total = useJobs((state) => state.total);
  return (
    <Menu
      align="end"
      minWidth={170}
      trigger={<IconButton label="List" icon={<SlidersHorizontal />} />}
      items={[
        { kind: 'label', label: 'Density' },
        {
          kind: 'item',
          label: 'Comfortable',
          isChosen: density === 'comfortable',
          onSelect: () => void chooseSettings({ density: 'comfortable' }),
        },
        {
          kind: 'item',
          label: 'Compact',
          isChosen: density === 'compact',
          onSelect: () => void chooseSettings({ density: 'compact' }),
        },
        ...(total === 0
          ? []
          : ([
              { kind: 'separator' },
              { kind: 'label', label: formatCountOf(total, 'job') },
              ...exportItems({ kind: 'filter', filter }),
            ] as const)),
      ]}
    />
  );
}

function ListProblem() {
  const problem = useJobs((state) => state.problem);
  return (
    <EmptyState
      art={<CloudAlert className={styles.art} size={28} />}
      title="Could not read the history"
      text={problem?.message}
      actions={
        <Button size="lg" onClick={() => void useJobs.getState().reload()}>
          Try again
        </Button>
      }
    />
  );
}

const nothing = {
  active: { title: 'Nothing is running', text: 'Jobs that are waiting, running or being sent appear here.' },
  'finished-today': { title: 'Nothing finished today', text: 'Jobs that end today appear here with their results.' },
  failed: { title: 'No failed jobs', text: 'Jobs that fail or reach a limit appear here, with their errors.' },
  starred: { title: 'No starred jobs', text: 'Press S on a job to star it.' },
} as const;

function NothingHere() {
  const place = useJobs((state) => state.place);
  const connection = useCurrentConnection();
  if (connection?.state.kind === 'key-refused' && place.view === 'all') return <KeyRefused connection={connection} />;
  if (place.view !== 'all') return <EmptyState {...nothing[place.view]} />;
  return (
    <EmptyState
      title={place.endpointId === null ? 'No jobs yet' : 'No jobs on this endpoint yet'}
      text="Jobs you submit or track appear here and are saved on this computer."
      actions={
        <>
          <Button
            variant="primary"
            size="lg"
            keys={['N']}
            disabledReason={connection === null ? 'Add a connection first' : undefined}
            onClick={() =>
              void useComposer.getState().openNew(place.endpointId === null ? {} : { endpointId: place.endpointId })
            }
          >
            New job
          </Button>
          {connection !== null && (
            <Button size="lg" onClick={() => useFollow.getState().open()}>
              Track a job by id
            </Button>
          )}
        </>
      }
    >
      {connection?.isSandbox === true && place.endpointId === null && <SandboxExamples connection={connection} />}
    </EmptyState>
  );
}
