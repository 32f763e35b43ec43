import { z } from 'zod';
import type { PurgeOutcome } from '../../src-preload/purge.ts';

/** A purge as it is kept. Those that the service refused are not: they changed nothing. */
export interface PurgeRecord {
  id: string;
  connectionId: string;
  endpointId: string;
  startedAtMs: number;
  expected: number | null;
  outcome: Exclude<PurgeOutcome, { kind: 'refused' }>;
  /** Our jobs that waited when it was sent. */
  keys: string[];
  /** Of these: purged ones whose inputs were submitted again. */
  again: string[];
}

const record: z.ZodType<PurgeRecord> = z.object({
  id: z.string().min(1),
  connectionId: z.string(),
  endpointId: z.string(),
  startedAtMs: z.number(),
  expected: z.number().nullable(),
  outcome: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('under-way') }),
    z.object({ kind: z.literal('removed'), atMs: z.number(), removed: z.number() }),
    z.object({ kind: z.literal('unknown'), atMs: z.number(), reason: z.string() }),
  ]),
  keys: z.array(z.string()),
  again: z.array(z.string()),
});

/** The kept record in a document; null when it cannot be read. */
export function readPurgeRecord(json: string): PurgeRecord | null {
  try {
    return record.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
