import { z } from 'zod';

/** What main checks settings against; the words are in settings.ts. */
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
