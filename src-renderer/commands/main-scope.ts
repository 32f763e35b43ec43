import { currentConnection, useSession } from '../data/session-store.ts';
import { paletteText } from '../messages/commands/palette.ts';
import { offeredActions } from '../navigation/pane-actions.ts';
import type { Command } from './command.ts';
import { listCommands } from './list-commands.tsx';
import { openJob } from './main-keys.ts';
import { pickedCommands } from './palette-commands.tsx';
import { commandsOfJob, noSheet, type CommandScope } from './scope.ts';

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
