import { CircleStop, PencilLine, Repeat2, RotateCcw, Terminal, Ellipsis } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { jobActionNames, jobActionsText, moreMenuText } from '../messages/job/pane.ts';
import { openComposer } from '../navigation/open-requests.ts';
import { Button } from '../design/button.tsx';
import { useHere } from '../data/allowed-here.ts';
import { useNow } from '../data/use-now.ts';
import { rowActions, type ActionId } from './action-row.ts';
import { busyId, useActions } from './action-store.ts';
import { cancelJob, copyCurl, resubmitUnchanged, retryJob } from './actions.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, MenuEntries, type MenuEntry } from '../design/menu/menu.tsx';
import styles from './job-pane.module.css';

const icons: Readonly<Record<ActionId, ReactNode>> = {
  cancel: <CircleStop />,
  retry: <RotateCcw />,
  'run-again': <Repeat2 />,
  'resubmit-edits': <PencilLine />,
  curl: <Terminal />,
};

/** Runs the action of a button under the title. */
export function runAction(id: ActionId, key: string): void {
  switch (id) {
    case 'cancel':
      void cancelJob(key);
      return;
    case 'retry':
      void retryJob(key);
      return;
    case 'run-again':
      void resubmitUnchanged(key);
      return;
    case 'resubmit-edits':
      openComposer({ jobKey: key });
      return;
    case 'curl':
      void copyCurl(key);
      return;
  }
}

const busyNames: Partial<Record<ActionId, string>> = { cancel: 'cancel', retry: 'retry', 'run-again': 'resubmit' };

/** The buttons of a job, with `note` on the right if there is room. */
export const JobActions = memo(function JobActions({ job, note }: { job: Job; note?: string | undefined }) {
  const nowMs = useNow(1_000);
  const busy = useActions((state) => state.busy);
  const here = useHere();
  return (
    <div className={styles.actions} role="toolbar" aria-label={jobActionsText.toolbar}>
      {rowActions(job, nowMs, here).map((action) => {
        const isBusy = busy.has(busyId(job.key, busyNames[action.id] ?? action.id));
        return (
          <Button
            key={action.id}
            variant={action.variant}
            icon={icons[action.id]}
            keys={action.keys ?? undefined}
            disabledReason={action.reason !== '' ? action.reason : isBusy ? jobActionsText.inProgress : undefined}
            className={styles[`action-${action.id}`]}
            onClick={() => runAction(action.id, job.key)}
          >
            {jobActionNames[action.id]}
          </Button>
        );
      })}
      {note !== undefined && <span className={styles['actions-note']}>{note}</span>}
    </div>
  );
});

/** The entries of a job's menu at a moment. The window makes them of its commands. */
export type JobMenu = (job: Job, nowMs: number) => readonly MenuEntry[];

interface MoreMenuProps {
  job: Job;
  menuOf: JobMenu;
}

/** What can be done with a job beyond its buttons. */
export const MoreMenu = memo(function MoreMenu({ job, menuOf }: MoreMenuProps) {
  return (
    <Menu align="end" minWidth={248} trigger={<IconButton label={moreMenuText.more} icon={<Ellipsis />} />}>
      <Entries job={job} menuOf={menuOf} />
    </Menu>
  );
});

function Entries({ job, menuOf }: MoreMenuProps) {
  return <MenuEntries items={menuOf(job, useNow(15_000))} />;
}
