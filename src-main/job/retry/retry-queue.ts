import type { Job } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { Clock, Timer } from '../../time/clock.ts';
import type { Ledger } from '../store/ledger.ts';
import type { Gateway } from '../schedule/plan.ts';
import type { WhyNotFollowed } from '../store/orphans.ts';

/**
 * What became of a retry that left the queue. `held`: it was certainly not taken and stays; nothing to try before
 * `notBeforeMs`.
 */
export type RetrySent = { kind: 'held'; notBeforeMs: number } | { kind: 'over'; refusedBecause: string | null };

/**
 * Retries that the user asked for and that could not be sent: the service was out of reach, or the rate limit used up.
 * The job itself says so (`retryAskedAtMs`), so they are still there after a restart.
 */
export interface RetryQueue {
  /**
   * A retry that cannot be sent now. Answers the job with it; null where there is no such job. `beforeSent`: what has
   * to be done once the job is marked and before it can leave.
   */
  hold(job: Job, notBeforeMs: number, beforeSent?: () => Promise<void>): Promise<Job | null>;
  /**
   * Takes one back; one that is just being tried, as soon as it is known that it did not leave. Null where the job has
   * none that waits.
   */
  withdraw(key: string): Promise<Job | null>;
  /**
   * Takes up those of a former run. `dropped`: jobs whose retry may have left already: they wait no more (ruling 9).
   */
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

interface Waiting {
  job: Job;
  notBeforeMs: number;
  /** The disk refused what was to be noted of it: nothing is done before. */
  restsUntilMs: number;
  /** Set while it is being tried. */
  tried: { isWanted: boolean; sent: Promise<RetrySent> } | null;
}

/**
 * Retries of one endpoint leave one after the other, in the order they were asked for; those of others beside them, so
 * that a service that does not answer holds up nobody else's.
 */
export function createRetryQueue({
  ledger,
  history,
  clock,
  gateway,
  isPaused,
  whyNotFollowed,
  send,
  onTrouble,
}: RetryQueueParts): RetryQueue {
  /** By key, in the order they were asked for. */
  const waiting = new Map<string, Waiting>();
  /** Endpoints whose retries are just being gone through, and whether something changed meanwhile. */
  const busy = new Map<string, { isWokenMeanwhile: boolean }>();
  let timer: Timer | null = null;
  let isClosed = false;

  /** When this one can be tried; null while only a change somewhere else can let it out. */
  function dueAtMs({ job, notBeforeMs }: Waiting): number | null {
    if (isPaused() || whyNotFollowed(job) !== null) return null;
    const way = gateway(job.connectionId);
    if (way.kind === 'closed' || way.kind === 'refused') return null;
    if (way.kind !== 'offline') return notBeforeMs;
    // While the service is out of reach one request at a time finds out whether it is back, and this may be it.
    return way.isProbing || isAnyTried(job.connectionId) ? null : Math.max(notBeforeMs, way.probeAtMs);
  }

  function isAnyTried(connectionId: string): boolean {
    for (const { job, tried } of waiting.values()) if (tried !== null && job.connectionId === connectionId) return true;
    return false;
  }

  /** Goes through an endpoint's retries once. */
  async function pump(endpoint: string): Promise<void> {
    for (const [key, entry] of waiting) {
      if (isClosed) return;
      if (endpointOf(entry.job) !== endpoint) continue;
      try {
        await pass(key, entry);
      } catch (error) {
        onTrouble(error);
        entry.restsUntilMs = clock.now() + afterTroubleMs;
      }
    }
  }

  async function pass(key: string, entry: Waiting): Promise<void> {
    const nowMs = clock.now();
    if (nowMs < entry.restsUntilMs) return;
    if (isTooLate(entry.job, nowMs)) {
      await ledger.change(key, [{ kind: 'retry-dropped', reason: tooLate }]);
      waiting.delete(key);
      return;
    }
    const atMs = dueAtMs(entry);
    if (atMs === null || atMs > nowMs) return;
    const tried: { isWanted: boolean; sent: Promise<RetrySent> } = {
      isWanted: true,
      sent: send(entry.job, () => tried.isWanted),
    };
    entry.tried = tried;
    const sent = await tried.sent.finally(() => {
      entry.tried = null;
    });
    if (sent.kind === 'held') {
      entry.notBeforeMs = sent.notBeforeMs;
      return;
    }
    waiting.delete(key);
    if (sent.refusedBecause !== null)
      await ledger.change(key, [{ kind: 'retry-dropped', reason: `Not retried: ${sent.refusedBecause}` }]);
  }

  function arm(): void {
    timer?.cancel();
    timer = null;
    const idle = [...waiting.values()].filter((entry) => !busy.has(endpointOf(entry.job)));
    const atMs = idle.flatMap((entry) =>
      [dueAtMs(entry), entry.job.retentionEndsAtMs]
        .filter((each) => each !== null)
        .map((each) => Math.max(each, entry.restsUntilMs)),
    );
    if (isClosed || atMs.length === 0) return;
    timer = clock.after(Math.max(0, Math.min(...atMs) - clock.now()), wake);
  }

  function wake(): void {
    if (isClosed) return;
    for (const endpoint of new Set([...waiting.values()].map(({ job }) => endpointOf(job)))) wakeOne(endpoint);
  }

  function wakeOne(endpoint: string): void {
    const known = busy.get(endpoint);
    if (known !== undefined) {
      known.isWokenMeanwhile = true;
      return;
    }
    const turn = { isWokenMeanwhile: false };
    busy.set(endpoint, turn);
    void pump(endpoint).finally(() => {
      busy.delete(endpoint);
      if (turn.isWokenMeanwhile && !isClosed) wakeOne(endpoint);
      else arm();
    });
  }

  return {
    async hold(job, notBeforeMs, beforeSent) {
      const after = await ledger.change(job.key, [{ kind: 'retry-asked' }]);
      await beforeSent?.();
      if (after?.retryAskedAtMs !== undefined) waiting.set(job.key, { job, notBeforeMs, restsUntilMs: 0, tried: null });
      wake();
      return after;
    },
    async withdraw(key) {
      const entry = waiting.get(key);
      if (entry === undefined) return null;
      waiting.delete(key);
      if (entry.tried !== null) {
        entry.tried.isWanted = false;
        const sent = await entry.tried.sent.catch(() => null);
        if (sent?.kind === 'over') return null;
      }
      return await ledger.change(key, [{ kind: 'retry-dropped', reason: null }]);
    },
    async start(dropped) {
      for (const job of await history.jobsToRetry()) {
        if (dropped.has(job.key)) await ledger.change(job.key, [{ kind: 'retry-dropped', reason: null }]);
        else waiting.set(job.key, { job, notBeforeMs: 0, restsUntilMs: 0, tried: null });
      }
      wake();
    },
    wake,
    tryNow() {
      for (const entry of waiting.values()) Object.assign(entry, { notBeforeMs: 0, restsUntilMs: 0 });
      wake();
    },
    close() {
      isClosed = true;
      timer?.cancel();
    },
  };
}

function endpointOf({ connectionId, endpointId }: Job): string {
  return `${connectionId}\n${endpointId}`;
}

function isTooLate({ retentionEndsAtMs }: Job, nowMs: number): boolean {
  return retentionEndsAtMs !== null && nowMs >= retentionEndsAtMs;
}

const tooLate =
  'Not retried: its result left the service before the retry could be sent. Its input is saved here and can be ' +
  'submitted again.';
