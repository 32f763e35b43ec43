import { markJobs } from '../data/own-changes.ts';
import { markOfKey, type PressedKey } from './chord.ts';
import { runByKeys } from './keyboard.ts';
import { runCommands } from './run-commands.tsx';
import type { CommandScope } from './scope.ts';
import { engineNow } from '../data/engine-time.ts';

/** The keys of a window that has no list: those of the commands for what it shows, and of Jobdeck itself. */
export function handleSecondaryWindowKey(scope: CommandScope, chord: string, event: PressedKey): boolean {
  const job = scope.openJob();
  const mark = markOfKey(event);
  if (mark !== null && job !== null) {
    void markJobs([job], mark);
    return true;
  }
  const shown = scope.sections(job, engineNow()).flatMap(({ commands }) => commands);
  return runByKeys([...shown, ...runCommands(scope.connection())], chord === 'Delete' ? 'Del' : chord);
}
