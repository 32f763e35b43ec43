import { Download, Copy, ListFilter, SquareX, TagX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MenuEntry } from '../design/menu/menu.tsx';
import { rowMenuText, pickedText } from '../messages/commands/job.ts';
import type { Command } from './command.ts';
import type { Job } from '../../src-preload/job.ts';
import { commandsOfJob } from './scope.ts';
import { exportFormats } from '../data/export-items.tsx';
import { addTokens } from '../data/parse-filter.ts';
import { untagJob } from '../data/own-changes.ts';
import { useJobs } from '../data/jobs-store.ts';
import { jobsOf } from '../jobs/row-actions.ts';
import { jobCommands } from './job-commands.tsx';
import { pickedActions, type PickedAction } from './picked-actions.tsx';
import { engineNow } from '../data/engine-time.ts';

/** Commands of a menu that are in a submenu. */
interface Folded {
  label: string;
  icon: ReactNode;
  ids: readonly string[];
}

/** The groups of a menu: ids of commands, in order. */
type MenuGroups = readonly (readonly (string | Folded)[])[];

/** The exports of a job, in every menu for it. */
const exportsOfJob: Folded = {
  label: rowMenuText.export,
  icon: <Download />,
  ids: exportFormats.map(({ format }) => `job.export-${format}`),
};

/** A menu of commands in groups. Commands that this window does not have are left out. */
function groupedMenu(commands: readonly Command[], groups: MenuGroups): readonly MenuEntry[] {
  const entriesOf = (ids: readonly string[]): MenuEntry[] =>
    ids.flatMap((id) => commands.filter((command) => command.id === id)).map(entryOf);
  return groups
    .map((group) =>
      group.flatMap((part): MenuEntry[] =>
        typeof part === 'string'
          ? entriesOf([part])
          : [{ kind: 'submenu', label: part.label, icon: part.icon, items: entriesOf(part.ids) }],
      ),
    )
    .filter((group) => group.length > 0)
    .flatMap((group, at): MenuEntry[] => [...(at === 0 ? [] : [{ kind: 'separator' as const }]), ...group]);
}

function entryOf({ id, label, icon, keys, refusal, run }: Command): MenuEntry {
  const isDanger = id === 'job.delete';
  return { kind: 'item', label, icon, keys, isDanger, disabledReason: refusal, onSelect: run };
}

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

/** The menu of a job's row. */
const groups: MenuGroups = [
  [
    'job.window',
    {
      label: rowMenuText.copy,
      icon: <Copy />,
      ids: ['job.copy-output', 'job.copy-id', 'job.copy-link', 'job.copy-curl', 'job.code', 'job.copy-dataset'],
    },
    exportsOfJob,
  ],
  ['job.retry', 'job.resubmit', 'job.edit', 'job.cancel', 'job.check', 'job.stop-waiting'],
  ['job.same-input', 'job.compare-attempts'],
  ['job.good', 'job.bad', 'job.judge', 'job.label', 'job.note'],
  ['job.rename', 'job.star', 'job.tag', 'job.seen', 'job.pick'],
  ['job.delete'],
];

/**
 * The menu of a row: the commands for its job and for the tag under the pointer, or those for all selected jobs if it
 * is one of them. Empty for a key that is not in the list.
 */
export function rowMenu(key: string, tag: string | null): readonly MenuEntry[] {
  const { list, pickedKeys } = useJobs.getState();
  if (pickedKeys.has(key) && pickedKeys.size > 1) return menuOfPicked(jobsOf(list, pickedKeys));
  const job = list.get(key);
  if (job === undefined) return [];
  return [...(tag === null ? [] : menuOfTag(job, tag)), ...groupedMenu(jobCommands(job, engineNow()), groups)];
}

/** The commands for the tag under the pointer. */
function menuOfTag(job: Job, tag: string): readonly MenuEntry[] {
  const { query, setQuery } = useJobs.getState();
  return [
    {
      kind: 'item',
      label: rowMenuText.filterByTag(tag),
      icon: <ListFilter />,
      onSelect: () => setQuery({ ...query, tokens: addTokens(query.tokens, [{ field: 'tag', value: tag }]) }),
    },
    {
      kind: 'item',
      label: rowMenuText.removeTag(tag),
      icon: <TagX />,
      onSelect: () => void untagJob(job, tag),
    },
    { kind: 'separator' },
  ];
}

function menuOfPicked(jobs: readonly Job[]): readonly MenuEntry[] {
  const { service, own } = pickedActions(jobs, engineNow());
  const entryOfPicked = ({ label, count, icon, keys, refusal, run }: PickedAction): MenuEntry => ({
    kind: 'item',
    label: count === jobs.length ? label : pickedText.forSome(label, count),
    icon,
    keys,
    onSelect: run,
    disabledReason: refusal,
  });
  return [
    { kind: 'label', label: rowMenuText.selectedJobs(jobs.length) },
    ...service.map(entryOfPicked),
    { kind: 'separator' },
    ...own.map(entryOfPicked),
    { kind: 'separator' },
    {
      kind: 'item',
      label: rowMenuText.clearSelection,
      icon: <SquareX />,
      keys: ['Esc'],
      onSelect: () => useJobs.getState().clearPicked(),
    },
  ];
}
