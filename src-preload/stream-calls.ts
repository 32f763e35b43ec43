import { z } from 'zod';
import { call } from './call-spec.ts';
import type { StreamChunk } from './job.ts';
import type { FoundChunks, StreamPage } from './stream-digest.ts';

const ofAttempt = z.object({ key: z.string().min(1).max(64), attempt: z.number().int().min(1) });
const fromSeq = z.number().int().min(0);

/** The calls of the contract about the stream of one attempt. */
export const streamCalls = {
  'job:chunks': call<StreamChunk[]>()(ofAttempt.extend({ fromSeq, limit: z.number().int().min(1).max(5_000) })),
  /** Finds chunks whose output contains `text`, in a limited part of the stored stream. Call it again for the rest. */
  'job:findChunks': call<FoundChunks>()(ofAttempt.extend({ fromSeq, text: z.string().min(1).max(500) })),
  /**
   * The stored stream from `fromSeq` on, as text and figures. It may be of any length and is read page by page. With
   * `withImages` its text is as it came. Without, it has a few words in place of an image, whose chunk is counted in
   * `imageChunks` and read with `job:chunks` when it is shown.
   */
  'job:streamPage': call<StreamPage>()(ofAttempt.extend({ fromSeq, withImages: z.boolean() })),
  /**
   * Requests a MessagePort for new chunks of this attempt's stream. It arrives by `onPort` under `subscriptionId`.
   * Stored chunks are read with `job:streamPage`.
   */
  'stream:subscribe': call<null>()(ofAttempt.extend({ subscriptionId: z.string().max(64) })),
};
