import { Columns2 } from 'lucide-react';
import { useJobs } from '../data/jobs-store.ts';
import { jobsOf } from '../jobs/row-actions.ts';
import { pickedText } from '../messages/commands/job.ts';
import { pickedCommandText } from '../messages/commands/palette.ts';
import { useShell } from '../navigation/shell-store.ts';
import type { Command } from './command.ts';
import { pickedActions, type PickedAction } from './picked-actions.tsx';

/** Found while nothing is selected, so that one learns how jobs are compared. */
const compareNone: Command = {
  id: 'picked.compare',
  group: 'job',
  ...pickedCommandText.compareNone,
  icon: <Columns2 />,
  refusal: pickedCommandText.selectFirst,
  run: () => {},
};

/** The commands for the selected jobs, each with the number of jobs it applies to. Only while the list is on screen. */
export function pickedCommands(nowMs: number): Command[] {
  const { list, pickedKeys } = useJobs.getState();
  const jobs = useShell.getState().pane.kind === 'jobs' ? jobsOf(list, pickedKeys) : [];
  if (jobs.length === 0) return [compareNone];
  const { service, own } = pickedActions(jobs, nowMs);
  return [...service, ...own]
    .filter(({ id, refusal }) => refusal === undefined || id === compareNone.id)
    .map((action) => commandOf(action, jobs.length));
}

function commandOf({ label, commandLabel, count, ...action }: PickedAction, selected: number): Command {
  return {
    ...action,
    group: 'job',
    label: commandLabel ?? pickedText.forSelected(label, count),
    hint: count === selected ? '' : pickedCommandText.ofSelected(selected),
  };
}
