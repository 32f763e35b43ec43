import { z } from 'zod';

/**
 * What becomes of an outcome: shown without or with a sound, gathered for the next digest, or listed in the
 * notification centre alone.
 */
export const notifyChoice = z.enum(['notify', 'with-sound', 'digest', 'off']);

/** One row of the rules; null where the rows above say it. */
const cells = z.object({
  completed: notifyChoice.nullable(),
  failed: notifyChoice.nullable(),
  timedOut: notifyChoice.nullable(),
  alerts: notifyChoice.nullable(),
});

/** Rules from the general to the particular: those of an endpoint or a tag come below `all`, and the lower one wins. */
export const notifyRules = z.object({
  all: z.object({
    completed: notifyChoice,
    failed: notifyChoice,
    timedOut: notifyChoice,
    alerts: notifyChoice,
  }),
  rows: z
    .array(
      z.object({
        of: z.discriminatedUnion('kind', [
          z.object({
            kind: z.literal('endpoint'),
            connectionId: z.string().min(1).max(64),
            endpointId: z.string().min(1).max(200),
          }),
          z.object({ kind: z.literal('tag'), tag: z.string().trim().min(1).max(40) }),
        ]),
        cells,
      }),
    )
    .max(200),
});

/** Nothing is shown by the desktop while it is on; null: until it is switched off. Epoch milliseconds. */
export const doNotDisturb = z.object({ isOn: z.boolean(), untilMs: z.number().min(0).nullable() });
