import { z } from 'zod';

export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['comfortable', 'compact']),
  isSidebarFolded: z.boolean(),
  notifyOn: z.enum(['every-end', 'failures', 'nothing']),
  /** Share of the service's base rate limit that Jobdeck may spend (ruling 21). */
  rateShare: z.number().min(0.01).max(1),
  /** Share of the concurrent limit (ruling 21). */
  concurrencyShare: z.number().min(0.01).max(1),
  /** Listens on 127.0.0.1 for the service's calls when jobs end (ruling 25). */
  isWebhookReceiverOn: z.boolean(),
  currentConnectionId: z.string().nullable(),
});
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
