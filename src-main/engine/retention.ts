import { dayMs } from '../../src-preload/durations.ts';
import { ok, type Result } from '../../src-preload/failure.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Forgettable, StorageUse } from '../../src-preload/storage.ts';
import { errorText } from '../async/error-text.ts';
import { fromHistory, type History } from '../history/history.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import { Alarm } from '../time/timers.ts';

/** The rule is first applied this long after the start, and then at this interval. */
const firstAfterMs = 60_000;
const everyMs = 3_600_000;

export interface RetentionParts {
  history: Pick<History, 'forgetOutputs' | 'giveBack'>;
  /** The current rule: days, or null to keep everything. */
  afterDays: () => number | null;
  clock: Clock;
  /** Jobs whose output was deleted. */
  onForgotten: (jobs: readonly Job[]) => void;
  log: Log;
}

/**
 * Applies the user's retention rule once an hour, in steps that let other work run in between. Without a rule it checks
 * once after the start, and then only if space can be freed; no timer is set meanwhile.
 */
export class Retention {
  readonly #parts: RetentionParts;
  readonly #alarm: Alarm;
  #underWay: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
    this.#alarm = new Alarm(parts.clock, () => void this.apply());
    this.#alarm.set(parts.clock.now() + firstAfterMs);
  }

  /** Applies the rule now, after what is in progress. */
  apply(): Promise<void> {
    this.#underWay = this.#underWay.then(() => this.#run());
    return this.#underWay;
  }

  /** Jobs were deleted: their space is freed soon. */
  giveBackSoon(): void {
    if (!this.#isClosed) this.#alarm.setAtLatest(this.#parts.clock.now() + firstAfterMs);
  }

  /** Stops after the step in progress. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#alarm.cancel();
    return this.#underWay;
  }

  async #run(): Promise<void> {
    const { history, afterDays, clock, onForgotten, log } = this.#parts;
    if (this.#isClosed) return;
    const days = afterDays();
    try {
      if (days !== null) {
        const beforeMs = clock.now() - days * dayMs;
        let after: Parameters<History['forgetOutputs']>[1] = null;
        do {
          const step: Awaited<ReturnType<History['forgetOutputs']>> = await history.forgetOutputs(beforeMs, after);
          if (step.forgotten.length > 0) onForgotten(step.forgotten);
          after = step.next;
        } while (after !== null && this.#isStillWanted(days));
      }
      while (!this.#isClosed && (await history.giveBack()));
    } catch (error) {
      log.warn('The retention rule could not be applied to all jobs; it is tried again', { detail: errorText(error) });
    }
    if (!this.#isClosed && afterDays() !== null) this.#alarm.set(clock.now() + everyMs);
  }

  #isStillWanted(days: number): boolean {
    return !this.#isClosed && this.#parts.afterDays() === days;
  }
}

type StorageCalls = Pick<Handlers, 'storage:use' | 'storage:wouldForget' | 'storage:compact'>;

/** Handlers of the calls about the history's disk space. */
export function storageHandlers(
  history: Pick<History, 'measureStorage' | 'countForgettable' | 'compact'>,
  now: () => number,
): StorageCalls {
  return {
    'storage:use': () => fromHistory(measured(history)),
    'storage:wouldForget': ({ afterDays }) => counted(history, now() - afterDays * dayMs),
    'storage:compact': () => fromHistory(history.compact()),
  };
}

async function measured(history: Pick<History, 'measureStorage'>): Promise<StorageUse> {
  let step = await history.measureStorage(null);
  while (!step.isDone) step = await history.measureStorage(step);
  return step.use;
}

async function counted(history: Pick<History, 'countForgettable'>, beforeMs: number): Promise<Result<Forgettable>> {
  const sum: Forgettable = { jobs: 0, outputBytes: 0 };
  let after: Parameters<History['countForgettable']>[1] = null;
  do {
    const step: Result<Awaited<ReturnType<History['countForgettable']>>> = await fromHistory(
      history.countForgettable(beforeMs, after),
    );
    if (!step.ok) return step;
    sum.jobs += step.value.jobs;
    sum.outputBytes += step.value.outputBytes;
    after = step.value.next;
  } while (after !== null);
  return ok(sum);
}
