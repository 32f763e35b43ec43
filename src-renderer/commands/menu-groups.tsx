import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MenuEntry } from '../design/menu.tsx';
import { rowMenuText } from '../messages/commands/job.ts';
import type { Command } from './command.ts';

/** Commands of a menu that are in a submenu. */
interface Folded {
  label: string;
  icon: ReactNode;
  ids: readonly string[];
}

/** The groups of a menu: ids of commands, in order. */
export type MenuGroups = readonly (readonly (string | Folded)[])[];

/** The exports of a job, in every menu for it. */
export const exportsOfJob: Folded = {
  label: rowMenuText.export,
  icon: <Download />,
  ids: ['job.export-report', 'job.export-ndjson', 'job.export-csv', 'job.export-dataset'],
};

/** A menu of commands in groups. Commands that this window does not have are left out. */
export function groupedMenu(commands: readonly Command[], groups: MenuGroups): readonly MenuEntry[] {
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
