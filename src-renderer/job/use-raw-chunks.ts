import { useEffect, useMemo, useState } from 'react';
import { call } from '../bridge.ts';
import type { StreamLog } from '../stream/stream-log.ts';

/** Chunks of a long stream shown as one JSON array; more of it is under Chunks. */
const shownAtMost = 4_000;

export interface RawChunks {
  text: string;
  /** How many chunks the text holds. */
  shown: number;
}

/** The outputs of a stream as one JSON array: all of them while they are in memory, else the first ones from disk. */
export function useRawChunks(key: string, attempt: number, log: StreamLog, version: number, isWanted: boolean): RawChunks {
  const isHeld = log.heldFrom === 0;
  const held = useMemo((): RawChunks => {
    // The log grows in place; `version` says when.
    if (!isWanted || !isHeld || version < 0) return { text: '', shown: 0 };
    const outputs: string[] = [];
    for (let index = 0; index < log.chunkCount; index += 1) outputs.push(log.chunkAt(index)?.outputJson ?? 'null');
    return { text: `[${outputs.join(',')}]`, shown: outputs.length };
  }, [log, version, isWanted, isHeld]);

  const [read, setRead] = useState<RawChunks>({ text: '[]', shown: 0 });
  const fromSeq = log.firstChunk?.seq ?? 0;
  useEffect(() => {
    if (!isWanted || isHeld) return undefined;
    let isLeft = false;
    void call('job:chunks', { key, attempt, fromSeq, limit: shownAtMost }).then((result) => {
      if (!isLeft && result.ok) setRead({ text: `[${result.value.map((chunk) => chunk.outputJson).join(',')}]`, shown: result.value.length });
    });
    return () => {
      isLeft = true;
    };
  }, [key, attempt, fromSeq, isWanted, isHeld]);

  return isHeld ? held : read;
}
