import type { Clock as ServiceClock } from '../../../../src-main/sandbox/clock.ts';
import type { Clock as EngineClock } from '../../../../src-main/time/clock.ts';

/** One time for the app and the service. It stands still until the test advances it. */
export interface JointClock {
  now(): number;
  engine: EngineClock;
  service: ServiceClock;
  /** Calls `run` when that time has come, whether or not the machine sleeps. */
  at(atMs: number, run: () => void): void;
  /**
   * Lets time pass until `atMs`. Timers fire in order, each at its own time. Before time moves on, the work that they
   * began must finish.
   */
  advanceTo(atMs: number): Promise<void>;
  /** Fires the timers whose time has come. False if there is none. */
  fireDue(): boolean;
  /** While the app's machine sleeps, the app's timers do not fire. Those that are due then fire when it wakes. */
  setAsleep(isAsleep: boolean): void;
  /** Timers of the service that hold an answer back. */
  heldAnswers(): number;
  /** Timers of the app. */
  engineTimers(): number;
}

export interface JointClockOptions {
  startMs?: number;
  /** Fires what is due, and waits until the work that it began is done. */
  settle: () => Promise<void>;
  /** Delays that only timers of the service with an open request have. */
  holdingDelaysMs: readonly number[];
}

interface Entry {
  atMs: number;
  order: number;
  owner: 'engine' | 'service' | 'world';
  /** An open request waits for it. */
  isHolding: boolean;
  run: () => void;
}

export function createJointClock({
  startMs = 1_700_000_000_000,
  settle,
  holdingDelaysMs,
}: JointClockOptions): JointClock {
  const timers = new Map<number, Entry>();
  let nowMs = startMs;
  let order = 0;
  let isAsleep = false;

  function add(owner: Entry['owner'], atMs: number, run: () => void): number {
    order += 1;
    const isHolding = owner === 'service' && holdingDelaysMs.includes(atMs - nowMs) && !isWithoutRequest();
    timers.set(order, { atMs, order, owner, isHolding, run });
    return order;
  }

  function next(): Entry | null {
    let first: Entry | null = null;
    for (const entry of timers.values()) {
      if (isAsleep && entry.owner === 'engine') continue;
      if (first === null || entry.atMs < first.atMs || (entry.atMs === first.atMs && entry.order < first.order))
        first = entry;
    }
    return first;
  }

  function fireDue(): boolean {
    let hasFired = false;
    for (let entry = next(); entry !== null && entry.atMs <= nowMs; entry = next()) {
      timers.delete(entry.order);
      entry.run();
      hasFired = true;
    }
    return hasFired;
  }

  return {
    now: () => nowMs,
    fireDue,
    engine: {
      now: () => nowMs,
      after(delayMs, run) {
        const id = add('engine', nowMs + Math.max(0, delayMs), run);
        return { cancel: () => void timers.delete(id) };
      },
    },
    service: {
      now: () => nowMs,
      setTimeout: (run, delayMs) => add('service', nowMs + Math.max(0, delayMs), run),
      clearTimeout: (timer) => void timers.delete(Number(timer)),
    },
    at: (atMs, run) => void add('world', Math.max(nowMs, atMs), run),
    async advanceTo(untilMs) {
      await settle();
      for (let entry = next(); entry !== null && entry.atMs <= untilMs; entry = next()) {
        nowMs = Math.max(nowMs, entry.atMs);
        await settle();
      }
      nowMs = Math.max(nowMs, untilMs);
      await settle();
    },
    setAsleep(next) {
      isAsleep = next;
    },
    heldAnswers: () => [...timers.values()].filter((timer) => timer.isHolding).length,
    engineTimers: () => [...timers.values()].filter(({ owner }) => owner === 'engine').length,
  };
}

/**
 * Whether the caller is one whose timers hold no request open, however long they are: the pauses between webhook calls,
 * and the deadlines of jobs.
 */
function isWithoutRequest(): boolean {
  return /\/queue\/(webhook|deadlines)\./.test(new Error('who sets this timer').stack ?? '');
}
