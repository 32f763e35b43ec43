import type { z } from 'zod';
import type { retentionRule, settings } from './settings-schema.ts';
import type { presetFields, presets } from './preset-schema.ts';

export type Settings = z.infer<typeof settings>;
export type GlobalShortcuts = Settings['globalShortcuts'];
/** Which times are shown beside streamed text. */
export type OutputTimes = Settings['plainOutput']['times'];
export type QuietHours = Settings['quietHours'];
/** A pane whose edge can be moved. */
export type PaneName = keyof Settings['paneWidthsPx'];
/** What is deleted of jobs that ended, and when. */
export type RetentionRule = z.infer<typeof retentionRule>;
/** A filter under a name. */
export type SavedView = Settings['savedViews'][number];

export const settingsDefaults: Settings = {
  theme: 'system',
  density: 'comfortable',
  isSidebarFolded: false,
  paneWidthsPx: {},
  notify: { all: { completed: 'notify', failed: 'notify', timedOut: 'notify', alerts: 'notify' }, rows: [] },
  doNotDisturb: { isOn: false, untilMs: null },
  hasNotificationDetails: true,
  hasFailureBadge: true,
  areLoudAlertsLetThrough: false,
  notificationsKeptDays: 365,
  globalShortcuts: { isOn: false, open: 'CmdOrCtrl+J', newJob: 'CmdOrCtrl+Shift+N' },
  isStartedAtLogin: false,
  isKeptInTray: false,
  rateShare: 0.25,
  concurrencyShare: 0.5,
  isHealthReadInBackground: false,
  isWebhookReceiverOn: false,
  currentConnectionId: null,
  keyPlace: 'keychain',
  proxy: { kind: 'system' },
  quietHours: { isOn: false, fromMinute: 22 * 60, toMinute: 8 * 60 },
  digest: { isOn: false, everyMinutes: 60 },
  updates: { isAutomatic: true, feedUrl: null },
  listSort: null,
  tableColumns: [],
  jsonColumnWidths: [],
  batchViews: [],
  batchColumns: [],
  savedViews: [],
  presets: [],
  isCurlShown: null,
  plainOutput: { isWrapped: true, times: 'none' },
  retention: { afterDays: null, areInputsDeleted: false, maxBytes: null },
};

/** The content of the composer's fields as entered, except for the destination. */
export type PresetFields = z.infer<typeof presetFields>;
/** A saved submission of an endpoint, to start from. */
export type Preset = z.infer<typeof presets>[number];
