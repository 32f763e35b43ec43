import { useEffect } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { openComposer } from '../navigation/composer-request.ts';
import { badMark, goodMark } from '../../src-preload/judgement.ts';
import { deleteJobs } from '../data/delete-jobs.ts';
import { markJobs, starJobs } from '../data/own-changes.ts';
import { allowedNow, hereOf } from '../data/allowed-here.ts';
import { useSession } from '../data/session-store.ts';
import { isCovered, isTyping } from '../design/key-target.ts';
import { hasCommandKey } from '../design/platform.ts';
import { rowActions } from './action-row.ts';
import { cancelJob, copyCurl, copyOutput, resubmitUnchanged } from './actions.ts';
import { askJudgement } from '../navigation/judgement-request.ts';
import { useShell } from '../navigation/shell-store.ts';
import { markOfKey } from './mark-key.ts';
import { runAction } from './job-actions.tsx';
import { paneTabs, usePaneState } from './pane-state.ts';

/**
 * The pane's keys (design language: Keyboard). Tabs and follow work in every pane. The actions on the job work only in
 * a window of its own, because in the main window they are keys of the focused row.
 */
export function usePaneKeys(job: Job | null, attempt: number | null, layout: 'pane' | 'window'): void {
  useEffect(() => {
    if (job === null) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || isCovered()) return;
      const mark = markOfKey(event);
      if (mark !== null && layout === 'window' && !isTyping(event)) {
        void markJobs([job], mark);
        event.preventDefault();
      }
      if (event.altKey) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const isHandled = hasCommandKey(event)
        ? layout === 'window' && withCommand(key, event, job, attempt)
        : !isTyping(event) && (inPane(key, event, job) || (layout === 'window' && inWindow(key, event, job)));
      if (isHandled) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [job, attempt, layout]);
}

function inPane(key: string, event: KeyboardEvent, job: Job): boolean {
  if (event.shiftKey) return false;
  const pane = usePaneState.getState();
  if (key === 'f') {
    pane.setFollowing(job.key, !(pane.following[job.key] ?? true));
    return true;
  }
  const tab = /^[1-9]$/.test(key) ? paneTabs[Number(key) - 1] : undefined;
  if (tab !== undefined) pane.setTab(tab);
  return tab !== undefined;
}

function inWindow(key: string, event: KeyboardEvent, job: Job): boolean {
  switch (key) {
    case '.': {
      const cancel = rowActions(job, Date.now(), hereOf(useSession.getState())).find(
        (action) => action.id === 'cancel',
      );
      if (cancel?.reason === '') void cancelJob(job.key);
      return true;
    }
    case 'r': {
      const again = rowActions(job, Date.now(), hereOf(useSession.getState())).find(
        (action) => action.keys?.[0] === 'R',
      );
      if (again?.reason === '') runAction(again.id, job.key);
      return true;
    }
    case 'e':
      if (event.shiftKey) {
        if (allowedNow(job, Date.now()).resubmit.isAllowed) void resubmitUnchanged(job.key);
      } else if (allowedNow(job, Date.now()).edit.isAllowed) openComposer({ jobKey: job.key });
      return true;
    case 's':
      void starJobs([job], !job.isStarred);
      return true;
    case '+':
      void markJobs([job], goodMark);
      return true;
    case '-':
      void markJobs([job], badMark);
      return true;
    case 'm':
    case 'l':
      askJudgement([job], key === 'm' ? 'mark' : 'label');
      return true;
    case 't':
      useShell.getState().set({ tagAsked: [job.key] });
      return true;
    case 'Delete':
      deleteJobs([job]);
      return true;
    default:
      return false;
  }
}

function withCommand(key: string, event: KeyboardEvent, job: Job, attempt: number | null): boolean {
  if (key !== 'c' || isTyping(event)) return false;
  if (event.shiftKey) {
    if (allowedNow(job, Date.now()).resubmit.isAllowed) void copyCurl(job.key);
    return true;
  }
  // If text is selected on the page, Ctrl C copies that.
  if (window.getSelection()?.isCollapsed === false) return false;
  void copyOutput(job.key, attempt);
  return true;
}
