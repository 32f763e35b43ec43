import type { z } from 'zod';
import type { settings } from './settings-schema.ts';

export type Settings = z.infer<typeof settings>;

export const settingsDefaults: Settings = {
  theme: 'system',
  density: 'comfortable',
  isSidebarFolded: false,
  notifyOn: 'every-end',
  rateShare: 0.25,
  concurrencyShare: 0.5,
  isWebhookReceiverOn: false,
  currentConnectionId: null,
};
