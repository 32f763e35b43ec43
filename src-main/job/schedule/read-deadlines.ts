import type { SubmitOperation } from '../../../src-preload/job.ts';
import { mayExpireAtMs } from '../../../src-preload/service-retention.ts';

/** A read leaves this long before its subject can have expired. */
export const deadlineMarginMs = 10_000;
/** What expires soon is tried again at this interval. */
export const lastTriesEveryMs = 1_000;
/** ...and if a read of it hangs, another one is sent beside it after this time. */
export const besideAfterMs = 2_000;

/** When the service last said something of a planned job: at its last status read, or else when it was accepted. */
export function plannedKnownAtMs({
  statusReadAtMs,
  acceptedAtMs,
}: Pick<JobDeadlines, 'statusReadAtMs' | 'acceptedAtMs'>): number {
  return statusReadAtMs ?? acceptedAtMs;
}

/** What a job's deadlines are computed from. */
export interface JobDeadlines {
  operation: SubmitOperation;
  acceptedAtMs: number;
  statusReadAtMs: number | null;
  ttlEndsAtMs: number | null;
}

/**
 * The latest moment at which the next status read may leave so that nothing can have expired unseen. The job may have
 * ended right after the last read, and its result stays for 30 minutes (run) or 1 minute (runsync, the minimum; spec:
 * Queue operations, rule 3); and its ttl ends it whatever its state.
 */
export function readByMs(job: JobDeadlines): number {
  const statusReadAtMs = plannedKnownAtMs(job);
  const byRetentionMs = mayExpireAtMs(job.operation, statusReadAtMs) - deadlineMarginMs;
  const byTtlMs = beforeTtlMs(job);
  // After a read that late, the ttl requires nothing more.
  return statusReadAtMs < byTtlMs ? Math.min(byRetentionMs, byTtlMs) : byRetentionMs;
}

/**
 * When a failed status read must be repeated at the latest, whatever the random back-off: at the last safe moment, and
 * then every second until the result can have expired. Infinity if nothing more can be saved by it.
 */
export function retryByMs(job: JobDeadlines, nowMs: number): number {
  const byMs = readByMs(job);
  if (nowMs < byMs) return byMs;
  return nowMs < byMs + deadlineMarginMs ? nowMs + lastTriesEveryMs : Infinity;
}

/**
 * When a refused request is tried again: at `nextTryMs`, or sooner if something that expires soon requires it (by
 * `leavesAtMs`), and then every second until it can have expired (ruling 35).
 */
export function tryAgainAtMs(
  { nextTryMs, triedAtMs }: { nextTryMs: number; triedAtMs: number },
  leavesAtMs: number,
  nowMs: number,
): number {
  const isLost = nowMs >= leavesAtMs + deadlineMarginMs;
  return isLost ? nextTryMs : Math.min(nextTryMs, Math.max(leavesAtMs, triedAtMs + lastTriesEveryMs));
}

interface BeforeTtlMsInput {
  ttlEndsAtMs: number | null;
  acceptedAtMs: number;
}

/** A stream is read again this long before its job's ttl ends, which deletes the rest of it (ruling 37). */
export function beforeTtlMs({ ttlEndsAtMs, acceptedAtMs }: BeforeTtlMsInput): number {
  return ttlEndsAtMs === null ? Infinity : ttlEndsAtMs - Math.min(deadlineMarginMs, (ttlEndsAtMs - acceptedAtMs) / 5);
}

/** Until when the rest of a finished job's stream must be read: it expires with the job's result. */
export function streamLeavesByMs({ retentionEndsAtMs }: { retentionEndsAtMs: number | null }): number {
  return (retentionEndsAtMs ?? Infinity) - deadlineMarginMs;
}

/**
 * The longest time that a read about a job may hang. Undefined: as long as any. The result of a runsync may expire a
 * minute after its end, at an unknown time, so one read must not take half of that. A service that holds a read of the
 * stream does so for ten seconds (field notes: Stream).
 */
export const maxReadMs: Record<SubmitOperation, number | undefined> = { run: undefined, runsync: 15_000 };

/** A read of what expires later than this has the usual timeout. */
const noTimeLimitFromMs = 30_000;

/**
 * The timeout of a read of what expires at `leavesAtMs`, so that a read that hangs is not the last one. Never less than
 * `minMs`. Undefined: as long as any.
 */
export function readTimeoutMs(leavesAtMs: number, minMs: number, nowMs: number): number | undefined {
  const leftMs = leavesAtMs - minMs - nowMs;
  return nowMs >= leavesAtMs || leftMs >= noTimeLimitFromMs ? undefined : Math.max(leftMs, minMs);
}
