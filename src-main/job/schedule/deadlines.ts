import { retentionMs, type SubmitOperation } from '../../../src-preload/job.ts';

/** A read leaves this long before what it is about can have left the service. */
export const deadlineMarginMs = 10_000;
/** What is about to leave the service is tried again so often. */
export const lastTriesEveryMs = 1_000;
/** ...and a read of it that hangs is joined by another after this. */
export const besideAfterMs = 2_000;

/** When a job was last known: at its last status read, else when it was accepted. */
export function lastStatusReadMs({
  statusReadAtMs,
  acceptedAtMs,
}: Pick<JobDeadlines, 'statusReadAtMs' | 'acceptedAtMs'>): number {
  return statusReadAtMs ?? acceptedAtMs;
}

/** What a job's deadlines are made of. */
export interface JobDeadlines {
  operation: SubmitOperation;
  acceptedAtMs: number;
  statusReadAtMs: number | null;
  ttlEndsAtMs: number | null;
}

/**
 * The latest moment the next status read may leave so that nothing can have left the service unseen: the job may have
 * ended right after the last read, and its result stays for 30 minutes (run) or 1 minute (runsync, counted at the
 * least; spec: Queue operations, rule 3); and its ttl ends it whatever its state.
 */
export function readByMs(job: JobDeadlines): number {
  const statusReadAtMs = lastStatusReadMs(job);
  const byRetentionMs = statusReadAtMs + retentionMs[job.operation] - deadlineMarginMs;
  const byTtlMs = beforeTtlMs(job);
  // Once read that late, the ttl asks for nothing more.
  return statusReadAtMs < byTtlMs ? Math.min(byRetentionMs, byTtlMs) : byRetentionMs;
}

/**
 * When a status read that failed is repeated at the latest, whatever the back-off drew: at the last safe moment, and
 * then every second until the result can have left. Infinity where nothing more can be saved by it.
 */
export function retryByMs(job: JobDeadlines, nowMs: number): number {
  const byMs = readByMs(job);
  if (nowMs < byMs) return byMs;
  return nowMs < byMs + deadlineMarginMs ? nowMs + lastTriesEveryMs : Infinity;
}

/**
 * When something refused is tried again: at `nextTryMs`, and sooner where something about to leave the service asks for
 * it (`leavesAtMs`, by which it has to be asked for): then every second until it can have left (ruling 35).
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

/** A stream is read again so long before its job's ttl ends, which deletes the rest of it (ruling 37). */
export function beforeTtlMs({ ttlEndsAtMs, acceptedAtMs }: BeforeTtlMsInput): number {
  return ttlEndsAtMs === null ? Infinity : ttlEndsAtMs - Math.min(deadlineMarginMs, (ttlEndsAtMs - acceptedAtMs) / 5);
}

/** Until when the rest of a finished job's stream has to be asked for: it leaves the service with the job's result. */
export function streamLeavesByMs({ retentionEndsAtMs }: { retentionEndsAtMs: number | null }): number {
  return (retentionEndsAtMs ?? Infinity) - deadlineMarginMs;
}

/**
 * How long a read about a job may hang at most; undefined: as long as any. The result of a runsync may leave a minute
 * after its end, and the time of that end is unknown: one read must not take half of it. A service that holds a
 * stream's read does so for ten seconds (field notes: Stream).
 */
export const mostReadMs: Record<SubmitOperation, number | undefined> = { run: undefined, runsync: 15_000 };

/** A read of what leaves the service later than this is not hurried. */
const unhurriedMs = 30_000;

/**
 * How long a read may take at most of what leaves the service at `leavesAtMs`, so that one that is left hanging is not
 * the last; never less than `leastMs`. Undefined: as long as any.
 */
export function readTimeoutMs(leavesAtMs: number, leastMs: number, nowMs: number): number | undefined {
  const leftMs = leavesAtMs - leastMs - nowMs;
  return nowMs >= leavesAtMs || leftMs >= unhurriedMs ? undefined : Math.max(leftMs, leastMs);
}
