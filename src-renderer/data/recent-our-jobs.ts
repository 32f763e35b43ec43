import { endpointKey } from '../../src-preload/endpoint-key.ts';
import type { AllJobCounts } from '../../src-preload/history.ts';

/**
 * How many of our jobs an endpoint's health may have counted: the most that there were at about the time of the
 * reading.
 */
export interface OurJobCounts {
  running: number;
  /** Jobs in the queue, running jobs, and those that may just have been sent. */
  all: number;
}

export const noOurJobs: OurJobCounts = { running: 0, all: 0 };

/**
 * A reading is as old as its request took, and a job that it counted may have ended, or may be recorded here only
 * later.
 */
const beforeMs = 10_000;
const afterMs = 3_000;
/** The most requests in progress: of the jobs to be sent, no more than these can have arrived already. */
const maxInFlight = 64;

/**
 * Remembers how many of our jobs were on each endpoint recently. A health reading counts everybody's jobs. Our own
 * count for the same time is known only approximately, because the two are never taken in the same instant.
 */
export class RecentOurJobs {
  readonly #recent = new Map<string, { atMs: number; counts: OurJobCounts }[]>();
  readonly #readAtMs = new Map<string, number>();

  /**
   * Notes the current counts. Returns the endpoints whose health was read so recently that these counts apply to it as
   * well.
   */
  note({ byConnection }: AllJobCounts, nowMs: number): string[] {
    for (const [connectionId, { byEndpoint }] of Object.entries(byConnection)) {
      for (const [endpointId, counts] of Object.entries(byEndpoint)) {
        const key = endpointKey({ connectionId, endpointId });
        const known = this.#recent.get(key) ?? [];
        // Each count was valid until the next one; the last is valid now.
        const before = known.filter((_, at) => nowMs - (known[at + 1]?.atMs ?? nowMs) <= beforeMs + afterMs);
        const { running, queued, sending, toSend } = counts;
        const all = running + queued + sending + Math.min(toSend, maxInFlight);
        this.#recent.set(key, [...before, { atMs: nowMs, counts: { running, all } }]);
      }
    }
    return [...this.#readAtMs].filter(([, atMs]) => nowMs - atMs <= afterMs).map(([key]) => key);
  }

  /** The health of an endpoint was just read. Returns the most jobs of ours around that time, as far as known. */
  healthRead(key: string, nowMs: number): OurJobCounts {
    this.#readAtMs.set(key, nowMs);
    return this.around(key);
  }

  /** The most jobs of ours around the last health reading of an endpoint. */
  around(key: string): OurJobCounts {
    const readAtMs = this.#readAtMs.get(key) ?? 0;
    const known = this.#recent.get(key) ?? [];
    // A count stays valid until the next one, however long ago it was noted.
    const around = known.filter((_, at) => readAtMs - (known[at + 1]?.atMs ?? Infinity) <= beforeMs);
    return around.reduce(
      (max, { counts }) => ({ running: Math.max(max.running, counts.running), all: Math.max(max.all, counts.all) }),
      noOurJobs,
    );
  }
}
