import { z } from 'zod';

/** What becomes of an alert: shown without or with a sound, gathered for the next digest, or not said at all. */
const alertChoice = z.enum(['notify', 'with-sound', 'digest', 'off']);

/** What becomes of an end; `over-a-minute`: shown where somebody waited so long for it. */
export const notifyChoice = z.enum([...alertChoice.options, 'over-a-minute']);

/** One row of the rules; null where the rows above say it. */
const cells = z.object({
  completed: notifyChoice.nullable(),
  failed: notifyChoice.nullable(),
  timedOut: notifyChoice.nullable(),
  alerts: alertChoice.nullable(),
});

/** Rules from the general to the particular: those of an endpoint or a tag come below `all`, and the lower one wins. */
export const notifyRules = z.object({
  all: z.object({
    completed: notifyChoice,
    failed: notifyChoice,
    timedOut: notifyChoice,
    alerts: alertChoice,
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
