import { useEffect, useMemo, useReducer, useState } from 'react';
import type { StreamChunk } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import type { StreamLog } from './stream-log.ts';

const pageSize = 200;
/** How many pages are kept. The one read first is dropped first. */
const keptPages = 24;

export interface ChunkPages {
  /** A chunk by its index: from the log if it is still there, otherwise from disk. Undefined until it is read. */
  at(index: number): StreamChunk | undefined;
  problem: string | null;
}

/**
 * The chunks of an attempt by index. Those that the log no longer has are read from disk in pages. `from` to `to` is
 * what is on screen.
 */
export function useChunkPages(
  log: StreamLog,
  { key, attempt }: { key: string; attempt: number },
  { from, to }: { from: number; to: number },
): ChunkPages {
  // With another log, the chunks have other indices.
  const { pages } = useMemo(() => ({ log, pages: new Map<number, StreamChunk[] | 'asked'>() }), [log]);
  const [problem, setProblem] = useState<string | null>(null);
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
      // A page that was read while the stream was shorter is read again.
      if (known === 'asked' || (known !== undefined && known.length >= Math.min(pageSize, heldFrom - fromSeq)))
        continue;
      if (known === undefined) pages.set(page, 'asked');
      void call('job:chunks', { key, attempt, fromSeq, limit: pageSize }).then((result) => {
        if (result.ok) {
          pages.set(page, result.value);
          setProblem(null);
          const oldest = pages.size > keptPages ? pages.keys().next().value : undefined;
          if (oldest !== undefined && oldest !== page) pages.delete(oldest);
        } else {
          pages.delete(page);
          setProblem(result.failure.message);
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
    problem,
  };
}
