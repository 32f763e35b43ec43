import { formatCount, formatCountOf, formatMinute } from '../../../src-preload/format.ts';
import { commonText } from '../common.ts';

/** What is shown instead of the list: in the sidebar, the title bar, the palette and the sheet of keys. */
export const paneTitles = {
  sandbox: commonText.sandbox,
  health: 'Health',
  pods: 'Pods',
  templates: 'Templates',
  compare: 'Compare',
  failures: 'Failures',
  bin: 'Deleted jobs',
};

/** The panes, as `crashText.couldNotShow` names them. */
export const paneParts = {
  sandbox: 'The sandbox',
  health: 'The health of the endpoints',
  pods: 'The list of pods',
  templates: 'The list of templates',
  compare: 'The comparison',
  failures: 'The causes of failures',
  bin: 'The deleted jobs',
};

/** Other parts of the windows, as `crashText.couldNotShow` names them. */
export const partText = {
  list: 'The job list',
  job: 'This job',
  notifications: 'The notifications',
};

/** The menu of the connections, and the button that opens it. */
export const connectionMenuText = {
  name: (connection: string): string => `Connection: ${connection}`,
  none: 'No connection',
  thisComputer: 'This computer',
  noKey: 'no key',
  keyRefused: (httpStatus: number): string => `key refused (${httpStatus})`,
  offline: 'offline',
  stopped: 'stopped',
  unseenFailures: (count: number): string => formatCountOf(count, 'unseen failure'),
  all: 'All connections',
  includingRemoved: 'including removed',
  showSandbox: 'Show the sandbox',
  openSandbox: 'Open the sandbox',
  add: 'Add connection',
  manage: 'Manage connections',
  preferences: 'Preferences',
};

/** The panel of the main window: the list, and the job beside it. */
export const mainWindowText = {
  job: 'Job',
  backToList: 'Back to the list',
  noConnectionTitle: connectionMenuText.none,
  noConnectionHint: 'Endpoints, pods and templates come from a service. Saved jobs stay readable without one.',
  addConnection: connectionMenuText.add,
  openSandbox: connectionMenuText.openSandbox,
};

/** The title bar of the main window. */
export const titleBarText = {
  showSidebar: 'Show sidebar',
  hideSidebar: 'Hide sidebar',
  back: 'Back',
  forward: 'Forward',
  search: 'Search or run',
  /** How many of all jobs the filter matches. `isCut`: there are more than were counted. */
  ofAll: (matching: number, isCut: boolean, all: number): string =>
    `${formatCount(matching)}${isCut ? '+' : ''} of ${formatCount(all)}`,
};

/** The buttons of the window's frame. */
export const windowControlText = {
  minimise: 'Minimise',
  maximise: 'Maximise',
  restore: 'Restore',
  close: commonText.close,
};

/** The sandbox behaves differently from the service. */
export const sandboxBadgeText = {
  name: (settings: string): string => `Sandbox: ${settings}`,
  hint: 'The sandbox has faults set, so it does not behave like the service. Press to show it.',
  faults: (count: number): string => formatCountOf(count, 'fault'),
  speed: (timeScale: number): string => `${timeScale}x`,
};

/** The sidebar, except its endpoints. */
export const sidebarText = {
  name: 'Views and endpoints',
  endpoints: 'Endpoints',
  addEndpoint: 'Add endpoint',
  resources: 'Resources',
  alerts: (count: number): string => formatCountOf(count, 'alert'),
  causes: (count: number): string => formatCountOf(count, 'cause'),
  sandboxStopped: 'stopped',
  settings: 'Settings',
  resumePolling: 'Resume polling',
  pausePolling: 'Pause polling',
};

/** The saved views in the sidebar, and their menu. */
export const sidebarViewText = {
  title: 'Views',
  save: 'Save this list as a view',
  rename: 'Rename view',
  moveUp: 'Move up',
  moveDown: 'Move down',
  delete: 'Delete view',
  /** `isCut`: there are more than were counted. */
  count: (total: number, isCut: boolean): string => `${formatCount(total)}${isCut ? '+' : ''}`,
  jobs: (total: number, isCut: boolean): string => `${isCut ? 'more than ' : ''}${formatCountOf(total, 'job')}`,
  asOf: (jobs: string, atMs: number): string => `${jobs}, as of ${formatMinute(atMs)}`,
};

/** An endpoint in the sidebar, and its menu. */
export const sidebarEndpointText = {
  showJobs: 'Show jobs',
  showHealth: 'Show health',
  copyId: 'Copy endpoint id',
  idCopied: 'Endpoint id copied',
  editConnection: 'Edit connection',
  inQueue: (count: number): string => `${formatCount(count)} in queue`,
  queueIcon: 'In queue',
  failedUnseen: (count: number): string => formatCountOf(count, 'unseen failure'),
  failedIcon: 'Unseen failures',
};

/** The button that opens the notification centre. */
export function bellLabel(unseen: number): string {
  return unseen === 0 ? 'Notifications' : `Notifications, ${formatCount(unseen)} not seen`;
}
