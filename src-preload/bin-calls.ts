import { z } from 'zod';
import { maxBinned, type BinPage, type BinUse, type Restored } from './bin.ts';
import { call, nothing } from './call-spec.ts';

const keys = z.array(z.string().min(1).max(64)).min(1).max(maxBinned);
const place = z.object({ deletedAtMs: z.number(), id: z.number().int() });

/** The calls of the contract about deleted jobs. Jobs are moved into the bin by `job:delete`. */
export const binCalls = {
  'bin:use': call<BinUse>()(nothing),
  /** Some jobs after a place, the last deleted first. */
  'bin:list': call<BinPage>()(z.object({ after: place.nullable(), limit: z.number().int().min(1).max(maxBinned) })),
  /** Restores jobs whole. Null: all. Those that are in the bin no longer are counted in the answer. */
  'bin:restore': call<Restored>()(z.object({ keys: keys.nullable() })),
  /** Deletes jobs for good. Null: all, and the bin's file with them. */
  'bin:delete': call<null>()(z.object({ keys: keys.nullable() })),
} as const;
