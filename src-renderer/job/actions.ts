import { Copy, Link, RefreshCw } from 'lucide-react';
import { createElement } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { jobLink } from '../../src-preload/job-link.ts';
import type { Failure } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { toast } from '../design/toast.tsx';
import { keptAnswer } from '../data/calls.ts';
import { showCancelledToast, undoOf } from '../data/undo-cancel.ts';
import { useJobs } from '../data/jobs-store.ts';
import { commonText } from '../messages/common.ts';
import { datasetText, jobActionDone, jobActionFailed } from '../messages/job/actions.ts';
import { endPress, isSamePress } from '../data/same-press.ts';
import { once, showFailure, succeeded, type ActionFailure } from './action-store.ts';
import { openNewJob } from '../navigation/pane-tab.ts';
import { isMainWindow } from '../navigation/route.ts';
import { useShell } from '../navigation/shell-store.ts';

/**
 * Requests a cancel, or removes an unsent job from the outbox. A refusal is shown with the job, as it came (ruling 15).
 */
export function cancelJob(key: string): Promise<void> {
  endPress();
  return once(key, 'cancel', async () => {
    const before = useJobs.getState().list.get(key) ?? keptAnswer('job:get', { key })?.job;
    const result = await call('job:cancel', { key });
    if (!succeeded(key, jobActionFailed.cancel, result)) return;
    const cancelled = { before, after: result.value };
    const undo = undoOf(cancelled);
    if (undo !== null)
      showCancelledToast(undo === 'job:retry' ? jobActionDone.retryWithdrawn : jobActionDone.notSent, [cancelled]);
  });
}

/** Tracks the job that a submission without a reply probably became. */
export function confirmSubmission(key: string): Promise<void> {
  return once(key, 'confirm', async () => {
    succeeded(key, jobActionFailed.track, await call('job:confirmSubmission', { key }));
  });
}

/** Requeues a failed or timed-out job: same id, a new attempt (spec: Queue operations, retry). */
export async function retryJob(key: string): Promise<void> {
  if (isSamePress(key)) return;
  await once(key, 'retry', async () => {
    succeeded(key, jobActionFailed.retry, await call('job:retry', { key }));
  });
}

/** Submits the saved input again as a new job. Where the first one is open, the new one takes its place. */
export async function resubmitUnchanged(key: string): Promise<void> {
  if (isSamePress(key)) return;
  await once(key, 'resubmit', async () => {
    const result = await call('job:resubmit', { key });
    if (!succeeded(key, jobActionFailed.resubmit, result)) return;
    const made = result.value;
    if (isOpenHere(key)) {
      openNewJob(made.key);
      return;
    }
    toast(jobActionDone.resubmitted, {
      glyph: createElement(StatusGlyph, { kind: 'to-send', size: 16 }),
      action: { label: commonText.show, onSelect: () => showJob(made.key) },
    });
  });
}

function isOpenHere(key: string): boolean {
  const { selectedKey, isDetailOpen } = useJobs.getState();
  return isMainWindow() && useShell.getState().pane.kind === 'jobs' && isDetailOpen && selectedKey === key;
}

/** Copies a job's id at the service. */
export function copyId({ key, jobId }: Job): Promise<void> {
  return once(key, 'copy', async () => {
    if (succeeded(key, jobActionFailed.copyId, await call('app:copyText', { text: jobId ?? '' })))
      toast(jobActionDone.idCopied, { glyph: createElement(Copy, { size: 16 }) });
  });
}

/** Copies a link that opens a job in Jobdeck. */
export function copyLink(job: Job): Promise<void> {
  return once(job.key, 'copy', async () => {
    if (succeeded(job.key, jobActionFailed.copyLink, await call('app:copyText', { text: jobLink(job) })))
      toast(jobActionDone.linkCopied, { glyph: createElement(Link, { size: 16 }) });
  });
}

/** Copies a curl command that would submit the job again. The key is written as $JOBDECK_KEY. */
export function copyCurl(key: string): Promise<void> {
  return once(key, 'curl', async () => {
    const result = await call('job:curl', { key });
    if (!succeeded(key, jobActionFailed.copyCommand, result)) return;
    if (succeeded(key, jobActionFailed.copyCommand, await call('app:copyText', { text: result.value.command })))
      toast(jobActionDone.commandCopied, { glyph: createElement(Copy, { size: 16 }) });
  });
}

/** Copies a job's whole output: as the service sent it or, without one, the text of its chunks. */
export function copyOutput(key: string, attempt: number | null = null): Promise<void> {
  return once(key, 'copy', async () => {
    const copied = await call('app:copyOutput', { key, attempt });
    if (!succeeded(key, jobActionFailed.copyOutput, copied)) return;
    if (copied.value.isEmpty) toast(jobActionDone.nothingToCopy);
    else toast(jobActionDone.outputCopied, { glyph: createElement(Copy, { size: 16 }) });
  });
}

/** Copies jobs as lines of a dataset: input, output and what the user said of each. */
export async function copyDataset(keys: readonly string[]): Promise<void> {
  const dataset = await call('job:dataset', { keys: keys.slice(0, 1_000) });
  const copied = dataset.ok ? await call('app:copyText', { text: dataset.value.text }) : dataset;
  if (!copied.ok || !dataset.ok) {
    toast(datasetText.notCopied(copied.ok ? '' : copied.failure.message));
    return;
  }
  const { jobs } = dataset.value;
  toast(jobs < keys.length ? datasetText.firstCopied(jobs, keys.length) : datasetText.copied(jobs), {
    glyph: createElement(Copy, { size: 16 }),
  });
}

/**
 * Reads the status of this job immediately. A job that is gone is tracked again if the service knows it (ruling 34).
 */
export function checkNow({ key, phase }: Pick<Job, 'key' | 'phase'>): Promise<void> {
  return once(key, 'check', async () => {
    const result = await call('job:checkNow', { key });
    if (!result.ok && phase === 'gone') showFailure(key, checkedInVain(result.failure));
    else if (succeeded(key, jobActionFailed.check, result)) {
      toast(phase === 'gone' ? jobActionDone.knownAgain : jobActionDone.checking, {
        glyph: createElement(RefreshCw, { size: 16 }),
      });
    }
  });
}

/** What is shown after a gone job was checked: that it is still gone, or that the check failed. */
export function checkedInVain(failure: Failure): ActionFailure {
  const isStillGone = failure.kind === 'not-found' || ('isBeyondLimits' in failure && failure.isBeyondLimits);
  return isStillGone
    ? { title: jobActionFailed.stillGone, failure, tone: 'neutral' }
    : { title: jobActionFailed.check, failure };
}

/** Gives up the rest of an ended job's stream that could not be read. */
export function stopWaiting(key: string): Promise<void> {
  return once(key, 'stop-waiting', async () => {
    if (succeeded(key, jobActionFailed.stopWaiting, await call('job:stopWaiting', { key })))
      toast(jobActionDone.stoppedWaiting);
  });
}

/** Opens the job in a window of its own. */
export async function openInOwnWindow(key: string): Promise<void> {
  succeeded(key, jobActionFailed.openWindow, await call('window:openJob', { key }));
}

/** Shows a job in the list's pane or, from another window, in a window of its own. */
export function showJob(key: string): void {
  if (isMainWindow()) useJobs.getState().select(key);
  else void openInOwnWindow(key);
}
