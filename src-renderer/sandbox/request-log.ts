import type { SandboxRequest, SandboxRequests } from '../../src-preload/sandbox.ts';

/** The requests a window shows. Immutable: every change gives a new one. */
export interface RequestLog {
  /** Oldest first, at most `mostShown`. */
  shown: readonly SandboxRequest[];
  /** What came since the list was paused; null while it is not. */
  held: readonly SandboxRequest[] | null;
  /** How many are not in the list: they came too fast for an event each, or were pushed out. */
  missed: number;
  /** The last one taken, so that nothing is taken twice. */
  lastSeq: number;
}

/** The list is for looking at what goes on, not an archive. */
export const mostShown = 5_000;

export const emptyLog: RequestLog = { shown: [], held: null, missed: 0, lastSeq: 0 };

/** Takes what is new of a batch; while paused it waits. */
export function addRequests(log: RequestLog, batch: SandboxRequests): RequestLog {
  const fresh = batch.requests.filter((request) => request.seq > log.lastSeq);
  const last = fresh.at(-1);
  // A batch with nothing new came before, with what it missed.
  if (last === undefined) return log;
  const missed = log.missed + batch.missed;
  const before = log.held ?? log.shown;
  const all = [...before, ...fresh];
  const kept = all.slice(-mostShown);
  return {
    ...log,
    ...(log.held === null ? { shown: kept } : { held: kept }),
    missed: missed + all.length - kept.length,
    lastSeq: last.seq,
  };
}

/** The list stands still; what comes waits. */
export function pauseLog(log: RequestLog): RequestLog {
  return log.held === null ? { ...log, held: [] } : log;
}

/** The list takes what waited, and goes on. */
export function resumeLog(log: RequestLog): RequestLog {
  if (log.held === null) return log;
  const all = [...log.shown, ...log.held];
  const shown = all.slice(-mostShown);
  return { ...log, shown, held: null, missed: log.missed + all.length - shown.length };
}

/** Takes everything off the list. What was there does not come back; a paused list stays paused. */
export function clearLog(log: RequestLog): RequestLog {
  return { ...log, shown: [], held: log.held === null ? null : [], missed: 0 };
}
