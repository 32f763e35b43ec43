import { z } from 'zod';

const ms = z.number().int().nonnegative();
const count = z.number().int().nonnegative();
const text = z.string();

/** The state of a connection, as windows get it. */
export const connectionState = z.union([
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('no-key') }),
  z.strictObject({
    kind: z.literal('key-refused'),
    httpStatus: z.number(),
    path: text,
    sinceMs: ms,
    nextTryMs: ms.nullable(),
  }),
  z.strictObject({ kind: z.literal('offline'), sinceMs: ms, nextTryMs: ms.nullable(), message: text }),
]);

const closure = z.strictObject({
  connectionId: text,
  endpointId: text,
  operation: text,
  httpStatus: z.number(),
  path: text,
  serviceSaid: text.nullable(),
  sinceMs: ms,
  nextTryMs: ms.nullable(),
});
const budget = z.strictObject({
  connectionId: text,
  endpointId: text,
  operation: text,
  spent: count,
  allowed: z.number(),
  limit: z.number(),
  heldUntilMs: ms.nullable(),
  heldSinceMs: ms.nullable(),
  backoffStep: count,
  reason: text.nullable(),
});

/** What the tracker does, as windows get it. */
export const tracker = z.strictObject({
  nowMs: z.number(),
  clockSettings: z.array(z.strictObject({ atMs: z.number(), byMs: z.number() })),
  isPaused: z.boolean(),
  tracked: count,
  waitingToSend: count,
  outcomeUnknown: count,
  orphans: count,
  nextStatusReadAtMs: ms.nullable(),
  connections: z.array(z.strictObject({ connectionId: text, state: connectionState, lastSyncAtMs: ms.nullable() })),
  closures: z.array(closure),
  budgets: z.array(budget),
});
