import { endpointKey } from '../../src-preload/endpoint-key.ts';
import type { AllJobCounts } from '../../src-preload/history.ts';

/** How many of our jobs an endpoint's health may have counted: the most that there were around its reading. */
export interface OursAround {
  running: number;
  /** Those in the queue, those that run, and those that may just have been sent. */
  all: number;
}

export const noneOfOurs: OursAround = { running: 0, all: 0 };

/** A reading is as old as its request took, and what it counted may have ended, or be known here, only later. */
const beforeMs = 10_000;
const afterMs = 3_000;
/** So many requests may be under way: of those that wait to be sent no more can be there already. */
const mostInFlight = 64;

/**
 * Remembers how many jobs of ours were on each endpoint lately. A reading of its health says how many jobs are there,
 * of anyone; which of them are ours is known only about then, never in the same instant.
 */
export class OursLately {
  readonly #lately = new Map<string, { atMs: number; ours: OursAround }[]>();
  readonly #readAtMs = new Map<string, number>();

  /**
   * Takes the counts as they now stand. Answers the endpoints whose health was read so lately that these counts tell of
   * it as well.
   */
  note({ byConnection }: AllJobCounts, nowMs: number): string[] {
    for (const [connectionId, { byEndpoint }] of Object.entries(byConnection)) {
      for (const [endpointId, counts] of Object.entries(byEndpoint)) {
        const key = endpointKey(connectionId, endpointId);
        const known = this.#lately.get(key) ?? [];
        // Each held until the next was noted, the last one until now.
        const before = known.filter((_, at) => nowMs - (known[at + 1]?.atMs ?? nowMs) <= beforeMs + afterMs);
        const { running, queued, sending, toSend } = counts;
        const all = running + queued + sending + Math.min(toSend, mostInFlight);
        this.#lately.set(key, [...before, { atMs: nowMs, ours: { running, all } }]);
      }
    }
    return [...this.#readAtMs].filter(([, atMs]) => nowMs - atMs <= afterMs).map(([key]) => key);
  }

  /** The health of an endpoint was read just now. Answers the most of ours around it, as far as it is known. */
  healthRead(key: string, nowMs: number): OursAround {
    this.#readAtMs.set(key, nowMs);
    return this.around(key);
  }

  /** The most of ours around the last reading of an endpoint's health. */
  around(key: string): OursAround {
    const readAtMs = this.#readAtMs.get(key) ?? 0;
    const known = this.#lately.get(key) ?? [];
    // What has not changed since it was noted holds still, however long ago that was.
    const around = known.filter((_, at) => readAtMs - (known[at + 1]?.atMs ?? Infinity) <= beforeMs);
    return around.reduce(
      (most, { ours }) => ({ running: Math.max(most.running, ours.running), all: Math.max(most.all, ours.all) }),
      noneOfOurs,
    );
  }
}
