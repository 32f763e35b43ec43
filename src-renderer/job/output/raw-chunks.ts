import { useEffect, useMemo, useReducer } from 'react';
import { useNow } from '../../data/use-now.ts';
import type { StreamLog } from '../../stream/stream-log.ts';
import { call } from '../../bridge.ts';
import { orReport } from '../../call-or-report.ts';
import { createRawArray, type RawArray } from './raw-array.ts';

/** How many chunks are read at a time. */
const pageSize = 500;

/** Reads the outputs of a stream into one JSON array, as far as the stream is known. */
interface RawReader {
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

/** How often a growing array is read again. Every frame would be too expensive. */
const growingMs = 250;
const stillMs = 60_000;

interface RawChunks {
  text: string;
  /** How many chunks the text contains. */
  shown: number;
}

/** The outputs of a stream as one JSON array, read from disk up to a size that can be shown without delay. */
export function useRawChunks(key: string, attempt: number, log: StreamLog, isWanted: boolean): RawChunks {
  const reader = useMemo(() => createRawReader(key, attempt, log), [key, attempt, log]);
  const tick = useNow(isWanted && log.ended === null ? growingMs : stillMs);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const { ended } = log;
  // A tick may come while much is being read, and must not end that.
  useEffect(() => {
    if (isWanted) void reader.readOn(redraw);
  }, [reader, isWanted, ended, tick]);
  useEffect(() => () => reader.stop(), [reader, isWanted]);
  return { text: reader.array.text(), shown: reader.array.count };
}
