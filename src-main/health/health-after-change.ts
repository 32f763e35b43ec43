import { endpointKey } from '../../src-preload/endpoint-key.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Clock } from '../time/clock.ts';
import { createThrottle } from '../time/throttle.ts';
import type { Throttle } from '../time/throttle.ts';

/** An endpoint's health is read again after its jobs changed, at most this often. */
const gapMs = 5_000;

export interface HealthAfterChange {
  jobsChanged(jobs: readonly Job[]): void;
  close(): void;
}

/**
 * Keeps what windows say of an endpoint's workers true while its jobs move: one health read after a job was accepted,
 * started or ended, the last change never unread. Nothing is read while nothing changes.
 */
export function createHealthAfterChange(parts: {
  clock: Clock;
  refresh: (connectionId: string, endpointId: string) => Promise<unknown>;
}): HealthAfterChange {
  const { clock, refresh } = parts;
  /** The phase and status of each job when it was told last. */
  const standings = new Map<string, string>();
  const reads = new Map<string, Throttle>();

  function readSoon({ connectionId, endpointId }: Job): void {
    const key = endpointKey(connectionId, endpointId);
    // What goes wrong is shown with the connection; a sidebar figure is not worth another word.
    const run = (): void => void refresh(connectionId, endpointId).catch(() => undefined);
    const read = reads.get(key) ?? createThrottle({ clock, gapMs, run });
    reads.set(key, read);
    read.request();
  }

  return {
    jobsChanged(jobs) {
      for (const job of jobs) {
        const standing = `${job.phase} ${job.status ?? ''}`;
        if (standings.get(job.key) === standing) continue;
        // A job that is not sent yet moves nothing at the service.
        const isSent = job.jobId !== null;
        if (job.phase === 'active' || !isSent) standings.set(job.key, standing);
        else standings.delete(job.key);
        if (isSent) readSoon(job);
      }
    },
    close() {
      for (const read of reads.values()) read.cancel();
      reads.clear();
    },
  };
}
