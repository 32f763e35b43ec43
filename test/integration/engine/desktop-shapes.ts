import { z } from 'zod';
import { keyPlace } from '../../../src-preload/connection-schema.ts';

const count = z.number().int().nonnegative();

/** Where keys are, as windows are told of it. */
export const keyStorage = z.strictObject({
  kind: keyPlace,
  explanation: z.string().min(20),
  isWaiting: z.boolean(),
  places: z.array(z.strictObject({ kind: keyPlace, secrets: count, problem: z.string().nullable() })).length(3),
});

/** What came of reaching an address. */
export const networkCheck = z.strictObject({
  proxy: z.string().nullable(),
  authorities: count,
  tookMs: count,
  problem: z.string().nullable(),
});
