import { z } from 'zod';
import { jobViews } from './job-views.ts';
import { filteredMark } from './job-schema.ts';

/** What main checks filters against. The types are in history.ts. */
export const jobView = z.enum(jobViews);

/** What a job may have: an image in its output, an error, a stream. */
const jobFeature = z.enum(['images', 'error', 'stream']);

/** Values above `over` and below `under`, without the bounds themselves. */
const range = z.object({ over: z.number().nullable(), under: z.number().nullable() });

export const jobFilter = z.object({
  view: jobView,
  connectionId: z.string().nullable(),
  endpointId: z.string().nullable(),
  /**
   * The values of `status:`, in lower case: in_queue, in_progress, completed, failed, timed_out, cancelled, gone,
   * waiting, orphaned.
   */
  statuses: z.array(z.string()).max(10),
  tags: z.array(z.string()).max(10),
  notTags: z.array(z.string()).max(10),
  /** Any of these marks. 0: without a mark. Empty: any. */
  marks: z.array(filteredMark).max(6).default([]),
  /** Any of these labels, ignoring case. */
  labels: z.array(z.string()).max(10).default([]),
  /** Created at or after this moment, and before `untilMs`. */
  sinceMs: z.number().nullable(),
  beforeMs: z.number().nullable().default(null),
  /** The execution time, as the service reports it. A job without one does not match. */
  took: range.nullable().default(null),
  /** The delay time, as the service reports it. */
  waited: range.nullable().default(null),
  /** The cost of an ended job by the endpoint's rates, in credits. */
  cost: range.nullable().default(null),
  /** The beginning of the service's id. */
  idStart: z.string().max(200).nullable().default(null),
  has: z.array(jobFeature).max(3).default([]),
  /** Failed for this cause: its number, or words of its message. */
  cause: z.string().min(1).max(500).nullable().default(null),
  /** A job, by its key or the service's id: it and those of its endpoint with the same input. */
  sameInput: z.string().min(1).max(200).nullable().default(null),
  text: z.string().max(500),
  batchId: z.string().max(64).nullable().default(null),
});

/** The columns that the table can be sorted by. */
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
  'tags',
  'cost',
]);

/** An order other than the default, which is newest first. */
export const jobSort = z.object({ column: sortColumn, isDescending: z.boolean() });
