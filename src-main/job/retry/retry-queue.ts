import type { Job } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { Clock, Timer } from '../clock.ts';
import type { Ledger } from '../ledger.ts';
import type { Gateway } from '../plan/plan.ts';
import type { WhyNotFollowed } from '../left-behind.ts';

/** What became of a retry that left the queue. `held`: it was certainly not taken and stays; nothing to try before `notBeforeMs`. */
export type RetrySent = { kind: 'held'; notBeforeMs: number } | { kind: 'over'; refusedBecause: string | null };

/**
 * Retries that the user asked for and that could not be sent: the service was out of reach, or the rate limit used up.
 * The job itself says so (`retryAskedAtMs`), so they are still there after a restart.
 */
export interface RetryQueue {
  /**
   * A retry that cannot be sent now. Answers the job with it; null where there is no such job. `beforeSent`: what has to
   * be done once the job is marked and before it can leave.
   */
  hold(job: Job, notBeforeMs: number, beforeSent?: () => Promise<void>): Promise<Job | null>;
  /** Takes one back; one that is just being tried, as soon as it is known that it did not leave. Null where the job has none that waits. */
  withdraw(key: string): Promise<Job | null>;
  /** Takes up those of a former run. `dropped`: jobs whose retry may have left already: they wait no more (ruling 9). */
  start(dropped: ReadonlySet<string>): Promise<void>;
  /** Something changed that may let one out. */
  wake(): void;
  /** Forgets every wait and tries at once. */
  tryNow(): void;
  close(): void;
}

export interface RetryQueueParts {
  ledger: Pick<Ledger, 'change'>;
  history: Pick<History, 'jobsToRetry'>;
  clock: Clock;
  gateway: (connectionId: string) => Gateway;
  isPaused: () => boolean;
  whyNotFollowed: (job: Pick<Job, 'connectionId' | 'baseUrl'>) => WhyNotFollowed | null;
  /**
   * Sends it once, if it is still wanted at the last moment. Whoever does takes the mark off the job before anything
   * leaves, and puts it on again where it is held.
   */
  send: (job: Job, isWanted: () => boolean) => Promise<RetrySent>;
  onTrouble: (error: unknown) => void;
}

/** A disk that refused is asked again after this time. */
const afterTroubleMs = 30_000;

export function createRetryQueue({ ledger, history, clock, gateway, isPaused, whyNotFollowed, send, onTrouble }: RetryQueueParts): RetryQueue {
  /** In the order they were asked for. */
  const waiting = new Map<string, { job: Job; notBeforeMs: number }>();
  let sending: { key: string; wish: { isWanted: boolean }; tried: Promise<RetrySent> } | null = null;
  let timer: Timer | null = null;
  let isPumping = false;
  let isWokenMeanwhile = false;
  let isClosed = false;

  /** When this one can be tried; null while only a change somewhere else can let it out. */
  function dueAtMs({ job, notBeforeMs }: { job: Job; notBeforeMs: number }): number | null {
    if (isPaused() || whyNotFollowed(job) !== null) return null;
    const way = gateway(job.connectionId);
    if (way.kind === 'closed') return null;
    // While the service is out of reach one request at a time finds out whether it is back, and this may be it.
    return way.kind === 'offline' ? (way.isProbing ? null : Math.max(notBeforeMs, way.probeAtMs)) : notBeforeMs;
  }

  async function pump(): Promise<void> {
    const all = [...waiting];
    for (const [key, entry] of all) {
      if (isClosed) return;
      // Taken back while another was on its way.
      if (!waiting.has(key)) continue;
      const nowMs = clock.now();
      if (isTooLate(entry.job, nowMs)) {
        waiting.delete(key);
        await ledger.change(key, [{ kind: 'retry-dropped', reason: tooLate }]);
        continue;
      }
      const atMs = dueAtMs(entry);
      if (atMs === null || atMs > nowMs) continue;
      waiting.delete(key);
      const wish = { isWanted: true };
      const tried = send(entry.job, () => wish.isWanted);
      sending = { key, wish, tried };
      const sent = await tried.finally(() => {
        sending = null;
      });
      if (sent.kind === 'held' && wish.isWanted) waiting.set(key, { ...entry, notBeforeMs: sent.notBeforeMs });
      else if (sent.kind === 'over' && sent.refusedBecause !== null) await ledger.change(key, [{ kind: 'retry-dropped', reason: `Not retried: ${sent.refusedBecause}` }]);
    }
  }

  function arm(): void {
    timer?.cancel();
    timer = null;
    const atMs = [...waiting.values()].flatMap((entry) => [dueAtMs(entry), entry.job.retentionEndsAtMs]).filter((each) => each !== null);
    if (isClosed || atMs.length === 0) return;
    timer = clock.after(Math.max(0, Math.min(...atMs) - clock.now()), wake);
  }

  function wake(): void {
    if (isClosed || waiting.size === 0) return;
    isWokenMeanwhile = isPumping;
    if (isPumping) return;
    isPumping = true;
    pump().catch((error: unknown) => {
      onTrouble(error);
      for (const entry of waiting.values()) entry.notBeforeMs = Math.max(entry.notBeforeMs, clock.now() + afterTroubleMs);
    }).finally(() => {
      isPumping = false;
      if (isWokenMeanwhile) wake();
      else arm();
    });
  }

  return {
    async hold(job, notBeforeMs, beforeSent) {
      const after = await ledger.change(job.key, [{ kind: 'retry-asked' }]);
      await beforeSent?.();
      if (after?.retryAskedAtMs !== undefined) waiting.set(job.key, { job, notBeforeMs });
      wake();
      return after;
    },
    async withdraw(key) {
      if (sending?.key === key) {
        sending.wish.isWanted = false;
        const sent = await sending.tried.catch(() => null);
        if (sent?.kind === 'over') return null;
      } else if (!waiting.delete(key)) return null;
      return await ledger.change(key, [{ kind: 'retry-dropped', reason: null }]);
    },
    async start(dropped) {
      for (const job of await history.jobsToRetry()) {
        if (dropped.has(job.key)) await ledger.change(job.key, [{ kind: 'retry-dropped', reason: null }]);
        else waiting.set(job.key, { job, notBeforeMs: 0 });
      }
      wake();
    },
    wake,
    tryNow() {
      for (const entry of waiting.values()) entry.notBeforeMs = 0;
      wake();
    },
    close() {
      isClosed = true;
      timer?.cancel();
    },
  };
}

function isTooLate({ retentionEndsAtMs }: Job, nowMs: number): boolean {
  return retentionEndsAtMs !== null && nowMs >= retentionEndsAtMs;
}

const tooLate = 'Not retried: its result left the service before the retry could be sent. Its input is saved here and can be submitted again.';
