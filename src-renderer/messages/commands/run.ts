import type { ExportFormat } from '../../../src-preload/export.ts';
import { commonText } from '../common.ts';
import { connectionMenuText, sidebarText, titleBarText } from '../windows/main-window.ts';

const themeWords = ['dark', 'light', 'appearance', 'colour', 'color', 'settings'];
const densityWords = ['density', 'table', 'compact', 'comfortable'];
const quietWords = ['mute', 'silence', 'quiet', 'notifications'];
const orderWords = ['order', 'sort by'];

/** The commands of Jobdeck itself. `keywords` are not shown: a command is found by them, too. */
export const runCommandText = {
  undo: { label: 'Undo the last change', keywords: ['restore', 'bring back', 'revert'] },
  newJob: { label: commonText.newJob, keywords: ['submit', 'run', 'create', 'send', 'compose'] },
  newBatch: { label: 'New batch', hint: 'many inputs at once', keywords: ['submit', 'csv', 'grid', 'bulk'] },
  follow: {
    label: 'Track jobs submitted elsewhere',
    hint: 'by their ids',
    keywords: ['follow', 'import', 'external', 'id'],
  },
  filter: { label: 'Filter the list', keywords: ['search', 'find'] },
  resumePolling: {
    label: sidebarText.resumePolling,
    hint: 'paused by you',
    keywords: ['start', 'tracking', 'continue'],
  },
  pausePolling: { label: sidebarText.pausePolling, keywords: ['stop', 'tracking'] },
  refreshHealth: { label: 'Refresh health now' },
  checkEverything: { label: 'Check everything now', keywords: ['refresh', 'poll', 'status', 'update'] },
  showSidebar: { label: titleBarText.showSidebar },
  hideSidebar: { label: titleBarText.hideSidebar },
  comfortableRows: { label: 'Comfortable rows', keywords: densityWords },
  compactRows: { label: 'Compact rows', keywords: densityWords },
  darkTheme: { label: 'Dark theme', keywords: themeWords },
  lightTheme: { label: 'Light theme', keywords: themeWords },
  connections: {
    label: connectionMenuText.manage,
    keywords: ['settings', 'endpoints', 'api key', 'base url', 'remove'],
  },
  preferences: {
    label: connectionMenuText.preferences,
    keywords: ['settings', 'options', 'rate limit', 'webhooks', 'login', 'shortcuts'],
  },
  storage: {
    label: 'Storage',
    hint: 'disk use and retention',
    keywords: ['settings', 'delete', 'space', 'clean up', 'size', 'compact'],
  },
  backUp: {
    label: 'Back up the history',
    hint: 'one file, without keys',
    keywords: ['backup', 'export', 'copy', 'save'],
  },
  openBackup: { label: 'Restore or merge a backup', hint: 'checked first', keywords: ['import', 'open', 'undo'] },
  shortcuts: { label: 'Keyboard shortcuts', keywords: ['keys', 'help', 'hotkeys'] },
  stopSandbox: { label: 'Stop the sandbox' },
  openSandbox: {
    label: connectionMenuText.openSandbox,
    hint: 'the built-in service on this computer',
    keywords: ['start', 'local', 'test', 'try'],
  },
};

/** The commands that export the filtered jobs of the list. */
export const exportListTitles: Readonly<Record<ExportFormat, string>> = {
  report: 'Export the list as an HTML report',
  ndjson: 'Export the list as NDJSON',
  csv: 'Export the list as CSV',
  dataset: 'Export the list as a dataset',
};

/** The commands for the app as a whole. */
export const appCommandText = {
  notifications: {
    label: 'Notifications',
    hint: 'everything Jobdeck reported',
    keywords: ['bell', 'centre', 'center', 'messages', 'alerts'],
  },
  doNotDisturb: {
    label: 'Do not disturb',
    hint: 'until you turn it off',
    keywords: quietWords,
  },
  disturbAgain: { label: 'Turn off do not disturb', keywords: quietWords },
  addConnection: {
    label: 'Add a connection',
    hint: 'base URL, key and endpoints',
    keywords: ['new', 'service', 'account', 'endpoint', 'api key'],
  },
  notificationSettings: {
    label: 'Notification settings',
    hint: 'rules per endpoint and outcome',
    keywords: ['preferences', 'quiet hours', 'digest', 'alerts'],
  },
  network: {
    label: 'Network settings',
    hint: 'proxy and certificates',
    keywords: ['preferences', 'ca', 'company'],
  },
  about: {
    label: 'About Jobdeck',
    hint: 'version, diagnostics and logs',
    keywords: ['settings', 'help', 'log', 'licences', 'bug'],
  },
  systemTheme: {
    label: 'Use the system theme',
    keywords: themeWords,
  },
  newestFirst: { label: 'Sort the list: newest first', keywords: orderWords },
  longestExecutionFirst: { label: 'Sort the list: longest execution first', keywords: orderWords },
  longestWaitFirst: { label: 'Sort the list: longest wait first', keywords: orderWords },
  byTitle: { label: 'Sort the list: title', keywords: orderWords },
  checkForUpdates: { label: 'Check for updates', keywords: ['version', 'upgrade', 'settings'] },
  quit: {
    label: 'Quit Jobdeck',
    hint: 'after everything received is saved',
    keywords: ['exit', 'close', 'stop'],
  },
};

/** Why a command of Jobdeck itself is not available. */
export const runRefusalText = {
  nothingToUndo: 'Nothing of the last five minutes can be undone',
  inUse: 'In use',
  noConnection: commonText.addConnectionFirst,
  noJobsToExport: 'No jobs to export',
  nothingBefore: 'This is the first place of this window',
  nothingAfter: 'This is the last place of this window',
};
