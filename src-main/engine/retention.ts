import { binDays } from '../../src-preload/bin.ts';
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
import { excludedSpans, type DoubtedSpan } from '../time/clock-record.ts';
import { Alarm } from '../time/timers.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { Foundation } from './foundation.ts';

/** The rule is first applied this long after the start, and then at this interval. */
const firstAfterMs = minuteMs;
const everyMs = hourMs;
/** A job that ended less than this long ago is not deleted to save space: it may not have been seen yet. */
const sparedMs = hourMs;

/** What retention needs of the foundation. */
interface RetentionFoundation extends Pick<Foundation, 'events'> {
  parts: Pick<Foundation['parts'], 'clock' | 'news' | 'log'>;
  history: Pick<
    History,
    'forgetBodies' | 'reclaimSpace' | 'emptyLogs' | 'expireBinned' | 'measureStorage' | 'countForgettable' | 'compact'
  >;
  settings: Pick<Foundation['settings'], 'current'>;
  clockGuard: Pick<ClockGuard, 'doubt' | 'doubtedSpans' | 'confirm'>;
  jobNews: Pick<Foundation['jobNews'], 'changed'>;
  closing: Pick<Foundation['closing'], 'later'>;
}

interface RetentionParts {
  history: Pick<History, 'forgetBodies' | 'reclaimSpace' | 'emptyLogs' | 'expireBinned'>;
  /** The current rule. */
  rule: () => RetentionRule;
  clock: Clock;
  /** While the clock is doubted nothing is deleted. */
  guard: Pick<ClockGuard, 'doubt' | 'doubtedSpans'>;
  /** Jobs whose output was deleted. */
  onForgotten: (jobs: readonly Job[]) => void;
  /** Jobs of the bin were deleted for good. */
  onExpired: () => void;
  log: Log;
}

/**
 * Applies the user's retention rule once an hour, in steps that let other work run in between, and deletes for good
 * what was in the bin for long enough. Without a rule it checks once after the start, and then only when the next job
 * of the bin is due, or if space can be freed; without either no timer is set. What failed is tried again after an
 * hour.
 */
class Retention {
  readonly #parts: RetentionParts;
  readonly #alarm: Alarm;
  #inProgress: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Whether SQLite's logs may still have what was deleted: at first what a run before this one deleted. */
  #isInLogs = true;

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
    this.#isInLogs = true;
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
    let binDueMs: number | null = null;
    let areLogsInUse = false;
    try {
      if (guard.doubt() === null) binDueMs = await this.#expireBin();
      if (guard.doubt() === null && deletesSomething(current)) {
        const order = orderOf(current, clock.now(), guard.doubtedSpans());
        let after: EndedPlace | null = null;
        do {
          const step: Awaited<ReturnType<History['forgetBodies']>> = await history.forgetBodies(order, after);
          if (step.forgotten.length > 0) {
            this.#isInLogs = true;
            onForgotten(step.forgotten);
          }
          after = step.next;
        } while (after !== null && this.#isStillWanted(current));
      }
      while (!this.#isClosed && (await history.reclaimSpace()));
      if (!this.#isClosed && this.#isInLogs) areLogsInUse = !(await this.#emptyLogs());
    } catch (error) {
      log.warn('Old jobs could not be deleted, or no space freed; it is tried again', { detail: errorText(error) });
      if (!this.#isClosed) this.#alarm.setAtLatest(clock.now() + everyMs);
      return;
    }
    if (this.#isClosed) return;
    if (deletesSomething(rule())) this.#alarm.setAtLatest(clock.now() + everyMs);
    else if (binDueMs !== null) this.#alarm.setAtLatest(Math.max(binDueMs, clock.now() + everyMs));
    if (areLogsInUse) this.#alarm.setAtLatest(clock.now() + firstAfterMs);
  }

  /** Returns false if they are in use now. */
  async #emptyLogs(): Promise<boolean> {
    // First, because a job may be deleted meanwhile.
    this.#isInLogs = false;
    let isEmptied = false;
    try {
      isEmptied = await this.#parts.history.emptyLogs();
    } finally {
      if (!isEmptied) this.#isInLogs = true;
    }
    return isEmptied;
  }

  /** Returns when the oldest job that is left in the bin is due. Null if there is none. */
  async #expireBin(): Promise<number | null> {
    const { history, clock, guard, onExpired } = this.#parts;
    const tooOldMs = clock.now() - binDays * dayMs;
    const spans = excludedSpans(guard.doubtedSpans(), tooOldMs).map(({ fromMs, toMs }) => ({ fromMs, toMs }));
    for (;;) {
      const { removed, isMore, oldestMs } = await history.expireBinned(tooOldMs, spans);
      if (removed > 0) {
        this.#isInLogs = true;
        onExpired();
      }
      if (!isMore || this.#isClosed) return oldestMs === null ? null : oldestMs + binDays * dayMs;
    }
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
    excludedSpans: excludedSpans(doubted, tooOldMs),
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
    onExpired: () => parts.news.emit('bin:changed', { restoredKeys: [], deletedKeys: [] }),
    log: parts.log.area('retention'),
  });
  let known = settings.current().retention;
  events.on('settings-changed', ({ retention: rule }) => {
    if (isSameRule(rule, known)) return;
    known = rule;
    void retention.apply();
  });
  events.on('jobs-removed', () => retention.giveBackSoon());
  events.on('bin-shrank', () => retention.giveBackSoon());
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
