import { z } from 'zod';

/** What main checks filters against; the words are in history.ts. */
export const jobView = z.enum(['all', 'active', 'finished-today', 'failed', 'starred']);

export const jobFilter = z.object({
  view: jobView,
  connectionId: z.string().nullable(),
  endpointId: z.string().nullable(),
  /**
   * Status words as typed after `status:`, lower case: in_queue, in_progress, completed, failed, timed_out, cancelled,
   * gone, waiting, orphaned.
   */
  statuses: z.array(z.string()).max(10),
  tags: z.array(z.string()).max(10),
  notTags: z.array(z.string()).max(10),
  sinceMs: z.number().nullable(),
  text: z.string().max(500),
  batchId: z.string().max(64).nullable().default(null),
});
