import { vi } from 'vitest';
import type { Connection } from '../../../../src-preload/connection.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import type { Command } from '../../../../src-renderer/commands/command.ts';
import { queries } from '../../../../src-renderer/data/calls.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { emptyQuery } from '../../../../src-renderer/data/parse-filter.ts';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { jobsPane, useShell } from '../../../../src-renderer/navigation/shell-store.ts';
import { aConnection } from '../../../kit/a-connection.ts';

const connection: Connection = aConnection({
  endpoints: [
    { id: 'text', label: '', flavour: 'text' },
    { id: 'image', label: 'Studio', flavour: 'image' },
    { id: 'image2', label: '', flavour: 'image' },
  ],
});

/** A window with one connection that shows the list of all its jobs, with nothing selected. */
export function plainWindow(): void {
  useJobs.getState().clearPicked();
  useJobs.setState({ place: { view: 'all', endpointId: null }, query: emptyQuery, selectedKey: null });
  useSession.setState({ connections: [connection], settings: settingsDefaults });
  useShell.setState({ pane: jobsPane, cancelDialogKeys: null, tagDialogKeys: null });
  useToasts.setState({ items: [] });
  queries.clear();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
}

/** The labels, in order. */
export function labelsOf(commands: readonly Command[]): string[] {
  return commands.map(({ label }) => label);
}

/** The command with this label, which must be there. */
export function commandNamed(commands: readonly Command[], label: string): Command {
  const found = commands.find((command) => command.label === label);
  if (found === undefined) throw new Error(`No “${label}” among ${labelsOf(commands).join(', ')}`);
  return found;
}
