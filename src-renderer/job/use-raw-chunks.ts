import { useEffect, useMemo, useReducer } from 'react';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { useNow } from '../data/use-now.ts';
import type { StreamLog } from '../stream/stream-log.ts';
import { createRawArray } from './raw-array.ts';

/** How many chunks are read at a time. */
const pageSize = 500;
/** How often a growing array is read again. Every frame would be too expensive. */
const growingMs = 250;
const stillMs = 60_000;

export interface RawChunks {
  text: string;
  /** How many chunks the text contains. */
  shown: number;
}

/** The outputs of a stream as one JSON array, read from disk up to a size that can be shown without delay. */
export function useRawChunks(key: string, attempt: number, log: StreamLog, isWanted: boolean): RawChunks {
  const { array } = useMemo(() => ({ log, array: createRawArray() }), [log]);
  const tick = useNow(isWanted && log.ended === null ? growingMs : stillMs);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const { ended } = log;
  useEffect(() => {
    if (!isWanted) return undefined;
    let isLeft = false;
    const readOn = async (): Promise<void> => {
      for (;;) {
        if (array.isFull || array.seen >= log.chunkCount) return;
        const page = orReport(await call('job:chunks', { key, attempt, fromSeq: array.seen, limit: pageSize }));
        if (isLeft || !page.ok || page.value.length === 0) return;
        for (const chunk of page.value) array.push(chunk.outputJson);
        redraw();
      }
    };
    void readOn();
    return () => {
      isLeft = true;
    };
  }, [key, attempt, log, array, isWanted, ended, tick]);
  return { text: array.text(), shown: array.count };
}
