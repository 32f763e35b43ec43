import {
  CheckCheck,
  CircleStop,
  Columns2,
  Copy,
  Download,
  Gauge,
  ListFilter,
  Repeat2,
  RotateCcw,
  SquareX,
  Tag,
  TagX,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { canDelete, deleteJobs } from '../data/delete-jobs.ts';
import { addTokens } from '../data/parse-filter.ts';
import { untagJob } from '../data/own-changes.ts';
import { exportItems } from '../data/export-items.tsx';
import { inShownOrder } from '../jobs/visible-keys.ts';
import { hasNews, useJobs } from '../data/jobs-store.ts';
import { markAllSeen } from '../data/whole-list.ts';
import { formatCount } from '../design/format.ts';
import type { MenuEntry } from '../design/menu.tsx';
import { cancelMany, eligible, jobsOf, resubmitMany, retryMany } from '../jobs/row-actions.ts';
import { copyDataset } from '../job/actions.ts';
import { askJudgement } from '../navigation/judgement-request.ts';
import { canCompare, compareJobs } from '../navigation/go.ts';
import { useShell } from '../navigation/shell-store.ts';
import type { Command } from './command.ts';
import { jobCommands } from './job-commands.tsx';

/** Commands of a job's menu that are in a submenu. */
interface Folded {
  label: string;
  icon: ReactNode;
  ids: readonly string[];
}

/** The groups of a job's menu: ids of commands, in order. */
const groups: readonly (readonly (string | Folded)[])[] = [
  [
    'job.window',
    {
      label: 'Copy',
      icon: <Copy />,
      ids: ['job.copy-output', 'job.copy-id', 'job.copy-curl', 'job.code', 'job.copy-dataset'],
    },
    {
      label: 'Export',
      icon: <Download />,
      ids: ['job.export-report', 'job.export-ndjson', 'job.export-csv', 'job.export-dataset'],
    },
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
  return [...(tag === null ? [] : menuOfTag(job, tag)), ...menuOfJob(jobCommands(job, Date.now()))];
}

/** The commands for the tag under the pointer. */
function menuOfTag(job: Job, tag: string): readonly MenuEntry[] {
  const { query, setQuery } = useJobs.getState();
  return [
    {
      kind: 'item',
      label: `Filter by tag:${tag}`,
      icon: <ListFilter />,
      onSelect: () => setQuery({ ...query, tokens: addTokens(query.tokens, [{ field: 'tag', value: tag }]) }),
    },
    {
      kind: 'item',
      label: `Remove tag ${tag}`,
      icon: <TagX />,
      onSelect: () => void untagJob(job, tag),
    },
    { kind: 'separator' },
  ];
}

function menuOfJob(commands: readonly Command[]): readonly MenuEntry[] {
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
    .flatMap((group, index): MenuEntry[] => [...(index === 0 ? [] : [{ kind: 'separator' as const }]), ...group]);
}

function entryOf({ id, label, icon, keys, refusal, run }: Command): MenuEntry {
  const isDanger = id === 'job.delete';
  return { kind: 'item', label, icon, keys, isDanger, disabledReason: refusal, onSelect: run };
}

function menuOfPicked(jobs: readonly Job[]): readonly MenuEntry[] {
  const nowMs = Date.now();
  const [cancellable, retryable, resubmittable] = [
    eligible(jobs, 'cancel', nowMs),
    eligible(jobs, 'retry', nowMs),
    eligible(jobs, 'resubmit', nowMs),
  ];
  const unseen = jobs.filter(hasNews);
  const deletable = jobs.filter((job) => canDelete(job).isAllowed);
  const many = (
    label: string,
    those: readonly Job[],
    rest: { icon: ReactNode; keys: string[]; run: () => void; done: string },
  ) => ({
    kind: 'item' as const,
    label: those.length === jobs.length ? label : `${label} ${those.length}`,
    icon: rest.icon,
    keys: rest.keys,
    onSelect: rest.run,
    disabledReason: those.length === 0 ? `None of the selected jobs can be ${rest.done}` : undefined,
  });
  return [
    { kind: 'label', label: `${formatCount(jobs.length)} selected jobs` },
    many('Retry', retryable, {
      icon: <RotateCcw />,
      keys: ['R'],
      run: () => void retryMany(retryable),
      done: 'retried',
    }),
    many('Resubmit', resubmittable, {
      icon: <Repeat2 />,
      keys: ['Shift', 'E'],
      run: () => void resubmitMany(resubmittable),
      done: 'resubmitted',
    }),
    many('Cancel', cancellable, {
      icon: <CircleStop />,
      keys: ['.'],
      run: () =>
        cancellable.length > 1
          ? useShell.getState().set({ cancelAsked: cancellable.map((job) => job.key) })
          : void cancelMany(cancellable),
      done: 'cancelled',
    }),
    { kind: 'separator' },
    {
      kind: 'item',
      label: 'Compare',
      icon: <Columns2 />,
      keys: ['C'],
      onSelect: () => compareJobs(jobs.map((job) => job.key)),
      disabledReason: canCompare(jobs.length) ? undefined : 'Select two to four jobs to compare',
    },
    {
      kind: 'item',
      label: 'Mark and label',
      icon: <Gauge />,
      keys: ['M'],
      onSelect: () => askJudgement(jobs, 'mark'),
    },
    {
      kind: 'item',
      label: 'Tag',
      icon: <Tag />,
      keys: ['T'],
      onSelect: () => useShell.getState().set({ tagAsked: jobs.map((job) => job.key) }),
    },
    many('Mark as seen', unseen, {
      icon: <CheckCheck />,
      keys: [],
      run: () => void markAllSeen(unseen.map(({ key }) => key)),
      done: 'marked as seen',
    }),
    {
      kind: 'item',
      label: 'Copy as dataset',
      icon: <Copy />,
      onSelect: () => void copyDataset(jobs.map((job) => job.key)),
    },
    ...exportItems({ kind: 'jobs', keys: inShownOrder(jobs.map((job) => job.key)) }),
    many('Delete', deletable, {
      icon: <Trash2 />,
      keys: ['Del'],
      run: () => deleteJobs(deletable),
      done: 'deleted',
    }),
    { kind: 'separator' },
    {
      kind: 'item',
      label: 'Clear selection',
      icon: <SquareX />,
      keys: ['Esc'],
      onSelect: () => useJobs.getState().clearPicked(),
    },
  ];
}
