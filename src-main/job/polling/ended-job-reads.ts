import type { Failure } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { Clock } from '../../time/clock.ts';
import { Alarm } from '../../time/timers.ts';
import type { JobContext } from '../context/job-context.ts';
import type { LedgerChange } from '../store/ledger.ts';

/** Reads the status of jobs that are over here and of which the service may still say more. */
export interface EndedJobReads {
  /** Resumes those of earlier runs. */
  start(): Promise<void>;
  /** What was committed. */
  note(changes: readonly LedgerChange[]): void;
  /** Jobs that were deleted are no longer read. */
  removed(keys: readonly string[]): void;
  /** The pause of polling ended: what became due meanwhile is read. */
  resume(): void;
  /** A webhook call named this job. If it is one of these, it is read soon (ruling 25: a hint, no more). */
  hinted(jobId: string): void;
  close(): void;
}

/** How long the service asked to be left alone, in milliseconds (ruling 10). 0 if it asked for nothing. */
export function waitAskedForMs(failure: Failure): number {
  return 'retryAfterMs' in failure ? (failure.retryAfterMs ?? 0) : 0;
}

/** Several kinds of these reads as one. They start one after the other. */
export function allEndedJobReads(kinds: readonly EndedJobReads[]): EndedJobReads {
  return {
    async start() {
      for (const kind of kinds) await kind.start();
    },
    note: (changes) => kinds.forEach((kind) => kind.note(changes)),
    removed: (keys) => kinds.forEach((kind) => kind.removed(keys)),
    resume: () => kinds.forEach((kind) => kind.resume()),
    hinted: (jobId) => kinds.forEach((kind) => kind.hinted(jobId)),
    close: () => kinds.forEach((kind) => kind.close()),
  };
}

/** Anyone who knows the path of a webhook can call it at any rate. */
const minPauseMs = 10_000;

/** A job, when it was last read or, before that, planned, and when it is read next: in epoch milliseconds. */
export interface PlannedRead {
  job: Job;
  fromMs: number;
  atMs: number;
}

/** When which job is read, with one timer for all of them. None is read while polling is paused. */
export class PlannedReads<R extends PlannedRead> {
  readonly #clock: Clock;
  readonly #pausing: JobContext['pausing'];
  readonly #onDue: (read: R) => void;
  readonly #byKey = new Map<string, R>();
  readonly #alarm: Alarm;
  #isClosed = false;

  /** `onDue` is called when a read is due. It plans the next one, or takes the job out. */
  constructor({ clock, pausing }: Pick<JobContext, 'clock' | 'pausing'>, onDue: (read: R) => void) {
    this.#clock = clock;
    this.#pausing = pausing;
    this.#onDue = onDue;
    this.#alarm = new Alarm(clock, () => this.#readDue());
  }

  /** The planned read of a job. */
  get(key: string): R | undefined {
    return this.#byKey.get(key);
  }

  /** All planned reads, in no order. */
  all(): Iterable<R> {
    return this.#byKey.values();
  }

  /** Plans a read, instead of any of the same job. `arm` sets the timer. */
  plan(read: R): void {
    this.#byKey.set(read.job.key, read);
  }

  /** Returns whether a read was planned. `arm` sets the timer. */
  drop(key: string): boolean {
    return this.#byKey.delete(key);
  }

  /** Sets the timer for the earliest read. */
  arm(): void {
    if (this.#isClosed || this.#pausing.isPaused || this.#byKey.size === 0) return this.#alarm.cancel();
    let atMs = Infinity;
    for (const read of this.#byKey.values()) atMs = Math.min(atMs, read.atMs);
    this.#alarm.set(atMs);
  }

  /** As `EndedJobReads.removed`. */
  removed(keys: readonly string[]): void {
    for (const key of keys) this.drop(key);
    this.arm();
  }

  /** As `EndedJobReads.hinted`. */
  hinted(jobId: string): void {
    for (const read of this.#byKey.values())
      if (read.job.jobId === jobId)
        read.atMs = Math.min(read.atMs, Math.max(this.#clock.now(), read.fromMs + minPauseMs));
    this.arm();
  }

  /** Nothing is read from now on. */
  close(): void {
    this.#isClosed = true;
    this.#byKey.clear();
    this.#alarm.cancel();
  }

  #readDue(): void {
    if (this.#pausing.isPaused) return;
    const nowMs = this.#clock.now();
    for (const read of this.#byKey.values()) if (read.atMs <= nowMs) this.#onDue(read);
    this.arm();
  }
}
