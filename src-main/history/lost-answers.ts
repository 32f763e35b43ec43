import type { StreamChunk } from '../../src-preload/job.ts';
import { isLost } from './history-error.ts';
import type { History, NewChunk } from './history.ts';

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

  async function keptChunks(key: string, attempt: number, chunks: readonly NewChunk[], receivedAtMs: number): Promise<StreamChunk[] | null> {
    const stored = await history.get(key);
    const chunkCount = (stored?.job.attempt === attempt ? stored.job.chunkCount : stored?.attempts.find(({ number }) => number === attempt)?.chunkCount) ?? 0;
    const fromSeq = chunkCount - chunks.length;
    if (fromSeq < 0) return null;
    const last = await history.chunks(key, attempt, fromSeq, chunks.length);
    // One reader reads a stream, and no two of its replies come at once: these are the ones, or they are not there.
    const isSame = last.length === chunks.length && last.every((kept, at) =>
      kept.receivedAtMs === receivedAtMs && kept.outputJson === chunks[at]?.outputJson && kept.metricsJson === chunks[at].metricsJson);
    return isSame ? last : null;
  }

  return {
    ...history,
    // Said twice it is the same: a job is kept by its key.
    commit: (changes) => repeated(() => history.commit(changes)),
    async appendChunks(key, attempt, chunks, receivedAtMs) {
      try {
        return await history.appendChunks(key, attempt, chunks, receivedAtMs);
      } catch (error) {
        if (!isLost(error)) throw error;
      }
      return repeated(async () => (await keptChunks(key, attempt, chunks, receivedAtMs)) ?? history.appendChunks(key, attempt, chunks, receivedAtMs));
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
