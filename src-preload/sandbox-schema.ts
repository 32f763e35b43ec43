import { z } from 'zod';
import {
  canHit,
  faultBounds,
  isAnswering,
  faultKindNames,
  faultOperations,
  timeScaleBounds,
} from './sandbox-bounds.ts';

/** What main checks the settings of the sandbox against. The types are in sandbox.ts. */
export const timeScale = z.number().min(timeScaleBounds.min).max(timeScaleBounds.max);

const faultOperation = z.enum(faultOperations);

const faultKind = z.literal(faultKindNames);

export const sandboxFault = z
  .object({
    id: z.string().min(1).max(64),
    /** A rule that is off stays in the list and has no effect. */
    isOn: z.boolean(),
    kind: faultKind,
    operation: faultOperation.nullable(),
    endpointId: z.string().min(1).max(200).nullable(),
    status: z.number().int().min(faultBounds.status.min).max(faultBounds.status.max).nullable(),
    /** The share of matching requests that it affects, above 0 up to 1. */
    probability: z
      .number()
      .min(faultBounds.percent.min / 100)
      .max(1),
    times: z.number().int().min(faultBounds.times.min).max(faultBounds.times.max).nullable(),
    /** How long it lasts since the faults were set, in the sandbox's time. */
    forMs: z
      .number()
      .int()
      .min(faultBounds.forS.min * 1_000)
      .max(faultBounds.forS.max * 1_000)
      .nullable(),
    /** The service carries out the request before it gives this answer. */
    isProcessed: z.boolean(),
    delayMs: z.number().int().min(faultBounds.delayMs.min).max(faultBounds.delayMs.max).nullable(),
  })
  .refine(({ kind, operation }) => canHit(kind, operation), {
    path: ['operation'],
    message: 'A fault of this kind cannot hit this operation',
  })
  .refine(({ kind, isProcessed }) => !isProcessed || isAnswering(kind), {
    path: ['isProcessed'],
    message: 'This kind already says whether the request is processed',
  });
