import { minuteMs } from './durations.ts';
import { policyDefaults } from './job-bounds.ts';

/** The shortest time that the service keeps a finished result (spec: Limits; Queue operations, rule 3). */
export const retentionMs = { run: 30 * minuteMs, runsync: minuteMs } as const;

/** As in job.ts, which imports this. */
type SubmitOperation = keyof typeof retentionMs;

/** The longest time that the service may keep a finished result (spec: Queue operations, rule 3). */
const maxRetentionMs = { run: 30 * minuteMs, runsync: 5 * minuteMs } as const;

/**
 * From when on the service may have deleted the result of a job that was last seen at `seenAtMs`. A job that was not
 * over then may have ended right after. (`engine/retention.ts` is about the user's rule for what is saved here.)
 */
export function mayExpireAtMs(operation: SubmitOperation, seenAtMs: number): number {
  return seenAtMs + retentionMs[operation];
}

/**
 * When the service deletes a job whose ttl began at `fromMs`, whatever its state. It begins between the request and its
 * answer (ruling 39), and a retry does not begin it again.
 */
export function ttlEndMs({ ttl = policyDefaults.ttlMs }: { ttl?: number | undefined }, fromMs: number): number {
  return fromMs + ttl;
}

/** From when on the service has certainly deleted the result of a job that ended at `endedAtMs` or earlier. */
export function hasExpiredAtMs(operation: SubmitOperation, endedAtMs: number): number {
  return endedAtMs + maxRetentionMs[operation];
}
