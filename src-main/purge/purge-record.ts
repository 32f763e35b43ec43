import { z } from 'zod';
import type { PurgeOutcome } from '../../src-preload/purge.ts';
import { byName } from '../history/collection.ts';
import type { DocumentKind } from '../history/collection.ts';

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

const schema: z.ZodType<PurgeRecord> = z.object({
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

/** How purges are kept. */
export const purgeKind: DocumentKind<PurgeRecord, string> = { kind: 'purge', schema, id: byName };
