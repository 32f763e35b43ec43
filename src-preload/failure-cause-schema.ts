import { z } from 'zod';
import { maxMuteReasonChars } from './bounds.ts';

/** Checks a `MuteChoice` in main. */
export const muteChoice = z.object({
  untilMs: z.number().min(0).nullable(),
  isUntilRise: z.boolean(),
  reason: z.string().max(maxMuteReasonChars),
});
