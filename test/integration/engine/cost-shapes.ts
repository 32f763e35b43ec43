import { z } from 'zod';
import { costLimits, rateSource } from '../../../src-preload/cost-schema.ts';

const count = z.number().int().nonnegative();

/** The total cost of jobs. */
export const costSum = {
  credits: z.number().nonnegative(),
  executionMs: z.number().nonnegative(),
  pricedJobs: count,
  unpricedJobs: count,
};

/** An endpoint's rates and limits. */
export const endpointCost = z.strictObject({
  connectionId: z.string(),
  endpointId: z.string(),
  limits: costLimits,
  limitsSinceMs: count,
  rates: z.array(z.strictObject({ creditsPerHour: z.number().nullable(), sinceMs: count, source: rateSource })),
});
