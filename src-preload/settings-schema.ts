import { z } from 'zod';
import { refusalText } from './messages/refusals.ts';
import { keyPlace } from './connection-schema.ts';
import { presets } from './preset-schema.ts';
import { batchTableBounds, jsonColumnWidthBounds } from './bounds.ts';
import { jobSort, jobView } from './history-schema.ts';
import { doNotDisturb, notifyRules } from './notification-schema.ts';

/** The address of a proxy, without a name and a password in it. */
const proxyAddress = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?\/?$/i;

/**
 * The characters that Basic authentication allows in a name: a colon would end it, and proxies treat other signs
 * differently.
 */
const proxyName = /^[ -9;-~]{1,200}$/;

/** The proxy for reaching services. */
export const proxyChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('system') }),
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('manual'),
    url: z.string().max(300).regex(proxyAddress, refusalText.proxyAddress),
    /** The user name at the proxy. Absent if it needs no login. The password is kept with the keys. */
    name: z.string().regex(proxyName, refusalText.proxyName).optional(),
  }),
]);

/** Electron's notation for keys: modifiers, then one key. */
const accelerator = z
  .string()
  .max(60)
  .regex(
    /^(?:(?:CmdOrCtrl|Ctrl|Alt|Shift|Super)\+){1,4}(?:[A-Z0-9]|F[1-9]|F1\d|F2[0-4]|Space|Enter|Up|Down|Left|Right)$/,
    refusalText.shortcut,
  )
  .refine(canBeGlobal, refusalText.shortcut);

/** Whether no modifier occurs twice, and the keys are not those of ordinary typing, as Shift and a letter are. */
function canBeGlobal(keys: string): boolean {
  const modifiers = keys.split('+').slice(0, -1);
  const isTyped = modifiers.every((each) => each === 'Shift') && !/\+F\d+$/.test(keys);
  return !isTyped && new Set(modifiers).size === modifiers.length;
}

