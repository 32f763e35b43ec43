import type { ReactNode } from 'react';
import type { Allowed } from '../../src-preload/job.ts';

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
  /** Why it is not available now: the palette shows it dimmed with this reason, and its keys do nothing. */
  refusal?: string;
  run: () => void;
}

export const always: Allowed = { isAllowed: true, reason: '' };

/** The `refusal` of a command: none if it is allowed, otherwise the reason. */
export function refusalOf(allowed: Allowed): { refusal?: string } {
  return allowed.isAllowed ? {} : { refusal: allowed.reason };
}
