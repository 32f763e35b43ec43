import type { TrackerState } from '../../../src-preload/app.ts';

/** The names of the facts in a bug report. */
export const diagnosticsLabels = {
  version: 'Jobdeck',
  electron: 'Electron',
  chromium: 'Chromium',
  node: 'Node',
  system: 'System',
  memory: 'Memory',
  desktop: 'Desktop',
  keyStorage: 'Keys in',
  savedJobs: 'Saved jobs',
  tracked: 'Tracked',
  connections: 'Connections',
  refused: 'Refused',
  rateShare: 'Rate share',
  proxy: 'Proxy',
  notices: 'Notices',
};

/** Their values, where they are words. */
export const diagnosticsText = {
  /** Not Electron, but the program that plays it. */
  standIn: 'stand-in',
  /** The Chromium that is installed on the system. */
  systemChromium: 'system',
  memory: (gigabytes: number): string => `${gigabytes} GB`,
  desktopNotNamed: 'not named',
  notCounted: 'could not be counted',
  none: 'none',
  nothingRefused: 'nothing',
  tracked: ({ tracked, waitingToSend, outcomeUnknown, isPaused }: TrackerState): string =>
    `${tracked}, ${waitingToSend} to send, ${outcomeUnknown} unknown${isPaused ? ', paused' : ''}`,
};
