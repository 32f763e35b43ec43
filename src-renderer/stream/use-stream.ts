import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { StreamMessage } from '../../src-preload/contract.ts';
import { openStream } from '../bridge.ts';
import { createStreamLog } from './stream-log.ts';
import type { StreamLog } from './stream-log.ts';

export interface Stream {
  log: StreamLog;
  /** Changes whenever the log grew or ended; at most once a frame. */
  version: number;
  /** Why the stream could not be opened, or null. */
  problem: string | null;
  /** Opens it again after a problem. */
  retry: () => void;
}

/** How often a hole in the numbers is asked for again before what follows it is shown all the same. */
const holeRetries = 2;

/**
 * The chunks of one attempt: those stored first, then live ones, without gap and without double.
 * Opens the subscription again when `key` or `attempt` changes, and when a hole shows that something was missed.
 * `isWanted` false keeps it shut (a job that never streamed).
 */
export function useStream(key: string, attempt: number, isWanted: boolean, onAttempt?: (attempt: number) => void): Stream {
  // A new log for every attempt: `key` and `attempt` are what it is of.
  const log = useMemo(() => createStreamLog(), [key, attempt]);
  const [problem, setProblem] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    if (!isWanted) return undefined;
    setProblem(null);
    let stop = (): void => {};
    let holes = 0;
    const open = (): void => {
      stop = openStream({ key, attempt, fromSeq: log.nextSeq }, take, setProblem);
    };
    const take = (message: StreamMessage): void => {
      if (message.kind === 'attempt') {
        onAttempt?.(message.attempt);
        return;
      }
      if (message.kind === 'ended') log.end(message.status);
      else if (log.accept(message.chunks, { mayLeap: holes >= holeRetries }) !== null) {
        holes += 1;
        stop();
        open();
      }
      log.publish();
    };
    open();
    return () => stop();
  }, [key, attempt, isWanted, log, turn, onAttempt]);

  const version = useSyncExternalStore(log.subscribe, () => log.version);
  return { log, version, problem, retry: () => setTurn((value) => value + 1) };
}
