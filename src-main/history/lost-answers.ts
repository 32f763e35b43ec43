import type { StreamChunk } from '../../src-preload/job.ts';
import { isLost } from './history-error.ts';
import type { History } from './history.ts';
import type { NewChunk } from './records.ts';

/**
 * The calls that must be done once and not twice, over a thread that may end before it answers: each finds out what
 * became of it from the thread that took its place. What is only read, or may be asked for again, is refused as it is.
 */
export function settlingLosses(history: History): History {
  /** Asks until there is an answer; it ends with the thread, when that is started again no more. */
  async function repeated<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isLost(error)) throw error;
      }
    }
  }

  type Append = Parameters<History['appendChunks']>;

  /** The chunks of an append at the end of what is stored; null when they are not there. */
  async function keptChunks(...[key, attempt, chunks, receivedAtMs]: Append): Promise<StreamChunk[] | null> {
    const stored = await history.get(key);
    const former = stored?.attempts.find(({ number }) => number === attempt);
    const chunkCount = stored?.job.attempt === attempt ? stored.job.chunkCount : former?.chunkCount;
    const fromSeq = (chunkCount ?? 0) - chunks.length;
    if (fromSeq < 0) return null;
    const last = await history.chunks(key, attempt, fromSeq, chunks.length);
    // One reader reads a stream, and no two of its replies come at once: these are the ones, or they are not there.
    const isSame = (kept: StreamChunk, asked: NewChunk | undefined): boolean =>
      kept.receivedAtMs === receivedAtMs &&
      kept.outputJson === asked?.outputJson &&
      kept.metricsJson === asked.metricsJson;
    return last.length === chunks.length && last.every((kept, at) => isSame(kept, chunks[at])) ? last : null;
  }

  return {
    ...history,
    // Said twice it is the same: a job is kept by its key.
    commit: (changes) => repeated(() => history.commit(changes)),
    async appendChunks(...append) {
      try {
        return await history.appendChunks(...append);
      } catch (error) {
        if (!isLost(error)) throw error;
      }
      return repeated(async () => (await keptChunks(...append)) ?? history.appendChunks(...append));
    },
    async insertBatch(batch, rowCount) {
      try {
        await history.insertBatch(batch, rowCount);
      } catch (error) {
        if (!isLost(error) || (await repeated(() => history.batchesById([batch.id]))).length === 0) throw error;
      }
    },
  };
}
