import { z } from 'zod';
import { alertRule } from '../../../src-preload/alert-schema.ts';
import type { AlertOverview, AlertRecord } from '../../../src-preload/alert.ts';

const ms = z.number().int().nonnegative();
const text = z.string();

export const alertOverview: z.ZodType<AlertOverview> = z.strictObject({
  connectionId: text,
  rules: z.array(alertRule),
  ruleStates: z.array(
    z.strictObject({
      ruleId: text,
      endpointId: text,
      phase: z.enum(['quiet', 'pending', 'firing']),
      sinceMs: ms.nullable(),
      lastFiredAtMs: ms.nullable(),
    }),
  ),
});

export const alertRecord: z.ZodType<AlertRecord> = z.strictObject({
  id: text.length(26),
  ruleId: text,
  connectionId: text,
  endpointId: text,
  kind: z.enum(['stuck-queue', 'failure-burst', 'slow-runs', 'no-worker', 'long-wait']),
  text: text.min(1),
  sinceMs: ms,
  firedAtMs: ms,
  lastSeenAtMs: ms,
  endedAtMs: ms.nullable(),
  isEndExact: z.boolean(),
  delivery: z.enum(['due', 'held', 'gathered', 'notified', 'in-digest', 'after-quiet-hours', 'muted', 'off']),
  deliveredAtMs: ms.nullable(),
});
