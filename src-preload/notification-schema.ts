import { z } from 'zod';
import { tagBounds } from './bounds.ts';

/** How an alert is notified: with or without a sound, in the next digest, or not at all. */
const alertChoice = z.enum(['notify', 'with-sound', 'digest', 'off']);

/** How the end of a job is notified. `over-a-minute`: shown if the user waited that long for it. */
export const notifyChoice = z.enum([...alertChoice.options, 'over-a-minute']);

/** The choices for all endpoints. */
export const notifyChoices = z.object({
  completed: notifyChoice,
  failed: notifyChoice,
  timedOut: notifyChoice,
  alerts: alertChoice,
});

/** The cells of one row of the rules. Null: the choice of the rows above applies. */
export const notifyCells = z.object({
  completed: notifyChoice.nullable(),
  failed: notifyChoice.nullable(),
  timedOut: notifyChoice.nullable(),
  alerts: alertChoice.nullable(),
});

/** What one row of the rules is about. */
export const notifySubject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('endpoint'),
    connectionId: z.string().min(1).max(64),
    endpointId: z.string().min(1).max(200),
  }),
  z.object({ kind: z.literal('tag'), tag: z.string().trim().min(1).max(tagBounds.maxChars) }),
]);

/**
 * Rules from the general to the specific: those of an endpoint or a tag come after `all`, and later ones take
 * precedence.
 */
export const notifyRules = z.object({
  all: notifyChoices,
  rows: z.array(z.object({ of: notifySubject, cells: notifyCells })).max(200),
});

/** While it is on, the desktop shows nothing. Null: until it is switched off. Epoch milliseconds. */
export const doNotDisturb = z.object({ isOn: z.boolean(), untilMs: z.number().min(0).nullable() });
