import { formatCount, formatCountOf } from '../../../src-preload/format.ts';

/** The menu of the tray's icon. */
export const trayText = {
  job: (status: string, title: string): string => `${status}: ${title}`,
  more: (count: number): string => `and ${count} more`,
  open: 'Open Jobdeck',
  newJob: 'New job',
  resubmitLast: (title: string): string => `Resubmit last job: ${title}`,
  failedUnseen: (count: number): string => `Unseen failures: ${formatCount(count)}`,
  pause: 'Pause polling',
  resume: 'Resume polling',
  doNotDisturb: 'Do not disturb',
  connection: 'Connection',
  quit: 'Quit Jobdeck',
  couldNotResubmit: 'Could not resubmit the last job',
};

/** The counts in the tray. */
export const trayHeadlineText = {
  outcomeUnknown: (count: number): string => `${formatCount(count)} with an unknown outcome`,
  /**
   * `others`: the connections that have them, if the user could not know: `48 unseen failures (45 in Prod, 3 in
   * Sandbox)`.
   */
  failedUnseen: (count: number, others: readonly { name: string; count: number }[]): string => {
    const failures = formatCountOf(count, 'unseen failure');
    const [only] = others;
    if (only === undefined) return failures;
    if (others.length === 1) return `${failures} in ${only.name}`;
    if (others.length > maxNamed) return `${failures} in ${formatCount(others.length)} connections`;
    return `${failures} (${others.map((one) => `${formatCount(one.count)} in ${one.name}`).join(', ')})`;
  },
  nothingActive: 'Nothing active',
};

/** More connections are counted and not named. */
const maxNamed = 3;

/** What keeps Jobdeck from reading everything: the tooltip names it before the counts. */
export type TrayTrouble =
  | { kind: 'paused' }
  | { kind: 'offline' }
  /** `first`: the most important line; `others`: how many more there are. */
  | { kind: 'refused'; first: string; others: number };

/** The tooltip of the tray's icon. */
export function trayTooltip(headline: string, trouble: TrayTrouble | null): string {
  const counts = `${headline.charAt(0).toLowerCase()}${headline.slice(1)}`;
  return `Jobdeck: ${trouble === null ? '' : troubleText(trouble)}${counts}`;
}

function troubleText(trouble: TrayTrouble): string {
  switch (trouble.kind) {
    case 'paused':
      return 'polling paused, ';
    case 'offline':
      return 'offline, ';
    case 'refused': {
      const { first, others } = trouble;
      const line = `${first.charAt(0).toLowerCase()}${first.slice(1)}`;
      return `${line}${others === 0 ? '' : `, and ${others} more`}; `;
    }
  }
}

/** The menu of the application, apart from what the system names itself. */
export const appMenuText = {
  file: 'File',
  view: 'View',
  undoLast: 'Undo Last Change to Jobs',
  newJob: 'New job',
  open: 'Open Jobdeck',
  website: 'Jobdeck website',
  dataFolder: 'Show data folder',
};
