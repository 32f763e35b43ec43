import type { SandboxRequest, SandboxRequests } from '../../src-preload/sandbox.ts';

/** The requests in the list. Immutable: every change returns a new one. */
export interface RequestLog {
  /** Oldest first, at most `maxShown`. */
  shown: readonly SandboxRequest[];
  /** Requests that came since the list was paused. Null while it is not paused. */
  held: readonly SandboxRequest[] | null;
  /** How many requests are not in the list: they came too fast for an event each, or were dropped. */
  missed: number;
  /** The last request added, so that none is added twice. */
  lastSeq: number;
}

/** The list shows current requests; it is no archive. */
export const maxShown = 5_000;

export const emptyLog: RequestLog = { shown: [], held: null, missed: 0, lastSeq: 0 };

/** Adds the new requests of a batch. While the list is paused they wait. */
export function addRequests(log: RequestLog, batch: SandboxRequests): RequestLog {
  const fresh = batch.requests.filter((request) => request.seq > log.lastSeq);
  const last = fresh.at(-1);
  // A batch without new requests was added before, and so was its count of missed ones.
  if (last === undefined) return log;
  const missed = log.missed + batch.missed;
  const before = log.held ?? log.shown;
  const all = [...before, ...fresh];
  const kept = all.slice(-maxShown);
  return {
    ...log,
    ...(log.held === null ? { shown: kept } : { held: kept }),
    missed: missed + all.length - kept.length,
    lastSeq: last.seq,
  };
}

/** Pauses the list. New requests wait. */
export function pauseLog(log: RequestLog): RequestLog {
  return log.held === null ? { ...log, held: [] } : log;
}

/** Adds the waiting requests to the list and resumes it. */
export function resumeLog(log: RequestLog): RequestLog {
  if (log.held === null) return log;
  const all = [...log.shown, ...log.held];
  const shown = all.slice(-maxShown);
  return { ...log, shown, held: null, missed: log.missed + all.length - shown.length };
}

/** Empties the list for good. A paused list stays paused. */
export function clearLog(log: RequestLog): RequestLog {
  return { ...log, shown: [], held: log.held === null ? null : [], missed: 0 };
}
