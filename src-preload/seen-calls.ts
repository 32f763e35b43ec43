import { z } from 'zod';
import { call } from './call-spec.ts';

const jobKey = z.string().max(64);
const keys = z.array(jobKey).max(1_000);
const notificationId = z.number().int();
/** When something was marked as seen, as an epoch time in milliseconds. */
const atMs = z.number();

/** The calls of the contract about what the user has seen. */
export const seenCalls = {
  /** Returns the jobs that were not seen before, and when they were marked. */
  'job:markSeen': call<{ keys: string[]; atMs: number }>()(z.object({ keys })),
  /** Undoes `job:markSeen` with what it returned, for these jobs and the notifications about them. */
  'job:markUnseen': call<null>()(z.object({ keys, atMs })),
  /**
   * Returns when they were marked. All up to an id (0 if there is none) are marked together with the ended jobs, and
   * rows of batches, that they are about, and with all failed jobs: `jobKeys` are those that were unseen.
   */
  'notification:markSeen': call<{ atMs: number; jobKeys: string[] }>()(
    z.union([z.object({ upToId: notificationId }), z.object({ ids: z.array(notificationId).min(1).max(10_000) })]),
  ),
  /** Undoes `notification:markSeen` up to an id, with what it returned. */
  'notification:markUnseen': call<null>()(z.object({ upToId: notificationId, atMs, jobKeys: z.array(jobKey) })),
} as const;
