import { endpointKey } from '../../src-preload/endpoint-key.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Clock } from '../time/clock.ts';
import { createThrottle, type Throttle } from '../time/timers.ts';

/** An endpoint's health is read again after its jobs changed, at most this often. */
const gapMs = 5_000;

export interface HealthAfterChange {
  jobsChanged(jobs: readonly Job[]): void;
  close(): void;
}

/**
 * Keeps the worker counts in windows up to date while jobs change: one health read after jobs were accepted, started or
 * ended, and always one after the last change. Nothing is read while nothing changes.
 */
export function createHealthAfterChange(parts: {
  clock: Clock;
  refresh: (connectionId: string, endpointId: string) => Promise<unknown>;
}): HealthAfterChange {
  const { clock, refresh } = parts;
  /** The last known phase and status of each job. */
  const lastStates = new Map<string, string>();
  const reads = new Map<string, Throttle>();

  function readSoon({ connectionId, endpointId }: Job): void {
    const key = endpointKey({ connectionId, endpointId });
    // A failure is shown with the connection. It is not reported again for a sidebar figure.
    const run = (): void => void refresh(connectionId, endpointId).catch(() => undefined);
    const read = reads.get(key) ?? createThrottle({ clock, gapMs, run });
    reads.set(key, read);
    read.request();
  }

  return {
    jobsChanged(jobs) {
      for (const job of jobs) {
        const state = `${job.phase} ${job.status ?? ''}`;
        if (lastStates.get(job.key) === state) continue;
        // A job that was not sent changes nothing at the service.
        const isSent = job.jobId !== null;
        if (job.phase === 'active' || !isSent) lastStates.set(job.key, state);
        else lastStates.delete(job.key);
        if (isSent) readSoon(job);
      }
    },
    close() {
      for (const read of reads.values()) read.cancel();
      reads.clear();
    },
  };
}
