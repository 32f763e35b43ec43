import { useEffect, useMemo, useReducer, useState } from 'react';
import { call, openStream } from '../bridge.ts';
import type { StreamLog } from './stream-log.ts';
import { createStreamReading } from './stream-reading.ts';

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

/**
 * The stream of one attempt: what is stored, then what comes. With `isWanted` false nothing is read (a job that never
 * streamed).
 */
export function useStream(key: string, attempt: number, isWanted: boolean): Stream {
  const reading = useMemo(
    () =>
      createStreamReading({
        readPage: (fromSeq, run) => call('job:streamPage', { key, attempt, fromSeq, withMedia: false, run }),
        openPort: (onMessage, onFailure) => openStream({ key, attempt }, onMessage, onFailure),
      }),
    [key, attempt],
  );
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
