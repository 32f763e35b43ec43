import { z } from 'zod';
import { plainHeldBack } from '../../../src-preload/job-reason.ts';
import type { JobReason } from '../../../src-preload/job-reason.ts';

const said = z.string();

const unansweredWhy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ended') }),
  z.object({ kind: z.literal('error'), said }),
  z.object({ kind: z.literal('called-back') }),
  z.object({ kind: z.literal('no-answer'), said, mentionedId: z.string().nullable() }),
]);

const counters = z.object({ more: z.number(), unanswered: z.number(), readBeforeMs: z.number().nullable() });

/** Every reason, field by field. */
export const jobReason: z.ZodType<JobReason> = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(plainHeldBack) }),
  z.object({ kind: z.literal('rate-limited'), said: said.nullable() }),
  z.object({ kind: z.enum(['not-sent', 'refused', 'progress', 'failed', 'cancel-refused', 'not-retried']), said }),
  z.object({ kind: z.literal('reply-too-large'), said }),
  z.object({ kind: z.enum(['no-output', 'withdrawn', 'retry-too-late']) }),
  z.object({ kind: z.literal('unanswered'), why: unansweredWhy, counters: counters.exactOptional() }),
  z.object({ kind: z.literal('gone'), because: z.enum(['unknown-endpoint', 'purged', 'expired', 'removed']) }),
  z.object({
    kind: z.literal('stream-given-up'),
    because: z.enum(['not-waited-for', 'left-service', 'connection-removed']),
    said: said.nullable(),
  }),
  z.object({ kind: z.literal('timed-out'), limitMs: z.number(), said: said.nullable() }),
  z.object({ kind: z.literal('connection-removed'), wasSent: z.boolean() }),
  z.object({ kind: z.literal('prose'), text: z.string() }),
]);

/** A kept reason. One that this version does not know is shown as it stands, and never lost. */
export function readReason(json: string | null): JobReason | null {
  if (json === null) return null;
  const read = jobReason.safeParse(parse(json));
  return read.success ? read.data : { kind: 'prose', text: json };
}

function parse(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return value;
  } catch {
    return null;
  }
}
