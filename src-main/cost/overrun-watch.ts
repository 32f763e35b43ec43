import { attemptsOf, estimateCost, isRunningJob, rateAt, type EndpointCost } from '../../src-preload/cost.ts';
import { formatDate, startOfDay } from '../../src-preload/format.ts';
import type { Attempt, Job } from '../../src-preload/job.ts';
import type { Clock } from '../time/clock.ts';
import { Alarm, createThrottle, type Throttle } from '../time/timers.ts';
import { checkOverruns, type EndedJob, type NotifiedOverruns, type Overrun, type RunningJob } from './overrun.ts';

export interface OverrunWatchParts {
  clock: Clock;
  cost: EndpointCost;
  notified: NotifiedOverruns;
  /** Former attempts of a job that was retried. */
  attempts: (key: string) => Promise<Attempt[]>;
  /** Credits spent since then: of attempts that ended, and of running ones up to now. */
  spentSince: (cost: EndpointCost, sinceMs: number) => Promise<number>;
  /** Rejects if the disk refuses. The overrun is reported all the same, and this is tried again with the next one. */
  saveNotified: (notified: NotifiedOverruns) => Promise<void>;
  onOverrun: (overrun: Overrun, day: string) => void;
  onTrouble: (error: unknown) => void;
}

/** Jobs change by the hundred. They are judged together, at most this often. */
const gapMs = 1_000;
/** When the history could not be read, it is tried again after this time. */
const retryAfterMs = 30_000;

/**
 * Watches one connection's endpoint for jobs and days that pass its limits. It judges when jobs changed. Its only timer
 * is for the moment when a running job will pass a limit.
 */
export class OverrunWatch {
  readonly #parts: OverrunWatchParts;
  readonly #live = new Map<string, Job>();
  readonly #running = new Map<string, RunningJob>();
  /** Jobs that were not judged since they changed. */
  readonly #changed = new Map<string, Job>();
  readonly #judging: Throttle;
  /** Rings when a running job passes a limit, if nothing changes. */
  readonly #alarm: Alarm;
  #cost: EndpointCost;
  #notified: NotifiedOverruns;
  #isNotifiedSaved = true;
  #isClosed = false;

  constructor(parts: OverrunWatchParts) {
    const { clock, cost, notified } = parts;
    this.#parts = parts;
    this.#cost = cost;
    this.#notified = notified;
    this.#judging = createThrottle({
      clock,
      gapMs,
      run: () => this.#judge().catch((error: unknown) => this.#judgeLater(error)),
    });
    this.#alarm = new Alarm(clock, this.#judging.request);
  }

  /** Jobs of this endpoint that changed. */
  noteJobs(jobs: readonly Job[]): void {
    for (const job of jobs) {
      if (isRunningJob(job)) this.#live.set(job.key, job);
      else this.#live.delete(job.key);
      if (this.#hasLimits()) this.#changed.set(job.key, job);
      else this.#running.delete(job.key);
    }
    if (this.#changed.size > 0) this.#judging.request();
  }

  /** The rates or limits changed. */
  setCost(cost: EndpointCost): void {
    this.#cost = cost;
    if (!this.#hasLimits()) return;
    for (const job of this.#live.values()) this.#changed.set(job.key, job);
    this.#judging.request();
  }

  /** Judges nothing any further. */
  close(): void {
    this.#isClosed = true;
    this.#judging.cancel();
    this.#alarm.cancel();
  }

  /** Resolves when nothing is in progress. */
  idle(): Promise<void> {
    return this.#judging.idle();
  }

  #hasLimits(): boolean {
    const { perJob, perDay } = this.#cost.limits;
    return perJob !== null || perDay !== null;
  }

  async #judge(): Promise<void> {
    const { clock, onOverrun } = this.#parts;
    const jobs = [...this.#changed.values()];
    const ended: EndedJob[] = [];
    for (const job of jobs) await this.#take(job, ended);
    const spent = await this.#spentToday();
    const nowMs = clock.now();
    const day = formatDate(nowMs);
    const { overruns, notified, nextAtMs } = checkOverruns({
      nowMs,
      day,
      creditsPerHour: rateAt(this.#cost.rates, nowMs),
      limits: this.#cost.limits,
      running: [...this.#running.values()],
      ended,
      spent: spent === 'day-ended' ? null : spent,
      notified: this.#notified,
    });
    for (const job of jobs) if (this.#changed.get(job.key) === job) this.#changed.delete(job.key);
    this.#notified = notified;
    if (overruns.length > 0) this.#isNotifiedSaved = false;
    await this.#saveNotified();
    for (const overrun of overruns) onOverrun(overrun, day);
    if (this.#isClosed) return;
    this.#alarm.set(nextAtMs ?? Infinity);
    if (spent === 'day-ended') this.#judging.request();
  }

  /** Null without a limit for a day. The sum of a day that ended while it was read is not that of today. */
  async #spentToday(): Promise<{ credits: number; atMs: number } | 'day-ended' | null> {
    const { clock, spentSince } = this.#parts;
    const atMs = clock.now();
    const startOfDayMs = startOfDay(atMs);
    const credits = this.#cost.limits.perDay === null ? null : await spentSince(this.#cost, startOfDayMs);
    if (startOfDay(clock.now()) !== startOfDayMs) return 'day-ended';
    return credits === null ? null : { credits, atMs };
  }

  /** Saved before it is reported, so that no later start reports it again. */
  async #saveNotified(): Promise<void> {
    if (this.#isNotifiedSaved) return;
    try {
      await this.#parts.saveNotified(this.#notified);
      this.#isNotifiedSaved = true;
    } catch (error) {
      this.#parts.onTrouble(error);
    }
  }

  #judgeLater(error: unknown): void {
    this.#parts.onTrouble(error);
    if (!this.#isClosed) this.#alarm.setAtLatest(this.#parts.clock.now() + retryAfterMs);
  }

  /** Adds a job to the running ones, or to `ended`. */
  async #take(job: Job, ended: EndedJob[]): Promise<void> {
    const isRunning = isRunningJob(job);
    if (!isRunning) this.#running.delete(job.key);
    const hasEnded = job.finishedSeenAtMs !== null && job.finishedSeenAtMs >= this.#cost.limitsSinceMs;
    if (!isRunning && !hasEnded) return;
    const former = job.attempt === 1 ? [] : await this.#parts.attempts(job.key);
    const nowMs = this.#parts.clock.now();
    const attempts = attemptsOf(job, former, nowMs);
    if (isRunning) {
      const before = estimateCost(attempts.slice(0, -1), this.#cost.rates, nowMs);
      this.#running.set(job.key, {
        key: job.key,
        title: job.title,
        formerCredits: before.kind === 'estimate' ? before.credits : 0,
        startedAtMs: job.startedSeenAtMs ?? nowMs,
      });
      return;
    }
    const all = estimateCost(attempts, this.#cost.rates, nowMs);
    if (all.kind === 'estimate') ended.push({ key: job.key, title: job.title, credits: all.credits });
  }
}
