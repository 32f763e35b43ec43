import { useEffect, useMemo, useReducer, useState } from 'react';
import { call, openStream } from '../bridge.ts';
import type { StreamLog } from './stream-log.ts';
import { createStreamReading, type StreamReading } from './stream-reading.ts';

export interface Stream {
  log: StreamLog;
  /** Changes whenever there is more to show. 0 before anything came. */
  version: number;
  /** True while what is stored is read, so that more of it follows. */
  isReading: boolean;
  /** Why the stream could not be read, or null. */
  problem: string | null;
  /** Opens it again after a problem. */
  retry: () => void;
}

/** One attempt of a job. */
interface StreamOf {
  key: string;
  attempt: number;
}

/** The streams that are read before they are shown, by job and attempt. */
const readAhead = new Map<string, StreamReading>();

const idOf = ({ key, attempt }: StreamOf): string => `${key} ${attempt}`;

function readingOf({ key, attempt }: StreamOf): StreamReading {
  return createStreamReading({
    readPage: (fromSeq, run) => call('job:streamPage', { key, attempt, fromSeq, withMedia: false, run }),
    openPort: (onMessage, onFailure) => openStream({ key, attempt }, onMessage, onFailure),
  });
}

/**
 * Reads a stream before it is shown; null reads none. True when its first page is here or could not be read, and if
 * there is nothing to read. `useStream` then continues the same reading.
 */
export function useStreamAhead(wanted: StreamOf | null): boolean {
  const id = wanted === null ? null : idOf(wanted);
  const [readId, setReadId] = useState<string | null>(null);
  const { key = '', attempt = 0 } = wanted ?? {};
  useEffect(() => {
    if (id === null) return undefined;
    const reading = readingOf({ key, attempt });
    readAhead.set(id, reading);
    const unsubscribe = reading.subscribe(() => setReadId(id));
    const close = reading.open();
    return () => {
      unsubscribe();
      close();
      readAhead.delete(id);
    };
  }, [id, key, attempt]);
  return id === null || readId === id;
}

/**
 * The stream of one attempt: what is stored, then what comes. With `isWanted` false nothing is read (a job that never
 * streamed).
 */
export function useStream(key: string, attempt: number, isWanted: boolean): Stream {
  const reading = useMemo(() => readAhead.get(idOf({ key, attempt })) ?? readingOf({ key, attempt }), [key, attempt]);
  const [turn, setTurn] = useState(0);
  // Drawn after the frame that took the messages, with all else that came in it; `useSyncExternalStore` would draw
  // within, and the two would make one long task.
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => reading.subscribe(redraw), [reading]);
  useEffect(() => (isWanted ? reading.open() : undefined), [reading, isWanted, turn]);
  return {
    log: reading.log,
    version: reading.version,
    isReading: reading.isReading,
    problem: reading.problem,
    retry: () => setTurn((value) => value + 1),
  };
}
