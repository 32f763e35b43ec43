import { dayMs, hourMs, minuteMs } from '../../src-preload/durations.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import type { Job } from '../../src-preload/job.ts';
import type { RetentionRule } from '../../src-preload/settings.ts';
import { deletesSomething, type Forgettable, type StorageUse } from '../../src-preload/storage.ts';
import { ok } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import { fromHistory, type History } from '../history/history.ts';
import type { CountedSoFar, EndedPlace, ForgetOrder } from '../history/storage/forget.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import { sparedSpans, type DoubtedSpan } from '../time/clock-record.ts';
import { Alarm } from '../time/timers.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { Foundation } from './foundation.ts';

/** The rule is first applied this long after the start, and then at this interval. */
const firstAfterMs = minuteMs;
const everyMs = hourMs;
/** A job that ended less than this long ago is not deleted to save space: it may not have been seen yet. */
const sparedMs = hourMs;

type RetentionFoundation = Pick<
  Foundation,
  'parts' | 'history' | 'settings' | 'clockGuard' | 'jobNews' | 'events' | 'closing'
>;

interface RetentionParts {
  history: Pick<History, 'forgetBodies' | 'giveBack'>;
  /** The current rule. */
  rule: () => RetentionRule;
  clock: Clock;
  /** While the clock is doubted nothing is deleted. */
  guard: Pick<ClockGuard, 'doubt' | 'doubtedSpans'>;
  /** Jobs whose output was deleted. */
  onForgotten: (jobs: readonly Job[]) => void;
  log: Log;
}

/**
 * Applies the user's retention rule once an hour, in steps that let other work run in between. Without a rule it checks
 * once after the start, and then only if space can be freed; no timer is set meanwhile.
 */
class Retention {
  readonly #parts: RetentionParts;
  readonly #alarm: Alarm;
  #inProgress: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
    this.#alarm = new Alarm(parts.clock, () => void this.apply());
    this.#alarm.set(parts.clock.now() + firstAfterMs);
  }

  /** Applies the rule now, after what is in progress. */
  apply(): Promise<void> {
    this.#inProgress = this.#inProgress.then(() => this.#run());
    return this.#inProgress;
  }

  /** Jobs were deleted: their space is freed soon. */
  giveBackSoon(): void {
    if (!this.#isClosed) this.#alarm.setAtLatest(this.#parts.clock.now() + firstAfterMs);
  }

  /** Stops after the step in progress. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#alarm.cancel();
    return this.#inProgress;
  }

  async #run(): Promise<void> {
    const { history, rule, clock, guard, onForgotten, log } = this.#parts;
    if (this.#isClosed) return;
    const current = rule();
    try {
      if (guard.doubt() === null && deletesSomething(current)) {
        const order = orderOf(current, clock.now(), guard.doubtedSpans());
        let after: EndedPlace | null = null;
        do {
          const step: Awaited<ReturnType<History['forgetBodies']>> = await history.forgetBodies(order, after);
          if (step.forgotten.length > 0) onForgotten(step.forgotten);
          after = step.next;
        } while (after !== null && this.#isStillWanted(current));
      }
      while (!this.#isClosed && (await history.giveBack()));
    } catch (error) {
      log.warn('The retention rule could not be applied to all jobs; it is tried again', { detail: errorText(error) });
    }
    if (!this.#isClosed && deletesSomething(rule())) this.#alarm.set(clock.now() + everyMs);
  }

  #isStillWanted(rule: RetentionRule): boolean {
    return !this.#isClosed && isSameRule(this.#parts.rule(), rule);
  }
}

/** What a rule deletes at this moment. */
function orderOf(
  { afterDays, areInputsDeleted, maxBytes }: RetentionRule,
  nowMs: number,
  doubted: readonly DoubtedSpan[],
): ForgetOrder {
  const tooOldMs = afterDays === null ? null : nowMs - afterDays * dayMs;
  return {
    spared: sparedSpans(doubted, tooOldMs),
    tooOldMs,
    areInputsDeleted,
    size: maxBytes === null ? null : { maxBytes, beforeMs: nowMs - sparedMs },
  };
}

/** Whether two rules are the same in all they say. */
function isSameRule(one: RetentionRule, other: RetentionRule): boolean {
  return (
    one.afterDays === other.afterDays &&
    one.areInputsDeleted === other.areInputsDeleted &&
    one.maxBytes === other.maxBytes
  );
}

export type StorageCalls = Pick<
  Handlers,
  'storage:use' | 'storage:wouldForget' | 'storage:clockDoubt' | 'storage:confirmClock' | 'storage:compact'
>;

/**
 * Applies the user's retention rule from now on, and immediately when it changes. Returns the handlers of the calls
 * about the history's disk space.
 */
export function keepRetention(foundation: RetentionFoundation): StorageCalls {
  const { parts, history, settings, clockGuard: guard, jobNews, events, closing } = foundation;
  const { clock } = parts;
  const retention = new Retention({
    history,
    rule: () => settings.current().retention,
    clock,
    guard,
    onForgotten: (jobs) => jobNews.changed(jobs),
    log: parts.log.area('retention'),
  });
  let known = settings.current().retention;
  events.on('settings-changed', ({ retention: rule }) => {
    if (isSameRule(rule, known)) return;
    known = rule;
    void retention.apply();
  });
  events.on('jobs-removed', () => retention.giveBackSoon());
  events.on('clock-believed', () => void retention.apply());
  closing.later('retention', () => retention.close());
  return {
    'storage:use': () => fromHistory(measured(history)),
    'storage:wouldForget': (rule) => fromHistory(counted(history, orderOf(rule, clock.now(), guard.doubtedSpans()))),
    'storage:clockDoubt': () => ok(guard.doubt()),
    'storage:confirmClock': () => {
      guard.confirm();
      return ok(null);
    },
    'storage:compact': () => fromHistory(history.compact()),
  };
}

async function measured(history: Pick<History, 'measureStorage'>): Promise<StorageUse> {
  let step = await history.measureStorage(null);
  while (!step.isDone) step = await history.measureStorage(step);
  return step.use;
}

async function counted(history: Pick<History, 'countForgettable'>, order: ForgetOrder): Promise<Forgettable> {
  let step: CountedSoFar = await history.countForgettable(order, null);
  while (!step.isDone) step = await history.countForgettable(order, step);
  return step.would;
}
