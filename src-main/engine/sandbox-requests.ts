import type { SandboxRequest, SandboxRequests } from '../../src-preload/sandbox.ts';
import type { SeenRequest } from '../sandbox/host-activity.ts';

/** The last requests told of, numbered over the whole session. */
export interface SeenRequests {
  /** Keeps a batch and answers it as windows see it. */
  take(requests: readonly SeenRequest[], missed: number): SandboxRequests;
  /** A new sandbox counts from the beginning. */
  sandboxStarted(): void;
  last(): SandboxRequests;
}

/** As many as a window shows. */
export const MOST_KEPT_REQUESTS = 5_000;

export function createSeenRequests(): SeenRequests {
  let kept: SandboxRequest[] = [];
  let missedInAll = 0;
  /** Added to the sandbox's own numbers. */
  let base = 0;
  let lastSeq = 0;

  return {
    take(requests, missed) {
      const shown = requests.map(
        ({
          seq,
          atMs,
          durationMs,
          method,
          operation,
          endpointId,
          jobId,
          status,
          requestBytes,
          replyBytes,
          fault,
        }): SandboxRequest => ({
          seq: base + seq,
          atMs,
          durationMs,
          method,
          operation,
          endpointId,
          jobId,
          status,
          requestBytes,
          replyBytes,
          fault,
        }),
      );
      lastSeq = shown.at(-1)?.seq ?? lastSeq;
      const all = [...kept, ...shown];
      kept = all.slice(-MOST_KEPT_REQUESTS);
      missedInAll += missed + all.length - kept.length;
      return { requests: shown, missed };
    },
    sandboxStarted() {
      base = lastSeq;
    },
    last: () => ({ requests: kept, missed: missedInAll }),
  };
}
