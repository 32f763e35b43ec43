import {
  AppWindow,
  CheckCheck,
  CircleStop,
  CodeXml,
  Columns2,
  Copy,
  CopyCheck,
  Hash,
  Link,
  PanelLeft,
  PencilLine,
  RefreshCw,
  Repeat2,
  RotateCcw,
  Square,
  SquareCheck,
  Star,
  Tag,
  Terminal,
  Trash2,
} from 'lucide-react';
import { isExternal, type Job } from '../../src-preload/job.ts';
import type { Allowed } from '../../src-preload/job-actions.ts';
import { callOrReport } from '../call-or-report.ts';
import { openComposer } from '../navigation/open-requests.ts';
import {
  cancelJob,
  checkNow,
  copyCurl,
  copyId,
  copyLink,
  copyOutput,
  resubmitUnchanged,
  retryJob,
  stopWaiting,
} from '../job/actions.ts';
import { useCodeDialog } from '../job/dialogs/dialog-stores.ts';
import { attemptInView } from '../job/pane-state.ts';
import { canDelete, deleteJobs } from '../data/delete-jobs.ts';
import { exportFormats, exportJobs } from '../data/export-items.tsx';
import { starJobs } from '../data/own-changes.ts';
import { judgementCommands } from './judgement-commands.tsx';
import { allowedNow } from '../data/allowed-here.ts';
import { hasNews, useJobs } from '../data/jobs-store.ts';
import { markAllSeen } from '../data/whole-list.ts';
import { exportJobHints, jobCommandText, jobRefusalText } from '../messages/commands/job.ts';
import { compareAttempts, goToJob, goToSameInput } from '../navigation/go.ts';
import { useShell } from '../navigation/shell-store.ts';
import { always, commandsHere, refusalOf, type Command } from './command.ts';

/** The commands for one job. */
export function jobCommands(job: Job, nowMs: number): Command[] {
  const allowed = allowedNow(job, nowMs);
  const canRetry = allowed.retry.isAllowed;
  return commandsHere([
    {
      id: 'job.edit',
      group: 'job',
      ...jobCommandText.edit,
      icon: <PencilLine />,
      keys: ['E'],
      ...refusalOf(allowed.edit),
      run: () => openComposer({ jobKey: job.key }),
    },
    {
      id: 'job.resubmit',
      group: 'job',
      ...jobCommandText.resubmit,
      icon: <Repeat2 />,
      keys: ['Shift', 'E'],
      ...refusalOf(allowed.resubmit),
      run: () => void resubmitUnchanged(job.key),
    },
    canRetry
      ? {
          id: 'job.retry',
          group: 'job',
          ...jobCommandText.retry,
          icon: <RotateCcw />,
          keys: ['R'],
          run: () => void retryJob(job.key),
        }
      : {
          id: 'job.retry',
          group: 'job',
          ...jobCommandText.runAgain,
          icon: <RotateCcw />,
          keys: ['R'],
          ...refusalOf(allowed.resubmit),
          run: () => void resubmitUnchanged(job.key),
        },
    {
      id: 'job.cancel',
      group: 'job',
      ...jobCommandText.cancel,
      icon: <CircleStop />,
      keys: ['.'],
      ...refusalOf(allowed.cancel),
      run: () => void cancelJob(job.key),
    },
    ...outputCommands(job, allowed.resubmit),
    {
      id: 'job.star',
      group: 'job',
      ...(job.isStarred ? jobCommandText.removeStar : jobCommandText.star),
      icon: <Star />,
      keys: ['S'],
      run: () => void starJobs([job], !job.isStarred),
    },
    ...judgementCommands(job),
    ...compareCommands(job),
    ...ownCommands(job),
    {
      id: 'job.delete',
      group: 'job',
      ...jobCommandText.delete,
      icon: <Trash2 />,
      keys: ['Del'],
      ...refusalOf(canDelete(job)),
      run: () => void deleteJobs([job]),
    },
    {
      id: 'job.check',
      group: 'job',
      ...(job.phase === 'gone' ? jobCommandText.checkGone : jobCommandText.check),
      icon: <RefreshCw />,
      ...refusalOf(allowed.check),
      run: () => void checkNow(job),
    },
    ...(job.pendingStream === undefined
      ? []
      : [
          {
            id: 'job.stop-waiting',
            group: 'job' as const,
            ...jobCommandText.stopWaiting,
            icon: <Square />,
            run: () => void stopWaiting(job.key),
          },
        ]),
  ]);
}

