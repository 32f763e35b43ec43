import type { Job } from '../../src-preload/job.ts';
import type { MenuEntry } from '../design/menu.tsx';
import type { Command } from './command.ts';
import { jobSection } from './scope.ts';

/** The groups of the menu beside a job's buttons: ids of commands, in order. What has a button is not repeated. */
const groups: readonly (readonly string[])[] = [
  ['job.copy-output', 'job.save-output', 'job.copy-id', 'job.copy-curl', 'job.code'],
  ['job.resubmit', 'job.check', 'job.stop-waiting', 'job.extend'],
  ['job.main', 'job.same-input', 'job.compare-attempts', 'job.worker'],
  ['job.rename', 'job.judge', 'job.label', 'job.note', 'job.tag'],
  ['job.copy-dataset', 'job.export-report', 'job.export-ndjson', 'job.export-csv', 'job.export-dataset'],
  ['job.delete'],
];

/** The menu beside the buttons of a job, in the pane and in a window of its own. */
export function jobMenu(job: Job, nowMs: number): readonly MenuEntry[] {
  const { commands } = jobSection(job, nowMs);
  return separated(groups.map((ids) => entriesOf(commands, ids)));
}

/** The menu entries of some commands by their ids, in order. Ids that this window does not have are left out. */
export function entriesOf(commands: readonly Command[], ids: readonly string[]): MenuEntry[] {
  return ids.flatMap((id) => commands.filter((command) => command.id === id)).map(entryOf);
}

/** Groups of entries with a line between them. Empty groups are left out. */
export function separated(lists: readonly (readonly MenuEntry[])[]): readonly MenuEntry[] {
  return lists
    .filter((list) => list.length > 0)
    .flatMap((list, at): MenuEntry[] => [...(at === 0 ? [] : [{ kind: 'separator' as const }]), ...list]);
}

function entryOf({ id, label, icon, keys, refusal, run }: Command): MenuEntry {
  const isDanger = id === 'job.delete';
  return { kind: 'item', label, icon, keys, isDanger, disabledReason: refusal, onSelect: run };
}
