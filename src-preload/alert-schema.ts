import { z } from 'zod';
import { alertBounds, type AlertCondition, type AlertRule } from './alert.ts';

const whole = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

/** When a rule fires. The bounds are those in alert.ts. */
export const alertCondition: z.ZodType<AlertCondition> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stuck-queue'),
    overJobs: whole(alertBounds.overJobs),
    forMs: whole(alertBounds.forMs),
    isNoneIdle: z.boolean(),
  }),
  z.object({
    kind: z.literal('failure-burst'),
    overFailures: whole(alertBounds.overFailures),
    withinMs: whole(alertBounds.withinMs),
  }),
  z.object({
    kind: z.literal('slow-runs'),
    timesP95: z.number().min(alertBounds.timesP95.min).max(alertBounds.timesP95.max),
  }),
  z.object({ kind: z.literal('no-worker'), forMs: whole(alertBounds.forMs) }),
  z.object({ kind: z.literal('long-wait'), overMs: whole(alertBounds.overMs) }),
]);

/** A new rule, or a change of the one that `id` names. */
export const alertRuleDraft = z.object({
  id: z.string().min(1).max(64).optional(),
  connectionId: z.string().min(1).max(64),
  endpointId: z.string().min(1).max(200).nullable(),
  condition: alertCondition,
});

/** A rule as it is saved. */
export const alertRule: z.ZodType<AlertRule> = z.object({
  id: z.string().min(1).max(64),
  connectionId: z.string().min(1).max(64),
  endpointId: z.string().min(1).max(200).nullable(),
  isOn: z.boolean(),
  exceptions: z.record(z.string().max(200), z.boolean()),
  condition: alertCondition,
});
