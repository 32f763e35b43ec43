import { CheckCheck, CircleStop, Columns2, Copy, Gauge, Repeat2, RotateCcw, Tag, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { canDelete, deleteJobs } from '../data/delete-jobs.ts';
import { exportFormats, exportJobs } from '../data/export-items.tsx';
import { hasNews } from '../data/jobs-store.ts';
import { markAllSeen } from '../data/whole-list.ts';
import { copyDataset } from '../job/actions.ts';
import { cancelOrAsk, eligible, resubmitMany, retryMany } from '../jobs/row-actions.ts';
import { inShownOrder, openJobKey, withOpen } from '../jobs/visible-keys.ts';
import { pickedText } from '../messages/commands/job.ts';
import { askJudgement } from '../navigation/open-requests.ts';
import { canCompare, compareJobs } from '../navigation/go.ts';
import { useShell } from '../navigation/shell-store.ts';

/** An action on the selected jobs. The row menu, the palette and the keys are made from the same list. */
export interface PickedAction {
  id: string;
  /** Without the number of jobs: `Retry`, `Export as CSV`. */
  label: string;
  /** Its label in the palette, if that is not `label` with the number of jobs. */
  commandLabel?: string;
  /** How many of the selected jobs it applies to. */
  count: number;
  icon: ReactNode;
  keys?: readonly string[];
  /** Why it is not available now. */
  refusal?: string;
  run: () => void;
}

/** What can be done with the selected jobs: by the service, and by Jobdeck alone. */
export function pickedActions(jobs: readonly Job[], nowMs: number): { service: PickedAction[]; own: PickedAction[] } {
  return { service: serviceActions(jobs, nowMs), own: [...ownActions(jobs), ...copyActions(jobs), deleteAction(jobs)] };
}

/** An action that applies to some of the jobs. `refusal`: why it is not available if they are none. */
function forSome(
  those: readonly Job[],
  { refusal, ...action }: Omit<PickedAction, 'count' | 'refusal'> & { refusal: string },
): PickedAction {
  return { ...action, count: those.length, ...(those.length === 0 && { refusal }) };
}

function serviceActions(jobs: readonly Job[], nowMs: number): PickedAction[] {
  const retryable = eligible(jobs, 'retry', nowMs);
  const resubmittable = eligible(jobs, 'resubmit', nowMs);
  const cancellable = eligible(jobs, 'cancel', nowMs);
  return [
    forSome(retryable, {
      id: 'picked.retry',
      label: pickedText.retry,
      icon: <RotateCcw />,
      keys: ['R'],
      run: () => void retryMany(retryable),
      refusal: pickedText.noneToRetry,
    }),
    forSome(resubmittable, {
      id: 'picked.resubmit',
      label: pickedText.resubmit,
      icon: <Repeat2 />,
      keys: ['Shift', 'E'],
      run: () => void resubmitMany(resubmittable),
      refusal: pickedText.noneToResubmit,
    }),
    forSome(cancellable, {
      id: 'picked.cancel',
      label: pickedText.cancel,
      icon: <CircleStop />,
      keys: ['.'],
      run: () => cancelOrAsk(cancellable),
      refusal: pickedText.noneToCancel,
    }),
  ];
}

function ownActions(jobs: readonly Job[]): PickedAction[] {
  const count = jobs.length;
  const compared = withOpen(
    jobs.map((job) => job.key),
    openJobKey(),
  );
  const unseen = jobs.filter(hasNews);
  return [
    {
      id: 'picked.compare',
      label: pickedText.compare,
      ...(compared.length > count && { commandLabel: pickedText.compareWithOpen }),
      count,
      icon: <Columns2 />,
      keys: ['C'],
      ...(!canCompare(compared.length) && { refusal: pickedText.selectToCompare }),
      run: () => compareJobs(compared),
    },
    {
      id: 'picked.judge',
      label: pickedText.judge,
      count,
      icon: <Gauge />,
      keys: ['M'],
      run: () => askJudgement(jobs, 'mark'),
    },
    {
      id: 'picked.tag',
      label: pickedText.tag,
      count,
      icon: <Tag />,
      keys: ['T'],
      run: () => useShell.getState().set({ tagDialogKeys: jobs.map((job) => job.key) }),
    },
    forSome(unseen, {
      id: 'picked.seen',
      label: pickedText.markAsSeen,
      icon: <CheckCheck />,
      run: () => void markAllSeen(unseen.map(({ key }) => key)),
      refusal: pickedText.noneToMarkAsSeen,
    }),
  ];
}

function copyActions(jobs: readonly Job[]): PickedAction[] {
  const keys = (): string[] => jobs.map((job) => job.key);
  return [
    {
      id: 'picked.copy-dataset',
      label: pickedText.copyDataset,
      count: jobs.length,
      icon: <Copy />,
      run: () => void copyDataset(keys()),
    },
    ...exportFormats.map(({ format, label, icon }) => ({
      id: `picked.export-${format}`,
      label,
      count: jobs.length,
      icon,
      run: () => void exportJobs({ kind: 'jobs', keys: inShownOrder(keys()) }, format),
    })),
  ];
}

function deleteAction(jobs: readonly Job[]): PickedAction {
  const deletable = jobs.filter((job) => canDelete(job).isAllowed);
  return forSome(deletable, {
    id: 'picked.delete',
    label: pickedText.delete,
    icon: <Trash2 />,
    keys: ['Del'],
    run: () => void deleteJobs(deletable),
    refusal: pickedText.noneToDelete,
  });
}