/** Where updates come from. They are executed, so the address must be encrypted or on this computer. */
const feedAddress = z
  .string()
  .max(500)
  .regex(
    /^(?:https:\/\/[a-z0-9.:[\]-]+|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?)(?:\/[^\s?#@]*)?$/i,
    refusalText.updateFeed,
  );

/** The longest that a retention rule can wait: ten years. */
const maxForgetDays = 3_650;
/** The smallest size that a history can be limited to. */
const minHistoryBytes = 100_000_000;

/** What is deleted of ended jobs, except those with a star, mark, label or note. */
export const retentionRule = z.object({
  /** Outputs of jobs that ended this many days ago are deleted. Null: no output is too old. */
  afterDays: z.number().int().min(1).max(maxForgetDays).nullable(),
  /** Their inputs are deleted as well. */
  areInputsDeleted: z.boolean(),
  /** While the history is larger, the oldest outputs are deleted. Null: it may grow without a limit. */
  maxBytes: z.number().int().min(minHistoryBytes).nullable(),
});

/** The width of a pane in pixels. */
const paneWidthPx = z.number().int().min(100).max(4_000).optional();

/** The widths that the user gave to panes. The others have the width of the design. */
export const paneWidthsPx = z.object({
  sidebar: paneWidthPx,
  list: paneWidthPx,
  causes: paneWidthPx,
  composerRail: paneWidthPx,
  composerOptions: paneWidthPx,
  jobFacts: paneWidthPx,
  healthSide: paneWidthPx,
  sandboxSettings: paneWidthPx,
  podIdentity: paneWidthPx,
  podRequest: paneWidthPx,
  templateReview: paneWidthPx,
  readmeSource: paneWidthPx,
});

/** A column of the table, as the user chose it. */
export const tableColumn = z.object({
  column: z.enum([
    'id',
    'endpoint',
    'title',
    'wait',
    'execution',
    'age',
    'ttl',
    'tags',
    'mark',
    'label',
    'cost',
    'note',
  ]),
  widthPx: z.number().int().min(20).max(1_000).nullable(),
  isShown: z.boolean(),
});

/** The width of a column of an endpoint's JSON tables. */
export const jsonColumnWidth = z.object({
  endpointId: z.string().max(200),
  column: z.string().max(jsonColumnWidthBounds.maxColumnChars),
  widthPx: z.number().int().min(jsonColumnWidthBounds.minPx).max(jsonColumnWidthBounds.maxPx),
});

/** A column of an endpoint's batches that the user showed or hid. */
export const batchColumn = z.object({
  endpointId: z.string().max(200),
  column: z.string().max(jsonColumnWidthBounds.maxColumnChars),
  isShown: z.boolean(),
});

/** A filter under a name. */
export const savedView = z.object({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(80),
  view: jobView,
  endpointId: z.string().max(200).nullable(),
  /** The filter in the syntax of the filter box. */
  tokens: z.string().max(4_000),
  text: z.string().max(500),
  sort: jobSort.nullable(),
});

/** What main checks settings against. The types are in settings.ts. */
export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['comfortable', 'compact']),
  isSidebarFolded: z.boolean(),
  paneWidthsPx,
  /** Which outcomes the desktop shows. */
  notify: notifyRules,
  doNotDisturb,
  /** Whether the desktop's notifications show titles and errors. Otherwise only what happened, and where. */
  hasNotificationDetails: z.boolean(),
  /** Whether tray, dock and task bar mark that jobs failed and were not seen. */
  hasFailureBadge: z.boolean(),
  /** Whether alerts that come with a sound are shown even in quiet hours. */
  areLoudAlertsLetThrough: z.boolean(),
  /** How long notifications are listed, in days. */
  notificationsKeptDays: z.number().int().min(1).max(365),
  /** Keys that work in other programs, which can then not use them. Off until the user enables them. */
  globalShortcuts: z.object({ isOn: z.boolean(), open: accelerator, newJob: accelerator }),
  /** Whether the system starts Jobdeck at login, without a window. */
  isStartedAtLogin: z.boolean(),
  /** Whether Jobdeck continues in the tray when its last window closes, even if no job is active. macOS always does. */
  isKeptInTray: z.boolean(),
  /** The share of the service's base rate limit that Jobdeck may use (ruling 21). */
  rateShare: z.number().min(0.01).max(1),
  /** The share of the concurrent limit (ruling 21). */
  concurrencyShare: z.number().min(0.01).max(1),
  /** Whether the health of endpoints is read once a minute, without a job or a window that needs it. */
  isHealthReadInBackground: z.boolean(),
  /** Listens on 127.0.0.1 for the service's calls when jobs end (ruling 25). */
  isWebhookReceiverOn: z.boolean(),
  currentConnectionId: z.string().nullable(),
  /** The strongest place that new keys go to. */
  keyPlace,
  /** The proxy for reaching services. */
  proxy: proxyChoice,
  /**
   * Local times between which notifications are held back, in minutes since midnight. `toMinute` itself is no longer
   * quiet. If it is before `fromMinute`, the quiet hours go past midnight.
   */
  quietHours: z.object({
    isOn: z.boolean(),
    fromMinute: z.number().int().min(0).max(1_439),
    toMinute: z.number().int().min(0).max(1_439),
  }),
  /** Whether Jobdeck checks for updates automatically, and where. Null: the feed of this build. */
  updates: z.object({ isAutomatic: z.boolean(), feedUrl: feedAddress.nullable() }),
  /** The order of the list; null: newest first. */
  listSort: jobSort.nullable(),
  /** The user's choices for the table's columns. The others are shown as designed. */
  tableColumns: z.array(tableColumn).max(20),
  /** The widths that the user gave to columns of JSON tables, by endpoint and name of the column. The oldest first. */
  jsonColumnWidths: z.array(jsonColumnWidth).max(jsonColumnWidthBounds.max),
  /** How batches of an endpoint are shown, if not as a list. The oldest choice first. */
  batchViews: z
    .array(z.object({ endpointId: z.string().max(200), view: z.enum(['table', 'images']) }))
    .max(batchTableBounds.maxEndpoints),
  /** The columns of batches that the user showed or hid, by endpoint. The oldest choice first. */
  batchColumns: z.array(batchColumn).max(batchTableBounds.maxColumns),
  /** Whether the composer shows its request as a curl command. Null: if there is room. */
  isCurlShown: z.boolean().nullable(),
  /** How output is shown as plain text: whether lines wrap, and which times are shown beside a stream. */
  plainOutput: z.object({ isWrapped: z.boolean(), times: z.enum(['none', 'since-start', 'clock']) }),
  retention: retentionRule,
  /** Filters that the user saved under a name, in the order of the sidebar. */
  savedViews: z.array(savedView).max(100),
  /** The presets of the composer. */
  presets,
  /** How long notifications are gathered before they are shown together. `isOn`: alerts are gathered as well. */
  digest: z.object({ isOn: z.boolean(), everyMinutes: z.number().int().min(1).max(1_440) }),
});
