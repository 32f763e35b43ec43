import type { Clock } from '../time/clock.ts';
import type { JobRecord } from './job-record.ts';

export interface JobWait {
  record: JobRecord;
  clock: Clock;
  isSatisfied: () => boolean;
  waitMs: number;
  /** Ends the wait when the caller has hung up. */
  signal: AbortSignal;
}

/** Resolves when the job satisfies the condition, was removed, `waitMs` passed, or the caller left. */
export function waitForJob({ record, clock, isSatisfied, waitMs, signal }: JobWait): Promise<void> {
  const isOver = (): boolean => record.isRemoved || isSatisfied();
  if (isOver() || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clock.clearTimeout(timer);
      record.listeners?.delete(check);
      if (record.listeners?.size === 0) record.listeners = null;
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const check = (): void => {
      if (isOver()) finish();
    };
    const timer = clock.setTimeout(finish, waitMs);
    record.listeners ??= new Set();
    record.listeners.add(check);
    signal.addEventListener('abort', finish);
  });
}
