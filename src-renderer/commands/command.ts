import type { ReactNode } from 'react';
import type { Allowed } from '../../src-preload/job-actions.ts';
import { isMainWindow } from '../navigation/route.ts';

type CommandGroup = 'job' | 'go' | 'run';

/** An action of the user. Keys, palette and menus are made from the same list of commands. */
export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
  /** A short explanation beside the label. */
  hint?: string;
  /** Other words to find it by. They are not shown. */
  keywords?: readonly string[];
  icon: ReactNode;
  /** One chord (`['Ctrl', 'K']`), or two keys in a row (`['G', 'A']`, marked by `isSequence`). */
  keys?: readonly string[];
  isSequence?: boolean;
  /** A part of the window handles the keys itself, for example where text is edited. They are only shown here. */
  areKeysOfPart?: boolean;
  /** The only windows that have it: the main one, for what acts on its list and panes, or all others. */
  only?: 'main' | 'own';
  /** Why it is not available now: the palette shows it dimmed with this reason, and its keys do nothing. */
  refusal?: string;
  run: () => void;
}

/** The commands that this window has. */
export function commandsHere(commands: readonly Command[]): Command[] {
  const other = isMainWindow() ? 'own' : 'main';
  return commands.filter(({ only }) => only !== other);
}

/** Whether a chord as of `chordOf` is that of a command. Two keys in a row are none. */
export function hasChord({ keys, isSequence, areKeysOfPart }: Command, chord: string): boolean {
  return isSequence !== true && areKeysOfPart !== true && keys?.join('+') === chord;
}

export const always: Allowed = { isAllowed: true, reason: '' };

/** The `refusal` of a command: none if it is allowed, otherwise the reason. */
export function refusalOf(allowed: Allowed): { refusal?: string } {
  return allowed.isAllowed ? {} : { refusal: allowed.reason };
}
