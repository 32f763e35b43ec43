import { FilePlus2, Settings2, Columns2 } from 'lucide-react';
import { endpointName, type Endpoint } from '../../src-preload/connection.ts';
import type { Preset } from '../../src-preload/settings.ts';
import { openWithPreset } from '../composer/presets/preset-actions.ts';
import { useJobs } from '../data/jobs-store.ts';
import { currentConnection, useSession } from '../data/session-store.ts';
import { presetCommandText, pickedCommandText, paletteText } from '../messages/commands/palette.ts';
import type { Command } from './command.ts';
import { settingsSearchText } from '../messages/settings/search.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { settingPlaces } from '../settings/find-settings.ts';
import { jobsOf } from '../jobs/row-actions.ts';
import { pickedText } from '../messages/commands/job.ts';
import { useShell } from '../navigation/shell-store.ts';
import { pickedActions, type PickedAction } from './picked-actions.tsx';
import { offeredActions } from '../navigation/pane-actions.ts';
import { listCommands } from './list-commands.tsx';
import { openJob } from './main-keys.ts';
import { commandsOfJob, noSheet, type CommandScope } from './scope.ts';

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

/** A new job from each preset that the current connection has an endpoint for. */
export function presetCommands(): Command[] {
  const connection = currentConnection(useSession.getState());
  if (connection === null) return [];
  return useSession.getState().settings.presets.flatMap((preset): Command[] => {
    const endpoint = endpointFor(preset, connection.id, connection.endpoints);
    if (endpoint === null) return [];
    return [
      {
        id: `run.preset.${preset.id}`,
        group: 'run',
        ...presetCommandText.newJob(preset.name),
        hint: endpointName(endpoint),
        icon: <FilePlus2 />,
        run: () => void openWithPreset(preset, endpoint.id),
      },
    ];
  });
}

/** The endpoint of a preset; for one of a kind, the endpoint in view if it is of that kind, or else the first. */
function endpointFor(preset: Preset, connectionId: string, endpoints: readonly Endpoint[]): Endpoint | null {
  const { flavour } = preset;
  if (flavour === null)
    return (preset.connectionId === connectionId && endpoints.find(({ id }) => id === preset.endpointId)) || null;
  const ofKind = endpoints.filter((endpoint) => endpoint.flavour === flavour);
  const { endpointId } = useJobs.getState().place;
  return ofKind.find(({ id }) => id === endpointId) ?? ofKind[0] ?? null;
}

/** Every setting, on its page. */
export function settingCommands(): Command[] {
  return settingPlaces.map(({ section, page, name, words }) => ({
    id: `setting.${section}.${name}`,
    group: 'go',
    label: settingsSearchText.command(name),
    hint: page,
    keywords: [words],
    icon: <Settings2 />,
    run: () => useSettingsDialog.getState().openSetting(section, name),
  }));
}

/** The scope of the main window: its list, the selected jobs and the open one. */
export const mainScope: CommandScope = {
  ...noSheet,
  openJob,
  connection: () => currentConnection(useSession.getState()),
  sections: (job, nowMs) => [
    { title: paletteText.selectedJobs, commands: pickedCommands(nowMs) },
    ...(job === null ? [] : [{ title: null, commands: commandsOfJob(job, nowMs) }]),
    { title: paletteText.thisList, commands: listCommands() },
    ...offeredActions().map(({ title, actions }) => ({
      title,
      commands: actions.map(({ refusal, ...action }): Command => ({
        ...action,
        group: 'go',
        areKeysOfPart: true,
        ...(refusal !== undefined && { refusal }),
      })),
    })),
  ],
};
