import type { StreamChunk } from '../../src-preload/job.ts';

/**
 * At least this many chunks are kept, unless they are larger than `heldChars` together. The text of all chunks is kept.
 * A stream of millions of chunks, or of large ones, would exceed the window's memory many times.
 */
export const heldChunks = 4_000;
/** The most characters of kept chunks. The newest chunk is always kept. */
export const heldChars = 2_000_000;

/** The newest chunks of a stream, in bounded memory. */
export interface HeldChunks {
  /** The index of the oldest one. */
  readonly from: number;
  at(index: number): StreamChunk | undefined;
  add(chunks: readonly StreamChunk[]): void;
  /** Drops all. The next one is `from`. */
  clear(from: number): void;
}

/** Holds none at first. The first one has index 0. */
export function createHeldChunks(): HeldChunks {
  const held: StreamChunk[] = [];
  let from = 0;
  let charsHeld = 0;

  /** Drops all but the newest chunks. */
  function letGo(): void {
    let leaving = 0;
    let chars = 0;
    for (const chunk of held.slice(0, -1)) {
      if (held.length - leaving <= heldChunks && charsHeld - chars <= heldChars) break;
      chars += sizeOf(chunk);
      leaving += 1;
    }
    held.splice(0, leaving);
    from += leaving;
    charsHeld -= chars;
  }

  return {
    get from() {
      return from;
    },
    at: (index) => held[index - from],
    add(chunks) {
      for (const chunk of chunks) {
        held.push(chunk);
        charsHeld += sizeOf(chunk);
      }
      if (held.length >= heldChunks * 2 || charsHeld >= heldChars * 2) letGo();
    },
    clear(next) {
      held.length = 0;
      charsHeld = 0;
      from = next;
    },
  };
}

function sizeOf({ outputJson, metricsJson }: StreamChunk): number {
  return outputJson.length + (metricsJson?.length ?? 0);
}
