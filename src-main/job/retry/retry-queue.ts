import type { Result } from '../../../src-preload/failure.ts';
import { endpointKey } from '../../../src-preload/endpoint-key.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { Timer } from '../../time/clock.ts';
import type { JobContext } from '../context/job-context.ts';

/**
 * What happened to a retry that was to be sent. `held`: the service certainly did not accept it; it stays, and may be
 * tried again at `notBeforeMs`; `isForAll`: nor may any other retry of its endpoint before then. `over`: there is
 * nothing left to send.
 */
export type RetrySent =
  | { kind: 'held'; notBeforeMs: number; isForAll: boolean }
  | { kind: 'over'; answer: Result<Job> };

/**
 * Sends it once, if it is still wanted at the last moment. The sender removes the mark from the job before anything
 * leaves, and restores it if the retry is held.
 */
export type SendRetry = (job: Job, isWanted: () => boolean) => Promise<RetrySent>;

/** After the disk refused a write, it is tried again after this time. */
const afterTroubleMs = 30_000;

interface Waiting {
  job: Job;
  /** Whether its mark, and how an earlier try ended, are on disk. Before, it can be withdrawn, but is not sent. */
  isOnDisk: boolean;
  notBeforeMs: number;
  /** What it waits for holds the later retries of its endpoint as well. */
  isForAll: boolean;
  /** The disk refused to record it, and nothing is done before that. */
  restsUntilMs: number;
  /** Set while it is being tried. */
  tried: { isWanted: boolean; sent: Promise<RetrySent> } | null;
}

/**
 * Retries that the user requested and that could not be sent: the service was out of reach, or the rate limit was used
 * up. They are marked on the job (`retryRequestedAtMs`), so they still exist after a restart.
 *
 * Retries of one endpoint leave one after the other, in the order of the requests. Those of different endpoints leave
 * at the same time, so that a service that does not answer does not delay others.
 */
export class RetryQueue {
  readonly #context: JobContext;
  readonly #send: SendRetry;
  /** By key, in the order of the requests. */
  readonly #waiting = new Map<string, Waiting>();
  /** Endpoints whose retries are being sent, and whether something changed meanwhile. */
  readonly #busy = new Map<string, { isWokenMeanwhile: boolean }>();
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(context: JobContext, send: SendRetry) {
    this.#context = context;
    this.#send = send;
  }