/** Commands for what the user says of a job, and for selecting it. */
function ownCommands(job: Job): Command[] {
  return [
    {
      id: 'job.pick',
      group: 'job',
      ...jobCommandText.select,
      icon: <SquareCheck />,
      keys: ['X'],
      only: 'main',
      run: () => useJobs.getState().togglePicked(job.key),
    },
    {
      id: 'job.tag',
      group: 'job',
      ...jobCommandText.tag,
      icon: <Tag />,
      keys: ['T'],
      run: () => useShell.getState().set({ tagDialogKeys: [job.key] }),
    },
    ...(hasNews(job)
      ? [
          {
            id: 'job.seen',
            group: 'job' as const,
            ...jobCommandText.markAsSeen,
            icon: <CheckCheck />,
            run: () => void markAllSeen([job.key]),
          },
        ]
      : []),
  ];
}

function compareCommands(job: Job): Command[] {
  return [
    {
      id: 'job.same-input',
      group: 'job',
      ...jobCommandText.sameInput,
      icon: <CopyCheck />,
      ...refusalOf(isExternal(job) ? { isAllowed: false, reason: jobRefusalText.inputUnknown } : always),
      run: () => goToSameInput(job),
    },
    ...(job.attempt === 1 ? [] : [compareAttemptsCommand(job)]),
  ];
}

function compareAttemptsCommand(job: Job): Command {
  return {
    id: 'job.compare-attempts',
    group: 'job',
    ...jobCommandText.compareAttempts,
    icon: <Columns2 />,
    run: () => compareAttempts(job),
  };
}

/** Commands that copy from a job or open it in a window of its own. */
function outputCommands(job: Job, resubmit: Allowed): Command[] {
  const hasOutput = job.outputBytes > 0 || job.chunkCount > 0;
  return [
    {
      id: 'job.copy-output',
      group: 'job',
      ...jobCommandText.copyOutput,
      icon: <Copy />,
      keys: ['Ctrl', 'C'],
      ...refusalOf(hasOutput ? always : { isAllowed: false, reason: jobRefusalText.noOutput }),
      run: () => void copyOutput(job.key, attemptInView(job.key)),
    },
    {
      id: 'job.copy-id',
      group: 'job',
      ...jobCommandText.copyId,
      icon: <Hash />,
      ...refusalOf(job.jobId === null ? { isAllowed: false, reason: jobRefusalText.noId } : always),
      run: () => void copyId(job),
    },
    {
      id: 'job.copy-link',
      group: 'job',
      ...jobCommandText.copyLink,
      icon: <Link />,
      run: () => void copyLink(job),
    },
    {
      id: 'job.copy-curl',
      group: 'job',
      ...jobCommandText.copyCurl,
      icon: <Terminal />,
      keys: ['Ctrl', 'Shift', 'C'],
      ...refusalOf(resubmit),
      run: () => void copyCurl(job.key),
    },
    {
      id: 'job.code',
      group: 'job',
      ...jobCommandText.requestCode,
      icon: <CodeXml />,
      ...refusalOf(resubmit),
      run: () => useCodeDialog.getState().open(job.key),
    },
    ...exportFormats.map(({ format, label, icon }): Command => ({
      id: `job.export-${format}`,
      group: 'job',
      label,
      hint: exportJobHints[format],
      icon,
      run: () => void exportJobs({ kind: 'jobs', keys: [job.key] }, format),
    })),
    {
      id: 'job.window',
      group: 'job',
      ...jobCommandText.openInOwnWindow,
      icon: <AppWindow />,
      keys: ['Shift', '↵'],
      only: 'main',
      run: () => callOrReport('window:openJob', { key: job.key }),
    },
    {
      id: 'job.main',
      group: 'job',
      ...jobCommandText.openInMainWindow,
      icon: <PanelLeft />,
      only: 'own',
      run: () => goToJob(job.key),
    },
  ];
}
