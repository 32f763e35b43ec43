import { z } from 'zod';

/** A reason is one line. */
export const longestReason = 200;

/** See `MuteChoice`: what main checks it against. */
export const muteChoice = z.object({
  untilMs: z.number().min(0).nullable(),
  isUntilRise: z.boolean(),
  reason: z.string().max(longestReason),
});
