import { CloudAlert, SlidersHorizontal } from 'lucide-react';
import { BatchStrip } from '../batches/batch-strip.tsx';
import { useComposer } from '../composer/composer-store.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { useFollow } from '../navigation/follow-store.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu } from '../design/menu.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { chooseSettings, useCurrentConnection, useSession } from '../data/session-store.ts';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBox } from './filter-box.tsx';
import type { RowForm } from './job-row.tsx';
import { JobListView } from './job-list-view.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { KeyRefused } from './key-refused.tsx';
import { NoMatches } from './no-matches.tsx';
import { SandboxExamples } from './sandbox-examples.tsx';
import styles from './jobs-pane.module.css';

/** The list with its filter, heads, states and bulk bar. */
export function JobsPane({ form, className }: { form: RowForm; className?: string | undefined }) {
  return (
    <section className={classes(styles.pane, className)} aria-label="Jobs">
      <div className={styles.head}>
        <FilterBox />
        <DensityMenu />
      </div>
      <BatchStrip />
      <ListBody form={form} />
      <BulkBar />
    </section>
  );
}

function ListBody({ form }: { form: RowForm }) {
  const status = useJobs((state) => state.status);
  const isEmpty = useJobs((state) => state.list.live().length === 0 && state.list.rest().length === 0);
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
      <JobListView form={form} />
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

function DensityMenu() {
  const density = useSession((state) => state.settings.density);
  return (
    <Menu
      align="end"
      minWidth={170}
      trigger={<IconButton label="Density" icon={<SlidersHorizontal />} />}
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
      ]}
    />
  );
}

function ListProblem() {
  const problem = useJobs((state) => state.problem);
  return (
    <EmptyState
      art={<CloudAlert className={styles.art} size={28} />}
      title="The history could not be read"
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
  active: { title: 'Nothing is running', text: 'Jobs that wait, run or are being sent appear here.' },
  'finished-today': { title: 'Nothing finished today', text: 'Jobs that end today appear here with their results.' },
  failed: { title: 'No failed jobs', text: 'Jobs that fail or reach a limit appear here, with their errors.' },
  starred: { title: 'No starred jobs', text: 'Press S on a job to keep it here.' },
} as const;

function NothingHere() {
  const place = useJobs((state) => state.place);
  const connection = useCurrentConnection();
  if (connection?.state.kind === 'key-refused' && place.view === 'all') return <KeyRefused connection={connection} />;
  if (place.view !== 'all') return <EmptyState {...nothing[place.view]} />;
  return (
    <EmptyState
      title={place.endpointId === null ? 'No jobs yet' : 'No jobs on this endpoint yet'}
      text="Jobs you send or follow from here appear in this list and stay on this computer."
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
              Follow a job by id
            </Button>
          )}
        </>
      }
    >
      {connection?.isSandbox === true && place.endpointId === null && <SandboxExamples connection={connection} />}
    </EmptyState>
  );
}
