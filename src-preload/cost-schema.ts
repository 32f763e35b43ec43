import { formatCount } from './format.ts';
import { z } from 'zod';
import { mostCreditsPerHour, mostLimitCredits } from './cost-bounds.ts';

/** What main checks a `RateSource` against. */
export const rateSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('typed') }),
  z.object({
    kind: z.literal('pod'),
    podId: z.string().min(1).max(200),
    readAtMs: z.number().min(0),
    field: z.enum(['adjustedCostPerHr', 'costPerHr']),
  }),
]);

const credits = (most: number): z.ZodType<number> =>
  z
    .number('Enter a number of credits')
    .gt(0, 'More than 0 credits, or leave it empty')
    .max(most, `At most ${formatCount(most)} credits`);

/** What main checks `CostLimits` against. */
export const costLimits = z.object({
  perJob: credits(mostLimitCredits).nullable(),
  perDay: credits(mostLimitCredits).nullable(),
});

const ofEndpoint = z.object({ connectionId: z.string().min(1).max(64), endpointId: z.string().min(1).max(200) });

/**
 * A rate from now on. Null removes it from now on. `isForEarlier`: it also applies to jobs that ended before, and the
 * former rates are dropped. It may be left out only if there was no rate before.
 */
export const rateChange = ofEndpoint.extend({
  creditsPerHour: z
    .number('Enter a number of credits per hour')
    .gt(0, 'A rate is more than 0')
    .max(mostCreditsPerHour, `A rate is at most ${formatCount(mostCreditsPerHour)} credits per hour`)
    .nullable(),
  source: rateSource,
  isForEarlier: z.boolean().optional(),
});

/** New limits of an endpoint. */
export const limitsChange = ofEndpoint.extend({ limits: costLimits });
