import { z } from 'zod';
import { ofEndpoint } from './call-spec.ts';
import { refusalText } from './messages/refusals.ts';
import { maxCreditsPerHour, maxLimitCredits } from './bounds.ts';

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

const credits = (max: number): z.ZodType<number> =>
  z.number(refusalText.credits).gt(0, refusalText.creditsAboveZero).max(max, refusalText.maxCredits(max));

/** What main checks `CostLimits` against. */
export const costLimits = z.object({
  perJob: credits(maxLimitCredits).nullable(),
  perDay: credits(maxLimitCredits).nullable(),
});

/**
 * A rate from now on. Null removes it from now on. `isForEarlier`: it also applies to jobs that ended before, and the
 * former rates are dropped. It may be left out only if there was no rate before.
 */
export const rateChange = ofEndpoint.extend({
  creditsPerHour: z
    .number(refusalText.rate)
    .gt(0, refusalText.rateAboveZero)
    .max(maxCreditsPerHour, refusalText.maxRate(maxCreditsPerHour))
    .nullable(),
  source: rateSource,
  isForEarlier: z.boolean().optional(),
});

/** New limits of an endpoint. */
export const limitsChange = ofEndpoint.extend({ limits: costLimits });
