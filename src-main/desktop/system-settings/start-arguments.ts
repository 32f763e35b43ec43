import { linkIn } from '../links/links.ts';

/** The argument of a start without a window: Jobdeck starts in the tray. */
export const hiddenArgument = '--hidden';

export interface RestartFacts {
  /** The command line of this process: the program first. */
  argv: readonly string[];
  /** The file of an AppImage. */
  appImage: string | undefined;
  /** Whether the user sees a window of Jobdeck. */
  isShown: boolean;
}

/**
 * With what Jobdeck is started again. It shows a window then if it shows one now, whatever it was started with, and
 * does not follow again the link that it was started by. An AppImage is started by its own file, because the directory
 * it is mounted at goes away. Pure.
 */
export function restartOptions({ argv, appImage, isShown }: RestartFacts): { args: string[]; execPath?: string } {
  const link = linkIn(argv);
  const given = argv.slice(1).filter((argument) => argument !== hiddenArgument && argument !== link);
  return {
    args: isShown ? given : [...given, hiddenArgument],
    ...(appImage === undefined ? {} : { execPath: appImage }),
  };
}
