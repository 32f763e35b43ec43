import { CheckCheck, CircleStop, Columns2, Download, Gauge, Repeat2, RotateCcw, Tag, Trash2, X } from 'lucide-react';
import { useMemo } from 'react';
import { classes } from '../design/class-names.ts';
import type { Job } from '../../src-preload/job.ts';
import { Button } from '../design/button.tsx';
import { canDelete, deleteJobs } from '../data/delete-jobs.ts';
import { exportItems } from '../data/export-items.tsx';
import { inShownOrder, isAllLoadedPicked, openJobKey, withOpen } from './visible-keys.ts';
import { markAllSeen, pickAllMatching } from '../data/whole-list.ts';
import { formatCount } from '../../src-preload/format.ts';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { Menu } from '../design/menu/menu.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { useNow } from '../data/use-now.ts';
import { askJudgement } from '../navigation/open-requests.ts';
import { canCompare, compareJobs } from '../navigation/go.ts';
import { useShell } from '../navigation/shell-store.ts';
import { hasNews, useJobs } from '../data/jobs-store.ts';
import { cancelOrAsk, eligible, jobsOf, resubmitMany, retryMany } from './row-actions.ts';
import { commonText } from '../messages/common.ts';
import { bulkBarText } from '../messages/jobs/list.ts';
import styles from './bulk-bar.module.css';

/** The actions on the selected jobs, each with the number of jobs it applies to. At least one job is selected. */
export function BulkBar() {
  const count = useJobs((state) => state.pickedKeys.size);
  const pickedKeys = useJobs((state) => state.pickedKeys);
  const { jobs, cancellable, retryable, resubmittable, deletable, unseen } = usePickedJobs();
  const compared = withOpen([...pickedKeys], useJobs(openJobKey));
  // If all loaded rows are selected, matching jobs that are not loaded can be selected too.
  const isMore = useJobs(({ hasMore, total }) => hasMore && total > count) && isAllLoadedPicked();
  return (
    <div
      className={classes(styles.bar, (isMore || unseen.length > 0) && styles.crowded)}
      role="toolbar"
      aria-label={bulkBarText.selected(count)}
    >
      <span className={styles.count}>
        {formatCount(count)}
        <span className={styles.word}> {bulkBarText.selectedWord}</span>
      </span>
      {isMore && <SelectAll />}
      <span className={styles.rule} />
      {cancellable.length > 0 && (
        <Action
          icon={<CircleStop />}
          label={bulkBarText.cancel}
          count={cancellable.length}
          of={count}
          keyName="."
          onClick={() => cancelOrAsk(cancellable)}
        />
      )}
      {retryable.length > 0 && (
        <Action
          icon={<RotateCcw />}
          label={commonText.retry}
          count={retryable.length}
          of={count}
          keyName="R"
          onClick={() => void retryMany(retryable)}
        />
      )}
      {resubmittable.length > 0 && (
        <Action
          icon={<Repeat2 />}
          label={bulkBarText.resubmit}
          count={resubmittable.length}
          of={count}
          onClick={() => void resubmitMany(resubmittable)}
        />
      )}
      {canCompare(compared.length) && (
        <Action
          icon={<Columns2 />}
          label={bulkBarText.compare}
          hint={compared.length > count ? bulkBarText.compareWithOpen : undefined}
          count={count}
          of={count}
          keyName="C"
          onClick={() => compareJobs(compared)}
        />
      )}
      <Notes jobs={jobs} />
      {unseen.length > 0 && <MarkSeen unseen={unseen} of={count} />}
      <Menu
        trigger={
          <Button variant="ghost" icon={<Download />} className={styles.action} hint={bulkBarText.export}>
            <span className={minorWord}>{bulkBarText.export}</span>
          </Button>
        }
        items={exportItems({ kind: 'jobs', keys: inShownOrder(pickedKeys) })}
      />
      {deletable.length > 0 && (
        <Action
          icon={<Trash2 />}
          label={commonText.delete}
          keyName="Del"
          isMinor
          count={deletable.length}
          of={count}
          onClick={() => void deleteJobs(deletable)}
        />
      )}
      <span className={styles.rule} />
      <ClearSelection />
    </div>
  );
}

/** The selected jobs that are loaded, and those of them to which each action applies. */
function usePickedJobs() {
  const list = useJobs((state) => state.list);
  const pickedKeys = useJobs((state) => state.pickedKeys);
  const nowMs = useNow(15_000);
  return useMemo(() => {
    const jobs = jobsOf(list, pickedKeys);
    return {
      jobs,
      cancellable: eligible(jobs, 'cancel', nowMs),
      retryable: eligible(jobs, 'retry', nowMs),
      resubmittable: eligible(jobs, 'resubmit', nowMs),
      unseen: jobs.filter(hasNews),
      deletable: jobs.filter((job) => canDelete(job).isAllowed),
    };
  }, [list, pickedKeys, nowMs]);
}

/** What the user notes about the jobs. */
function Notes({ jobs }: { jobs: readonly Job[] }) {
  return (
    <>
      <Tooltip side="top" text={bulkBarText.markAndLabel} keys={['M']}>
        <Button variant="ghost" icon={<Gauge />} className={styles.action} onClick={() => askJudgement(jobs, 'mark')}>
          <span className={minorWord}>{bulkBarText.mark}</span>
        </Button>
      </Tooltip>
      <Tooltip side="top" text={bulkBarText.tag} keys={['T']}>
        <Button
          variant="ghost"
          icon={<Tag />}
          className={styles.action}
          onClick={() => useShell.getState().set({ tagDialogKeys: jobs.map((job) => job.key) })}
        >
          <span className={minorWord}>{bulkBarText.tag}</span>
        </Button>
      </Tooltip>
    </>
  );
}

function MarkSeen({ unseen, of }: { unseen: readonly Job[]; of: number }) {
  return (
    <Action
      icon={<CheckCheck />}
      label={bulkBarText.markSeen}
      count={unseen.length}
      of={of}
      onClick={() => void markAllSeen(unseen.map(({ key }) => key))}
    />
  );
}

function ClearSelection() {
  return (
    <Button
      variant="ghost"
      icon={<X className={styles.cross} />}
      className={styles.action}
      hint={bulkBarText.clear}
      onClick={() => useJobs.getState().clearPicked()}
    >
      <span className={styles.word}>{bulkBarText.clear}</span>
      <Kbd keys={['Esc']} />
    </Button>
  );
}

/** Also selects the matching jobs that are not loaded. */
function SelectAll() {
  const label = useJobs((state) => bulkBarText.selectAll(state));
  return (
    <Button variant="ghost" className={styles.action} onClick={() => void pickAllMatching()}>
      {label}
    </Button>
  );
}

interface ActionProps {
  icon: React.ReactNode;
  label: string;
  /** What it does, if the label does not say all of it. */
  hint?: string | undefined;
  count: number;
  of: number;
  keyName?: string;
  /** Its word goes first where room is short, and its key is only in the tooltip. */
  isMinor?: boolean;
  onClick: () => void;
}

const minorWord = classes(styles.word, styles.minor);

function Action({ icon, label, hint = label, count, of, keyName, isMinor = false, onClick }: ActionProps) {
  return (
    <Tooltip side="top" text={hint} keys={keyName === undefined ? undefined : [keyName]}>
      <Button variant="ghost" icon={icon} className={styles.action} onClick={onClick}>
        <span className={isMinor ? minorWord : styles.word}>{label}</span>
        {count !== of && <span className={styles.some}>{count}</span>}
        {keyName !== undefined && !isMinor && <Kbd keys={[keyName]} />}
      </Button>
    </Tooltip>
  );
}
