import type { Job } from '../../src-preload/job.ts';
import type { MenuEntry } from '../design/menu.tsx';
import { exportsOfJob, groupedMenu, type MenuGroups } from './menu-groups.tsx';
import { commandsOfJob } from './scope.ts';

/** The menu beside a job's buttons. What has a button is not repeated. */
const besideButtons: MenuGroups = [
  ['job.copy-output', 'job.copy-id', 'job.copy-link', 'job.copy-curl', 'job.code', 'job.copy-dataset'],
  ['job.resubmit', 'job.check', 'job.stop-waiting', 'job.extend'],
  ['job.main', 'job.same-input', 'job.compare-attempts', 'job.worker', 'job.log', 'job.console'],
  ['job.rename', 'job.judge', 'job.note', 'job.tag', exportsOfJob],
  ['job.delete'],
];

/** The menu beside the buttons of a job, in the pane and in a window of its own. */
export function jobMenu(job: Job, nowMs: number): readonly MenuEntry[] {
  return groupedMenu(commandsOfJob(job, nowMs), besideButtons);
}
