import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import type { StreamLog } from '../stream/stream-log.ts';
import { createRawArray, type RawArray } from './raw-array.ts';

/** How many chunks are read at a time. */
const pageSize = 500;

/** Reads the outputs of a stream into one JSON array, as far as the stream is known. */
export interface RawReader {
  array: RawArray;
  /** Reads what is missing; nothing while it is being read. `onPage` is called after each page. */
  readOn(onPage: () => void): Promise<void>;
  /** Ends a read in progress. What is read so far stays. */
  stop(): void;
}

/** A reader of one attempt's stream, which has read nothing so far. */
export function createRawReader(key: string, attempt: number, log: Pick<StreamLog, 'chunkCount'>): RawReader {
  const array = createRawArray();
  let turn = 0;
  let isReading = false;
  return {
    array,
    async readOn(onPage) {
      if (isReading) return;
      const mine = turn;
      const until = log.chunkCount;
      isReading = true;
      while (!array.isFull && array.seen < until) {
        const page = orReport(await call('job:chunks', { key, attempt, fromSeq: array.seen, limit: pageSize }));
        if (mine !== turn) return;
        if (!page.ok || page.value.length === 0) break;
        for (const chunk of page.value) array.push(chunk.outputJson);
        onPage();
      }
      isReading = false;
    },
    stop() {
      turn += 1;
      isReading = false;
    },
  };
}
