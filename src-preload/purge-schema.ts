import { z } from 'zod';

/** An endpoint of a connection, as the purge calls name it. */
export const ofEndpoint = z.object({ connectionId: z.string().min(1).max(64), endpointId: z.string().min(1).max(200) });

/** `isFresh`: the health is read for it; else it is as last read. */
export const previewOf = ofEndpoint.extend({ isFresh: z.boolean() });

/**
 * The order to purge: `typed` is the endpoint's name or id as the user typed it; `expected` what the preview said to
 * wait.
 */
export const purgeOrder = ofEndpoint.extend({
  typed: z.string().max(500),
  expected: z.number().min(0).nullable(),
});

/** A purge that was sent from here. */
export const ofPurge = z.object({ id: z.string().min(1).max(400) });

/** Which purge's jobs to submit again, and how. */
export const purgeAgain = ofPurge.extend({ as: z.enum(['jobs', 'batch']) });
