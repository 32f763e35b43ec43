import { Copy, ListFilter, SquareX, TagX } from 'lucide-react';
import type { Job } from '../../src-preload/job.ts';
import { addTokens } from '../data/parse-filter.ts';
import { untagJob } from '../data/own-changes.ts';
import { useJobs } from '../data/jobs-store.ts';
import type { MenuEntry } from '../design/menu.tsx';
import { jobsOf } from '../jobs/row-actions.ts';
import { pickedText, rowMenuText } from '../messages/commands/job.ts';
import { jobCommands } from './job-commands.tsx';
import { exportsOfJob, groupedMenu, type MenuGroups } from './menu-groups.tsx';
import { pickedActions, type PickedAction } from './picked-actions.tsx';
import { engineNow } from '../data/engine-time.ts';

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
