import type { Result } from '../../src-preload/failure.ts';
import type { FoundChunks } from '../../src-preload/stream-digest.ts';
import { maxMatches } from './text-search.ts';

/**
 * A search through the chunks of a stream. Most of them are on disk, are searched there, and only their places are
 * kept.
 */
export interface ChunkSearch {
  /** Places of the chunks found so far, ascending. */
  readonly matches: readonly number[];
  /** All chunks so far were searched, or the matches are enough. */
  readonly isDone: boolean;
  /** Why it stopped early, or null. */
  readonly problem: string | null;
  /**
   * Searches all chunks so far and calls `onFound` after each part. A search in progress continues with this listener.
   * Returns the function that stops it.
   */
  run(onFound: () => void): () => void;
}

/**
 * Searches the chunks' JSON for `wanted`. An empty text has no matches. `readPart` searches one part of the stored
 * chunks, and `chunkCount` is the current number of chunks.
 */
export function createChunkSearch(
  wanted: string,
  readPart: (fromSeq: number) => Promise<Result<FoundChunks>>,
  chunkCount: () => number,
): ChunkSearch {
  const matches: number[] = [];
  let searchedTo = 0;
  let problem: string | null = null;
  let isRunning = false;
  /** Called after each part. Null when the search was stopped. */
  const listener: { onFound: (() => void) | null } = { onFound: null };
  const isDone = (): boolean => wanted === '' || searchedTo >= chunkCount() || matches.length >= maxMatches;

  async function go(): Promise<void> {
    isRunning = true;
    while (listener.onFound !== null && !isDone()) {
      const part = await readPart(searchedTo);
      problem = part.ok ? null : part.failure.message;
      const isStuck = !part.ok || part.value.nextSeq === searchedTo;
      if (part.ok) {
        for (const seq of part.value.seqs) matches.push(seq);
        searchedTo = part.value.nextSeq;
      }
      listener.onFound?.();
      if (isStuck) break;
    }
    isRunning = false;
  }

  return {
    matches,
    get isDone() {
      return isDone();
    },
    get problem() {
      return problem;
    },
    run(onFound) {
      listener.onFound = onFound;
      if (!isRunning) void go();
      return () => {
        if (listener.onFound === onFound) listener.onFound = null;
      };
    },
  };
}
