import { z } from 'zod';
import { ofEndpoint } from './call-spec.ts';

/** `isFresh`: the health is read for it. Otherwise it is the last reading. */
export const previewOf = ofEndpoint.extend({ isFresh: z.boolean() });

/**
 * The order to purge. `typed` is the endpoint's name or id as entered; `expected` is the number of waiting jobs in the
 * preview.
 */
export const purgeOrder = ofEndpoint.extend({
  typed: z.string().max(500),
  expected: z.number().min(0).nullable(),
});

/** A purge that was sent from here. */
export const ofPurge = z.object({ id: z.string().min(1).max(400) });

/** Which purge's jobs to submit again, and how. */
export const purgeAgain = ofPurge.extend({ as: z.enum(['jobs', 'batch']) });
