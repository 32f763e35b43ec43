import { useEffect, useMemo, useReducer, useRef } from 'react';
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

/**
 * The chunks of an attempt by place, read from disk in pages where the log no longer holds them. `from` to `to` is what
 * is on screen.
 */
export function useChunkPages(log: StreamLog, key: string, attempt: number, from: number, to: number): ChunkPages {
  // Another log means that the chunks have other places.
  const { pages } = useMemo(() => ({ log, pages: new Map<number, StreamChunk[] | 'asked'>() }), [log]);
  const problem = useRef<string | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  const { heldFrom } = log;
  useEffect(() => {
    for (
      let page = Math.floor(Math.max(0, from) / pageSize);
      page * pageSize <= to && page * pageSize < heldFrom;
      page += 1
    ) {
      const fromSeq = page * pageSize;
      const known = pages.get(page);
      // A page read while the stream was shorter is read again.
      if (known === 'asked' || (known !== undefined && known.length >= Math.min(pageSize, heldFrom - fromSeq)))
        continue;
      if (known === undefined) pages.set(page, 'asked');
      void call('job:chunks', { key, attempt, fromSeq, limit: pageSize }).then((result) => {
        if (result.ok) {
          pages.set(page, result.value);
          problem.current = null;
          const oldest = pages.size > keptPages ? pages.keys().next().value : undefined;
          if (oldest !== undefined && oldest !== page) pages.delete(oldest);
        } else {
          pages.delete(page);
          problem.current = result.failure.message;
        }
        redraw();
      });
    }
  }, [pages, heldFrom, key, attempt, from, to]);

  return {
    at: (index) => {
      const held = log.chunkAt(index);
      if (held !== undefined) return held;
      const page = pages.get(Math.floor(index / pageSize));
      return page === undefined || page === 'asked' ? undefined : page[index % pageSize];
    },
    problem: problem.current,
  };
}
