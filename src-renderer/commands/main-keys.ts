import { jobsOf } from '../jobs/row-actions.ts';
import { deleteJobs } from '../data/delete-jobs.ts';
import { useJobs } from '../data/jobs-store.ts';
import { isAllLoadedPicked, moveFocus, pickShown } from '../jobs/visible-keys.ts';
import { pickAllMatching } from '../data/whole-list.ts';
import { jobCommands } from './job-commands.tsx';
import { runByKeys, markOfKey, type PressedKey } from './keyboard.ts';
import { pickedActions } from './picked-actions.tsx';
import { runCommands } from './run-commands.tsx';
import type { Job } from '../../src-preload/job.ts';
import { badMark, goodMark, type Mark } from '../../src-preload/judgement.ts';
import { markJobs, starJobs } from '../data/own-changes.ts';
import { toast } from '../design/toast.tsx';
import { askJudgement } from '../navigation/open-requests.ts';
import { useShell } from '../navigation/shell-store.ts';
import { engineNow } from '../data/engine-time.ts';
import { keptAnswer } from '../data/calls.ts';
import { useDeletedJobs } from '../data/pending-deletions.ts';

/** The job that is open beside the list of the main window, even if the list does not have it. Null: none. */
export function openJob(): Job | null {
  const { selectedKey, list, isDetailOpen } = useJobs.getState();
  if (selectedKey === null || !isDetailOpen || useShell.getState().pane.kind !== 'jobs') return null;
  // It was opened by its key in the time to undo its deletion.
  if (useDeletedJobs.getState().has(selectedKey)) return null;
  return list.get(selectedKey) ?? keptAnswer('job:get', { key: selectedKey })?.job ?? null;
}

/** What is read of a key press besides its chord. */
type KeyPress = PressedKey & Pick<Event, 'composedPath'>;

/** The keys of the main window: those of its list and its job, and of Jobdeck itself. */
export function handleMainKey(chord: string, event: KeyPress): boolean {
  // The list is not on screen, and no key may change a job that the user cannot see.
  if (useShell.getState().pane.kind !== 'jobs') return runGeneral(chord);
  const jobs = useJobs.getState();
  const mark = markOfKey(event);
  if (mark !== null) return markInList(mark);
  switch (chord) {
    case 'J':
      return moveFocus(1);
    case 'K':
      return moveFocus(-1);
    case 'ArrowDown':
      return isInList(event) && moveFocus(1);
    case 'ArrowUp':
      return isInList(event) && moveFocus(-1);
    case 'Shift+ArrowDown':
      return extendBy(1, event);
    case 'Shift+ArrowUp':
      return extendBy(-1, event);
    case 'Shift+PageDown':
      return extendBy(10, event);
    case 'Shift+PageUp':
      return extendBy(-10, event);
    case 'Shift+Home':
      return extendBy(-Infinity, event);
    case 'Shift+End':
      return extendBy(Infinity, event);
    case 'PageDown':
      return isInList(event) && moveFocus(10);
    case 'PageUp':
      return isInList(event) && moveFocus(-10);
    case 'Home':
      return isInList(event) && moveFocus(-Infinity);
    case 'End':
      return isInList(event) && moveFocus(Infinity);
    case 'Delete':
    case 'Backspace':
      return isInList(event) && runByChord('Del');
    case 'Ctrl+A':
      // The keys act on jobs, not on text of the page.
      if (!isInList(event)) return false;
      // If all loaded rows are selected already, it also selects those that are not loaded.
      if (jobs.hasMore && isAllLoadedPicked()) void pickAllMatching();
      else pickShown();
      return true;
    case '↵':
      if (!isInList(event) || jobs.selectedKey === null) return false;
      jobs.select(jobs.selectedKey);
      return true;
    case 'Escape':
      if (jobs.pickedKeys.size > 0) jobs.clearPicked();
      else if (jobs.isDetailOpen) jobs.closeDetail();
      else return false;
      return true;
    default:
      return runByChord(chord);
  }
}

/** Arrows and Enter belong to the list if the list has the focus, or nothing else has it. */
function isInList(event: KeyPress): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && (target.matches('body, main') || target.closest('[data-job-list]') !== null);
}

/** Selects rows up to `step` rows further. Without the focus in the list, the same keys first extend selected text. */
function extendBy(step: number, event: KeyPress): boolean {
  const target = event.composedPath()[0];
  const isOnPage = target instanceof HTMLElement && target.matches('body, main');
  if (isOnPage && window.getSelection()?.isCollapsed === false) return false;
  return isInList(event) && moveFocus(step, true);
}

function runByChord(chord: string): boolean {
  if (useJobs.getState().pickedKeys.size > 0 && runForPicked(chord)) return true;
  if (runGeneral(chord)) return true;
  const job = focusedJob();
  return job !== null && runByKeys(jobCommands(job, engineNow()), chord);
}

/** The job of the focused row, or the open one if the list does not have it. */
function focusedJob(): Job | null {
  const { selectedKey, list } = useJobs.getState();
  return (selectedKey === null ? undefined : list.get(selectedKey)) ?? openJob();
}

function runGeneral(chord: string): boolean {
  return runByKeys(runCommands(), chord);
}

/** Marks the selected jobs, or else the focused one. */
function markInList(mark: Mark): boolean {
  const { pickedKeys, list } = useJobs.getState();
  const focused = focusedJob();
  const jobs = pickedKeys.size > 0 ? jobsOf(list, pickedKeys) : focused === null ? [] : [focused];
  if (jobs.length === 0) return false;
  void markJobs(jobs, mark);
  return true;
}

/** If several jobs are selected, the bulk bar's keys act on all of them. */
function runForPicked(chord: string): boolean {
  const { list, pickedKeys } = useJobs.getState();
  const jobs = jobsOf(list, pickedKeys);
  switch (chord) {
    case 'Del':
      // Even if none can be deleted: the reason is shown.
      void deleteJobs(jobs);
      return true;
    case '+':
      void markJobs(jobs, goodMark);
      return true;
    case '-':
      void markJobs(jobs, badMark);
      return true;
    case 'S':
      void starJobs(jobs, !jobs.every((job) => job.isStarred));
      return true;
    case 'L':
      askJudgement(jobs, 'label');
      return true;
    default:
      return runPickedAction(chord, jobs);
  }
}

/** Returns whether the chord belongs to an action on the selected jobs. If none of them allows it, it says why. */
function runPickedAction(chord: string, jobs: readonly Job[]): boolean {
  const { service, own } = pickedActions(jobs, engineNow());
  const action = [...service, ...own].find(({ keys }) => keys?.join('+') === chord);
  if (action?.refusal !== undefined) toast(action.refusal);
  else action?.run();
  return action !== undefined;
}
