import { useEffect, useReducer, useRef } from 'react';
import type { StreamChunk } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import type { StreamLog } from './stream-log.ts';

const pageSize = 200;
/** Pages kept; the oldest read goes first. */
const keptPages = 24;

export interface ChunkPages {
  /** A chunk by its place: from the log while it is held there, else from disk. Undefined until it is read. */
  at(index: number): StreamChunk | undefined;
  problem: string | null;
}

/** The chunks of an attempt by place, read from disk in pages where the log no longer holds them. `from` to `to` is what is on screen. */
export function useChunkPages(log: StreamLog, key: string, attempt: number, from: number, to: number): ChunkPages {
  const pages = useRef(new Map<number, StreamChunk[] | 'asked'>());
  const problem = useRef<string | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  useEffect(() => {
    for (let page = Math.floor(Math.max(0, from) / pageSize); page * pageSize <= to && page * pageSize < log.heldFrom; page += 1) {
      if (pages.current.has(page)) continue;
      pages.current.set(page, 'asked');
      const fromSeq = (log.firstChunk?.seq ?? 0) + page * pageSize;
      void call('job:chunks', { key, attempt, fromSeq, limit: pageSize }).then((result) => {
        if (result.ok) {
          pages.current.set(page, result.value);
          problem.current = null;
          const oldest = pages.current.size > keptPages ? pages.current.keys().next().value : undefined;
          if (oldest !== undefined && oldest !== page) pages.current.delete(oldest);
        } else {
          pages.current.delete(page);
          problem.current = result.failure.message;
        }
        redraw();
      });
    }
  }, [log, key, attempt, from, to]);

  return {
    at: (index) => {
      const held = log.chunkAt(index);
      if (held !== undefined) return held;
      const page = pages.current.get(Math.floor(index / pageSize));
      return page === undefined || page === 'asked' ? undefined : page[index % pageSize];
    },
    problem: problem.current,
  };
}
