import { useEffect, useMemo, useState } from 'react';
import { call } from '../bridge.ts';
import { useNow } from '../session/session-store.ts';
import type { StreamLog } from '../stream/stream-log.ts';
import { createRawArray } from './raw-array.ts';
import type { RawArray } from './raw-array.ts';

/** Chunks read at most where the log no longer holds the first ones. */
const readAtMost = 4_000;
/** A growing array is read again this often: reading it every frame would cost more than it shows. */
const growingMs = 250;
const stillMs = 60_000;

export interface RawChunks {
  text: string;
  /** How many chunks the text holds. */
  shown: number;
}

const nothing: RawChunks = { text: '[]', shown: 0 };

/** The outputs of a stream as one JSON array, as many as can be read at leisure: from memory while they are held, else from disk. */
export function useRawChunks(key: string, attempt: number, log: StreamLog, isWanted: boolean): RawChunks {
  const { ended, heldFrom } = log;
  const tick = useNow(isWanted && ended === null ? growingMs : stillMs);
  const { array } = useMemo(() => ({ log, array: createRawArray() }), [log]);
  const held = useMemo((): RawChunks => {
    // The log and the array grow in place; `tick` and `ended` say when to look.
    if (isWanted && heldFrom === 0 && tick > 0) takeAll(array, log);
    return { text: array.text(), shown: array.count };
  }, [array, log, ended, heldFrom, tick, isWanted]);

  const [read, setRead] = useState<RawChunks>(nothing);
  const fromSeq = log.firstChunk?.seq ?? 0;
  const isOnDiskOnly = isWanted && heldFrom > 0 && held.shown === 0;
  useEffect(() => {
    if (!isOnDiskOnly) return undefined;
    let isLeft = false;
    void call('job:chunks', { key, attempt, fromSeq, limit: readAtMost }).then((result) => {
      if (isLeft || !result.ok) return;
      const made = createRawArray();
      for (const chunk of result.value) made.push(chunk.outputJson);
      setRead({ text: made.text(), shown: made.count });
    });
    return () => {
      isLeft = true;
    };
  }, [key, attempt, fromSeq, isOnDiskOnly]);

  return isOnDiskOnly ? read : held;
}

function takeAll(array: RawArray, log: StreamLog): void {
  while (array.seen < log.chunkCount && !array.isFull) array.push(log.chunkAt(array.seen)?.outputJson ?? 'null');
}
