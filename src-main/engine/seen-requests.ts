import type { SandboxRequest, SandboxRequests } from '../../src-preload/sandbox.ts';
import type { SeenRequest } from '../sandbox/activity-feed.ts';

/** As many as a window shows. */
export const maxKeptRequests = 5_000;

/** The last requests, numbered over the whole session. */
export class SeenRequests {
  #kept: SandboxRequest[] = [];
  #missedTotal = 0;
  /** Added to the sandbox's own numbers. */
  #base = 0;
  #lastSeq = 0;

  /** Adds a batch and returns it in the form of the windows. */
  take(requests: readonly SeenRequest[], missed: number): SandboxRequests {
    const shown = requests.map(({ area: _area, sentChunks: _sentChunks, ...request }): SandboxRequest => ({
      ...request,
      seq: this.#base + request.seq,
    }));
    this.#lastSeq = shown.at(-1)?.seq ?? this.#lastSeq;
    const all = [...this.#kept, ...shown];
    this.#kept = all.slice(-maxKeptRequests);
    this.#missedTotal += missed + all.length - this.#kept.length;
    return { requests: shown, missed };
  }

  /** A new sandbox counts from the beginning. */
  sandboxStarted(): void {
    this.#base = this.#lastSeq;
  }

  /** The kept requests, and how many were dropped. */
  last(): SandboxRequests {
    return { requests: this.#kept, missed: this.#missedTotal };
  }
}
