import type { z } from 'zod';
import type { settings } from './settings-schema.ts';

export type Settings = z.infer<typeof settings>;
export type QuietHours = Settings['quietHours'];
/** A filter under a name. */
export type SavedView = Settings['savedViews'][number];

export const settingsDefaults: Settings = {
  theme: 'system',
  density: 'comfortable',
  isSidebarFolded: false,
  sidebarWidthPx: null,
  listWidthPx: null,
  notifyOn: 'every-end',
  rateShare: 0.25,
  concurrencyShare: 0.5,
  isWebhookReceiverOn: false,
  currentConnectionId: null,
  keyPlace: 'keychain',
  proxy: { kind: 'system' },
  quietHours: { isOn: false, fromMinute: 22 * 60, toMinute: 8 * 60 },
  digest: { isOn: false, everyMinutes: 60 },
  listSort: null,
  tableColumns: [],
  savedViews: [],
  forgetOutputsAfterDays: null,
};
