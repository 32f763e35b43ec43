import { z } from 'zod';
import { keyPlace } from './connection-schema.ts';
import { proxyChoice } from './network-schema.ts';
import { presets } from './preset-schema.ts';
import { jobSort, jobView } from './history-schema.ts';
import { doNotDisturb, notifyRules } from './notification-schema.ts';

/** Electron's words for keys: modifiers, then one key. */
const accelerator = z
  .string()
  .max(60)
  .regex(
    /^(?:(?:CmdOrCtrl|Ctrl|Alt|Shift|Super)\+){1,4}(?:[A-Z0-9]|F[1-9]|F1\d|F2[0-4]|Space|Enter|Up|Down|Left|Right)$/,
    'Keys such as Ctrl+Alt+J',
  );

/** Where releases are looked for. What comes from there is run, so it comes encrypted or from this computer. */
const feedAddress = z
  .string()
  .max(500)
  .regex(
    /^(?:https:\/\/[a-z0-9.:[\]-]+|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?)(?:\/[^\s?#@]*)?$/i,
    'Enter the feed as https://host/folder; only this computer may be named with http://.',
  );

/** The rule in days, at most: ten years. */
const mostForgetDays = 3_650;
/** The least that a history may be limited to. */
const leastHistoryBytes = 100_000_000;

/** What is deleted of jobs that ended, but for those with a star, mark, label or note. */
export const retentionRule = z.object({
  /** Outputs of jobs that ended so many days ago are deleted; null: none is too old. */
  afterDays: z.number().int().min(1).max(mostForgetDays).nullable(),
  /** Their inputs are deleted as well. */
  areInputsDeleted: z.boolean(),
  /** While the history is larger, the oldest outputs are deleted; null: it may grow. */
  mostBytes: z.number().int().min(leastHistoryBytes).nullable(),
});

/** What main checks settings against; the words are in settings.ts. */
export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['comfortable', 'compact']),
  isSidebarFolded: z.boolean(),
  /** The widths that the user dragged; null for those of the design. */
  sidebarWidthPx: z.number().int().min(100).max(1_000).nullable(),
  listWidthPx: z.number().int().min(200).max(4_000).nullable(),
  /** Which outcomes the desktop shows. */
  notify: notifyRules,
  doNotDisturb,
  /** Whether the desktop's notifications show titles and errors; otherwise what happened, and where. */
  hasNotificationDetails: z.boolean(),
  /** Keys that reach Jobdeck from other programs. They are taken from all of these, so it is the user who asks. */
  globalShortcuts: z.object({ isOn: z.boolean(), open: accelerator, newJob: accelerator }),
  /** The system starts Jobdeck at login, without a window. */
  isStartedAtLogin: z.boolean(),
  /** Share of the service's base rate limit that Jobdeck may spend (ruling 21). */
  rateShare: z.number().min(0.01).max(1),
  /** Share of the concurrent limit (ruling 21). */
  concurrencyShare: z.number().min(0.01).max(1),
  /** Listens on 127.0.0.1 for the service's calls when jobs end (ruling 25). */
  isWebhookReceiverOn: z.boolean(),
  currentConnectionId: z.string().nullable(),
  /** The strongest place that new keys go to. */
  keyPlace,
  /** By which proxy services are reached. */
  proxy: proxyChoice,
  /**
   * Local time of day at which notifications are held back, in minutes since midnight: from the first up to the
   * second, over midnight where that is earlier.
   */
  quietHours: z.object({
    isOn: z.boolean(),
    fromMinute: z.number().int().min(0).max(1_439),
    toMinute: z.number().int().min(0).max(1_439),
  }),
  /** Whether Jobdeck asks for newer versions by itself, and where; null: the feed of this build. */
  updates: z.object({ isAutomatic: z.boolean(), feedUrl: feedAddress.nullable() }),
  /** The order of the list; null: newest first. */
  listSort: jobSort.nullable(),
  /** What the user chose of the table's columns; those left out are as designed. */
  tableColumns: z
    .array(
      z.object({
        column: z.enum(['id', 'endpoint', 'title', 'wait', 'execution', 'age', 'ttl', 'tags', 'mark', 'label', 'cost']),
        widthPx: z.number().int().min(20).max(1_000).nullable(),
        isShown: z.boolean(),
      }),
    )
    .max(20),
  /** Whether the composer shows its request as a curl command; null: where there is room. */
  isCurlShown: z.boolean().nullable(),
  retention: retentionRule,
  /** Filters that the user keeps under a name, in the order of the sidebar. */
  savedViews: z
    .array(
      z.object({
        id: z.string().min(1).max(64),
        name: z.string().min(1).max(80),
        view: jobView,
        endpointId: z.string().max(200).nullable(),
        /** The filter as it would be typed. */
        tokens: z.string().max(4_000),
        text: z.string().max(500),
        sort: jobSort.nullable(),
      }),
    )
    .max(100),
  /** What the composer can start from. */
  presets,
  /** What is gathered is shown together after so long; `isOn`: alerts are gathered as well. */
  digest: z.object({ isOn: z.boolean(), everyMinutes: z.number().int().min(1).max(1_440) }),
});
