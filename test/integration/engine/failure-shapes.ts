import { z } from 'zod';

const text = z.string();
const count = z.number().int().min(0);
const ms = z.number();

const namedCause = z.strictObject({
  id: count.positive(),
  endpointId: text,
  message: text.min(1),
  jobs: count.positive(),
});

/** What the calls about failures by cause answer, field by field; `job`: the shape of a job. */
export const failureShapes = <J extends z.ZodType>(job: J) => ({
  'failure:causes': z.strictObject({
    causes: z.array(
      z.strictObject({
        id: count.positive(),
        endpointId: text,
        message: text.min(1),
        frame: text,
        kind: z.enum(['fail', 'timeout']),
        jobs: count.positive(),
        firstAtMs: ms,
        lastAtMs: ms,
        trend: z.array(count).length(28),
        mute: z
          .strictObject({ sinceMs: ms, untilMs: ms.nullable(), risesAbove: count.nullable(), reason: text })
          .nullable(),
      }),
    ),
    unsorted: count,
  }),
  'failure:byWorker': z.strictObject({
    on: z
      .array(
        z.strictObject({
          causeId: count.positive(),
          endpointId: text,
          workerId: text.nullable(),
          jobs: count.positive(),
          lastAtMs: ms,
          trend: z.array(count).length(28),
        }),
      )
      .min(1),
    counted: count.positive(),
    total: count.positive(),
  }),
  'failure:names': z.array(namedCause).min(1),
  'failure:ofJob': namedCause,
  'failure:cause': z.strictObject({
    jobs: z.array(job).min(1),
    message: z
      .array(
        z.discriminatedUnion('kind', [
          z.strictObject({ kind: z.literal('text'), text }),
          z.strictObject({ kind: z.literal('seen'), min: text, max: text }),
          z.strictObject({ kind: z.literal('varied') }),
        ]),
      )
      .min(1),
    common: z.array(
      z.strictObject({
        name: text,
        trait: z.discriminatedUnion('kind', [
          z.strictObject({ kind: z.literal('value'), text }),
          z.strictObject({
            kind: z.literal('type'),
            type: z.enum(['number', 'text', 'boolean', 'null', 'list', 'object']),
          }),
          z.strictObject({ kind: z.enum(['present', 'missing']) }),
        ]),
        isNamed: z.boolean(),
        failed: count,
        completed: count,
        instead: z.strictObject({ json: text, completed: count.positive() }).nullable(),
      }),
    ),
    failedSeen: count.positive(),
    completedSeen: count,
    total: count.positive(),
    retried: count,
    sentAgain: count,
  }),
  'failure:mute': z.null(),
});
