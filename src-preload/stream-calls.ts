import { z } from 'zod';
import { call } from './call-spec.ts';
import type { StreamChunk } from './job.ts';
import type { FoundChunks, StreamPage } from './stream-digest.ts';

const ofAttempt = z.object({ key: z.string().min(1).max(64), attempt: z.number().int().min(1) });
const fromSeq = z.number().int().min(0);

/** A `MediaRun` that the page before left open. */
const run = z.object({
  facts: z
    .object({
      kind: z.enum(['image', 'audio', 'video']),
      extension: z.string().max(10),
      width: z.number().nullable(),
      height: z.number().nullable(),
    })
    .nullable(),
  isDeclared: z.boolean(),
  head: z.string().max(64),
  chunks: z.number().int().min(0),
  chars: z.number().int().min(0),
  tail: z.string().max(80),
  endBytes: z.number().nullable(),
});

/** The calls of the contract about the stream of one attempt. */
export const streamCalls = {
  'job:chunks': call<StreamChunk[]>()(ofAttempt.extend({ fromSeq, limit: z.number().int().min(1).max(5_000) })),
  /** Finds chunks whose output contains `text`, in a limited part of the stored stream. Call it again for the rest. */
  'job:findChunks': call<FoundChunks>()(ofAttempt.extend({ fromSeq, text: z.string().min(1).max(500) })),
  /**
   * The stored stream from `fromSeq` on, as text and figures. It may be of any length and is read page by page. With
   * `withMedia` its text is as it came. Without, it has a few words in place of an image, a sound or a video, whose
   * chunks are named in `media` and read with `job:chunks` when it is shown. `run` is what the page before left open.
   */
  'job:streamPage': call<StreamPage>()(ofAttempt.extend({ fromSeq, withMedia: z.boolean(), run: run.nullable() })),
  /**
   * Requests a MessagePort for new chunks of this attempt's stream. It arrives by `onPort` under `subscriptionId`.
   * Stored chunks are read with `job:streamPage`.
   */
  'stream:subscribe': call<null>()(ofAttempt.extend({ subscriptionId: z.string().max(64) })),
};
