import { formatClock, formatCount, formatCountOf } from '../../../src-preload/format.ts';
import { commonText } from '../common.ts';
import { connectionMenuText } from './main-window.ts';

/** The popover beside the tray icon. */
export const trayText = {
  windowTitle: 'Jobdeck',
  active: 'Active',
  justFinished: 'Just finished',
  otherConnections: 'Other connections',
  /** `2 running, 45 unseen failures`. `active`: empty if no job is active. */
  there: (active: string, failedUnseen: number): string =>
    [
      ...(active === '' ? [] : [active]),
      ...(failedUnseen === 0 ? [] : [formatCountOf(failedUnseen, 'unseen failure')]),
    ].join(', '),
  shownOfToday: (shown: number, today: number): string => `${formatCount(shown)} of ${formatCount(today)} today`,
  couldNotRead: 'Could not read the jobs',
  emptyTitle: 'No jobs yet',
  emptyHint: 'Jobs appear here while they run, and when they end.',
  synced: (state: string, atMs: number): string => `${state}, synced ${formatClock(atMs)}`,
  noConnection: connectionMenuText.none,
  connection: 'Connection:',
  noIdleWorker: 'no idle worker',
  chunks: (count: number): string => formatCountOf(count, 'chunk'),
  newJob: commonText.newJob,
  pause: 'Pause',
  resume: 'Resume',
  doNotDisturb: 'Do not disturb',
  doNotDisturbIsOn: 'Do not disturb is on',
  open: 'Open Jobdeck',
};

/** The figures of the popover. */
export const trayFigureText = {
  running: 'running',
  queued: 'queued',
  unknown: 'unknown',
  finishedToday: 'finished today',
  failedUnseen: 'unseen failures',
};
