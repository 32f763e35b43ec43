import type { Job } from '../../src-preload/job.ts';
import type { Clock, Timer } from '../time/clock.ts';

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
  const standings = new Map<string, string>();
  const endpoints = new Map<string, { readAtMs: number; timer: Timer | null }>();

  function read(id: string, connectionId: string, endpointId: string): void {
    endpoints.set(id, { readAtMs: clock.now(), timer: null });
    // What goes wrong is told of the connection; a sidebar figure is not worth another word.
    refresh(connectionId, endpointId).catch(() => undefined);
  }

  function moved({ connectionId, endpointId }: Job): void {
    const id = `${connectionId}/${endpointId}`;
    const known = endpoints.get(id) ?? { readAtMs: -Infinity, timer: null };
    if (known.timer !== null) return;
    // Never longer than the gap: the machine's clock can be put back.
    const waitMs = Math.min(gapMs, known.readAtMs + gapMs - clock.now());
    if (waitMs <= 0) read(id, connectionId, endpointId);
    else endpoints.set(id, { ...known, timer: clock.after(waitMs, () => read(id, connectionId, endpointId)) });
  }

  return {
    jobsChanged(jobs) {
      for (const job of jobs) {
        const standing = `${job.phase} ${job.status ?? ''}`;
        if (standings.get(job.key) === standing) continue;
        // The birth of a job moves nothing at the service yet.
        const isMove = job.jobId !== null;
        if (job.phase === 'active' || !isMove) standings.set(job.key, standing);
        else standings.delete(job.key);
        if (isMove) moved(job);
      }
    },
    close() {
      for (const { timer } of endpoints.values()) timer?.cancel();
      endpoints.clear();
    },
  };
}
