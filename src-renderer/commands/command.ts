import type { ReactNode } from 'react';
import type { Allowed } from '../../src-preload/job.ts';

type CommandGroup = 'job' | 'go' | 'run';

/** Something the user can do by key, palette or menu. One list feeds all three. */
export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
  /** Small explanation beside the label. */
  hint?: string;
  /** Other words that a person may look for; never shown. */
  keywords?: readonly string[];
  icon: ReactNode;
  /** One chord (`['Ctrl', 'K']`), or two keys in a row (`['G', 'A']`, marked by `isSequence`). */
  keys?: readonly string[];
  isSequence?: boolean;
  /** Why it cannot be done now: the palette shows it dimmed with this reason, and its keys do nothing. */
  refusal?: string;
  run: () => void;
}

export const always: Allowed = { isAllowed: true, reason: '' };

/** As a command tells it: nothing where it is allowed, else why not. */
export function refusalOf(allowed: Allowed): { refusal?: string } {
  return allowed.isAllowed ? {} : { refusal: allowed.reason };
}
