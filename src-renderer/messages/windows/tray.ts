import { formatClock, formatCount, formatCountOf } from '../../../src-preload/format.ts';
import { commonText } from '../common.ts';
import { connectionMenuText } from './main-window.ts';

/** The popover beside the tray icon. */
export const trayText = {
  windowTitle: 'Jobdeck',
  active: 'Active',
  justFinished: 'Just finished',
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
  failedUnseen: 'failed, new',
};