  /**
   * Adds a retry that cannot be sent now. Returns the marked job, or null if there is no such job. `beforeSent`: what
   * must be done after the job is marked and before the retry can leave.
   */
  async hold(job: Job, notBeforeMs: number, beforeSent?: () => Promise<void>): Promise<Job | null> {
    // From now on it can be withdrawn: once its mark is shown, a withdrawal must find it.
    const entry = waitingOf(job, { notBeforeMs: this.#notBeforeEarlier(job, notBeforeMs), isOnDisk: false });
    this.#waiting.set(job.key, entry);
    try {
      const after = await this.#context.ledger.change(job.key, [{ kind: 'retry-requested' }]);
      await beforeSent?.();
      if (this.#waiting.get(job.key) !== entry) return await this.#context.ledger.find(job.key);
      entry.isOnDisk = true;
      if (after?.retryRequestedAtMs === undefined) this.#waiting.delete(job.key);
      return after;
    } catch (error) {
      this.#waiting.delete(job.key);
      throw error;
    } finally {
      this.wake();
    }
  }

  /**
   * Whether another retry of this job's endpoint must wait behind one that waits for what holds all of them, such as
   * the rate limit. Not if that one also waits for the user, for example while Jobdeck is paused.
   */
  holdsMore(job: Job): boolean {
    return [...this.#waiting.values()].some(
      (entry) => entry.isForAll && endpointKey(entry.job) === endpointKey(job) && this.#dueAtMs(entry) !== null,
    );
  }

  /**
   * Withdraws a retry. If it is just being tried, this waits until it is known that it did not leave. Null if the job
   * has no waiting one.
   */
  async withdraw(key: string): Promise<Job | null> {
    const entry = this.#waiting.get(key);
    if (entry === undefined) return null;
    this.#waiting.delete(key);
    if (entry.tried !== null) {
      entry.tried.isWanted = false;
      const sent = await entry.tried.sent.catch(() => null);
      if (sent?.kind === 'over') return null;
    }
    return await this.#context.ledger.change(key, [{ kind: 'retry-dropped', reason: null }]);
  }

  /**
   * Resumes those of earlier runs. `dropped`: jobs whose retry may already have left, so it is no longer waiting
   * (ruling 9).
   */
  async start(dropped: ReadonlySet<string>): Promise<void> {
    for (const job of await this.#context.history.jobsToRetry()) {
      if (dropped.has(job.key)) await this.#context.ledger.change(job.key, [{ kind: 'retry-dropped', reason: null }]);
      else this.#waiting.set(job.key, waitingOf(job, { notBeforeMs: 0, isOnDisk: true }));
    }
    this.wake();
  }

  /** A change may allow one to be sent. */
  wake(): void {
    if (this.#isClosed) return;
    for (const endpoint of new Set([...this.#waiting.values()].map(({ job }) => endpointKey(job))))
      this.#wakeOne(endpoint);
  }

  /** Drops every wait and tries immediately. */
  tryNow(): void {
    for (const entry of this.#waiting.values()) Object.assign(entry, { notBeforeMs: 0, restsUntilMs: 0 });
    this.wake();
  }

  /** Nothing leaves the queue after this. Waiting retries stay marked on their jobs. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** When this one can be tried. Null while that depends on a change elsewhere. */
  #dueAtMs({ job, notBeforeMs }: Waiting): number | null {
    if (this.#context.pausing.isPaused || this.#context.whyNotFollowed(job) !== null) return null;
    const way = this.#context.reachability.access(job.connectionId);
    if (way.kind === 'closed' || way.kind === 'refused') return null;
    if (way.kind !== 'offline') return notBeforeMs;
    // While the service is out of reach, one request at a time tests whether it is back, and this may be it.
    return way.isProbing || this.#isAnyTried(job.connectionId) ? null : Math.max(notBeforeMs, way.probeAtMs);
  }

  /**
   * `atMs`, or when the last of the earlier retries at its endpoint can be tried that wait for what holds all. They
   * share one limit, which may end for each a few milliseconds apart: a later one must not be the first to find room.
   */
  #notBeforeEarlier(later: Job, atMs: number): number {
    let latestMs = atMs;
    for (const [earlierKey, { job, notBeforeMs, isForAll }] of this.#waiting) {
      if (earlierKey === later.key) break;
      if (isForAll && endpointKey(job) === endpointKey(later)) latestMs = Math.max(latestMs, notBeforeMs);
    }
    return latestMs;
  }

  /** The later retries at its endpoint wait for as long as this one: otherwise one of them might find room first. */
  #holdLater(key: string, { job, notBeforeMs }: Waiting): void {
    let isLater = false;
    for (const [otherKey, other] of this.#waiting) {
      if (isLater && endpointKey(other.job) === endpointKey(job))
        other.notBeforeMs = Math.max(other.notBeforeMs, notBeforeMs);
      isLater ||= otherKey === key;
    }
  }

  #isAnyTried(connectionId: string): boolean {
    for (const { job, tried } of this.#waiting.values())
      if (tried !== null && job.connectionId === connectionId) return true;
    return false;
  }

  /** Tries an endpoint's retries once, up to the first that holds the others. */
  async #pump(endpoint: string): Promise<void> {
    // If one is not due yet, time stands still for the later ones: its wait may end while they are considered.
    let stillMs: number | null = null;
    for (const [key, entry] of this.#waiting) {
      if (this.#isClosed) return;
      if (endpointKey(entry.job) !== endpoint) continue;
      const nowMs: number = stillMs ?? this.#context.clock.now();
      try {
        const passed = await this.#pass(key, entry, nowMs);
        if (passed === 'hold-later') return this.#holdLater(key, entry);
        if (passed === 'not-due') stillMs = nowMs;
      } catch (error) {
        this.#context.onTrouble(error);
        entry.restsUntilMs = this.#context.clock.now() + afterTroubleMs;
      }
    }
  }

  async #pass(key: string, entry: Waiting, nowMs: number): Promise<'go-on' | 'not-due' | 'hold-later'> {
    if (!entry.isOnDisk || nowMs < entry.restsUntilMs) return 'go-on';
    if (nowMs >= this.#tooLateAtMs(entry.job)) {
      await this.#context.ledger.change(key, [{ kind: 'retry-dropped', reason: { kind: 'retry-too-late' } }]);
      this.#waiting.delete(key);
      return 'go-on';
    }
    const atMs = this.#dueAtMs(entry);
    if (atMs === null) return 'go-on';
    if (atMs > nowMs) return 'not-due';
    const tried: { isWanted: boolean; sent: Promise<RetrySent> } = {
      isWanted: true,
      sent: this.#send(entry.job, () => tried.isWanted),
    };
    entry.tried = tried;
    const sent = await tried.sent.finally(() => {
      entry.tried = null;
    });
    if (sent.kind === 'held') {
      entry.notBeforeMs = this.#notBeforeEarlier(entry.job, sent.notBeforeMs);
      entry.isForAll = sent.isForAll;
      return sent.isForAll ? 'hold-later' : 'go-on';
    }
    this.#waiting.delete(key);
    if (!sent.answer.ok)
      await this.#context.ledger.change(key, [
        { kind: 'retry-dropped', reason: { kind: 'not-retried', said: sent.answer.failure.message } },
      ]);
    return 'go-on';
  }

  #arm(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const idle = [...this.#waiting.values()].filter(
      (entry) => entry.isOnDisk && !this.#busy.has(endpointKey(entry.job)),
    );
    const atMs = idle.flatMap((entry) =>
      [this.#dueAtMs(entry) ?? Infinity, this.#tooLateAtMs(entry.job)]
        .filter((each) => each !== Infinity)
        .map((each) => Math.max(each, entry.restsUntilMs)),
    );
    if (this.#isClosed || atMs.length === 0) return;
    this.#timer = this.#context.clock.after(Math.max(0, Math.min(...atMs) - this.#context.clock.now()), () =>
      this.wake(),
    );
  }

  /** From when on the service may have deleted the result. While the clock is doubted, its answer decides. */
  #tooLateAtMs({ retentionEndsAtMs, finishedSeenAtMs }: Job): number {
    const { clock, isClockDoubted } = this.#context;
    if (retentionEndsAtMs === null || isClockDoubted()) return Infinity;
    return retentionEndsAtMs + (clock.setAheadMs?.(finishedSeenAtMs ?? retentionEndsAtMs) ?? 0);
  }

  #wakeOne(endpoint: string): void {
    const known = this.#busy.get(endpoint);
    if (known !== undefined) {
      known.isWokenMeanwhile = true;
      return;
    }
    const turn = { isWokenMeanwhile: false };
    this.#busy.set(endpoint, turn);
    void this.#pump(endpoint).finally(() => {
      this.#busy.delete(endpoint);
      if (turn.isWokenMeanwhile && !this.#isClosed) this.#wakeOne(endpoint);
      else this.#arm();
    });
  }
}

function waitingOf(job: Job, since: Pick<Waiting, 'notBeforeMs' | 'isOnDisk'>): Waiting {
  return { job, isForAll: true, restsUntilMs: 0, tried: null, ...since };
}
