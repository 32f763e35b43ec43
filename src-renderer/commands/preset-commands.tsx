import { FilePlus2 } from 'lucide-react';
import { endpointName, type Endpoint } from '../../src-preload/connection.ts';
import type { Preset } from '../../src-preload/settings.ts';
import { openWithPreset } from '../composer/presets/preset-actions.ts';
import { useJobs } from '../data/jobs-store.ts';
import { currentConnection, useSession } from '../data/session-store.ts';
import { presetCommandText } from '../messages/commands/palette.ts';
import type { Command } from './command.ts';

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
