import { z } from 'zod';
import { keyPlace } from './connection-schema.ts';

/** What main checks settings against; the words are in settings.ts. */
export const settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['comfortable', 'compact']),
  isSidebarFolded: z.boolean(),
  /** The widths that the user dragged; null for those of the design. */
  sidebarWidthPx: z.number().int().min(100).max(1_000).nullable(),
  listWidthPx: z.number().int().min(200).max(4_000).nullable(),
  notifyOn: z.enum(['every-end', 'failures', 'nothing']),
  /** Share of the service's base rate limit that Jobdeck may spend (ruling 21). */
  rateShare: z.number().min(0.01).max(1),
  /** Share of the concurrent limit (ruling 21). */
  concurrencyShare: z.number().min(0.01).max(1),
  /** Listens on 127.0.0.1 for the service's calls when jobs end (ruling 25). */
  isWebhookReceiverOn: z.boolean(),
  currentConnectionId: z.string().nullable(),
  /** The strongest place that new keys go to. */
  keyPlace,
  /**
   * Local time of day at which alerts are held back, in minutes since midnight: from the first up to the second, over
   * midnight where that is earlier.
   */
  quietHours: z.object({
    isOn: z.boolean(),
    fromMinute: z.number().int().min(0).max(1_439),
    toMinute: z.number().int().min(0).max(1_439),
  }),
  /** Alerts are gathered for so long and shown together. */
  digest: z.object({ isOn: z.boolean(), everyMinutes: z.number().int().min(1).max(1_440) }),
});
