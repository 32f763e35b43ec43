import { z } from 'zod';
import { filteredMark } from './judgement-schema.ts';

/** What main checks filters against; the words are in history.ts. */
export const jobView = z.enum(['all', 'active', 'finished-today', 'failed', 'starred']);

/** What a job may have: an image in what it answered, an error, a stream. */
const jobFeature = z.enum(['images', 'error', 'stream']);

/** Values above `over` and below `under`; neither bound is within. */
const range = z.object({ over: z.number().nullable(), under: z.number().nullable() });

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
  /** Created at or after this moment, and before that one. */
  sinceMs: z.number().nullable(),
  beforeMs: z.number().nullable().default(null),
  /** How long it ran, by the service's word; one without a time passes no bound. */
  took: range.nullable().default(null),
  /** How long it waited, by the service's word. */
  waited: range.nullable().default(null),
  /** What it cost by the endpoint's rates, in credits, once it is over. */
  cost: range.nullable().default(null),
  /** The service's id begins with it. */
  idStart: z.string().max(200).nullable().default(null),
  has: z.array(jobFeature).max(3).default([]),
  /** Failed for this cause: its number, or words of its message. */
  cause: z.string().min(1).max(500).nullable().default(null),
  /** Of the same endpoint and with the same input as this job, by its key or the service's id; it is one of them. */
  sameInput: z.string().min(1).max(200).nullable().default(null),
  text: z.string().max(500),
  batchId: z.string().max(64).nullable().default(null),
});

/** What the table may be put in order by. */
const sortColumn = z.enum([
  'status',
  'id',
  'endpoint',
  'title',
  'wait',
  'execution',
  'created',
  'ttl',
  'mark',
  'label',
  'note',
  'cost',
]);

/** An order other than the usual one, newest first. */
export const jobSort = z.object({ column: sortColumn, isDescending: z.boolean() });
