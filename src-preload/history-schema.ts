import { z } from 'zod';
import { filteredMark } from './judgement-schema.ts';

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
  /** Any of these marks; 0: without a mark. Empty: whatever the mark. */
  marks: z.array(filteredMark).max(6).default([]),
  /** Any of these labels, whatever their case. */
  labels: z.array(z.string()).max(10).default([]),
  sinceMs: z.number().nullable(),
  text: z.string().max(500),
  batchId: z.string().max(64).nullable().default(null),
});
