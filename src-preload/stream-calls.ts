import { z } from 'zod';
import { call } from './call-spec.ts';
import type { StreamChunk } from './job.ts';
import type { FoundChunks, StreamPage } from './stream-digest.ts';

const ofAttempt = z.object({ key: z.string().min(1).max(64), attempt: z.number().int().min(1) });
const fromSeq = z.number().int().min(0);

/** The calls of the contract about the stream of one attempt. */
export const streamCalls = {
  'job:chunks': call<StreamChunk[]>()(ofAttempt.extend({ fromSeq, limit: z.number().int().min(1).max(5_000) })),
  /** Chunks whose output has `text` in it, in a bounded part of what is stored: call it again for the rest. */
  'job:findChunks': call<FoundChunks>()(ofAttempt.extend({ fromSeq, text: z.string().min(1).max(500) })),
  /**
   * What is stored of a stream from place `fromSeq` on, as its text and figures: of any length, read page after page.
   */
  'job:streamPage': call<StreamPage>()(ofAttempt.extend({ fromSeq })),
  /**
   * Asks for a MessagePort for what becomes of this attempt's stream from now on; it arrives by `onPort` under
   * `subscriptionId`. What is stored is read with `job:streamPage`.
   */
  'stream:subscribe': call<null>()(ofAttempt.extend({ subscriptionId: z.string().max(64) })),
};
