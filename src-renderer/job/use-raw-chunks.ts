import { useEffect, useMemo, useReducer } from 'react';
import { useNow } from '../data/use-now.ts';
import type { StreamLog } from '../stream/stream-log.ts';
import { createRawReader } from './raw-reader.ts';

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
