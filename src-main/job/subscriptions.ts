import type { StreamMessage } from '../../src-preload/contract.ts';
import type { StreamChunk } from '../../src-preload/job.ts';

/** Told to a pane in order: stored chunks first, then each as it is committed, without a gap or a double. */
export type StreamListener = (news: StreamMessage) => void;

export interface Subscriptions {
  /**
   * Begins with chunk `fromSeq` of `attempt`, however old. Goes on over a retry: `attempt` is told, then the new
   * attempt's chunks from 0. Answers the function that ends it.
   */
  subscribe(key: string, attempt: number, fromSeq: number, listener: StreamListener): () => void;
  /** Chunks were committed. */
  kept(key: string, attempt: number, chunks: readonly StreamChunk[]): void;
  /** The stored chunks of this attempt have other places now: panes that have some keep what they have. */
  replaced(key: string, attempt: number): void;
  /** Nothing more will come for this attempt. */
  ended(key: string, attempt: number, status: string | null): void;
  /** A retry began this attempt. */
  began(key: string, attempt: number): void;
  isAttended(key: string): boolean;
  close(): void;
}

interface Pane {
  attempt: number;
  nextSeq: number;
  listener: StreamListener;
  /** True while stored chunks are read; what is committed meanwhile is found there too. */
  isCatchingUp: boolean;
  /** Committed since the read under way began, so that another one is needed. */
  isBehind: boolean;
  /** The end of the attempt, to be told after its chunks. */
  end: { status: string | null } | null;
  hasEnded: boolean;
  isClosed: boolean;
}

const pageSize = 500;

/** Any number of panes on one reader. `readChunks` reads what is stored; `statusAtEnd` tells when an attempt is already over. */
export function createSubscriptions(parts: {
  readChunks: (key: string, attempt: number, fromSeq: number, limit: number) => Promise<StreamChunk[]>;
  /** For an attempt that is over: its status. Null while more can come. */
  statusAtEnd: (key: string, attempt: number) => Promise<{ status: string | null } | null>;
  onAttention: () => void;
  onTrouble: (error: unknown) => void;
}): Subscriptions {
  const panes = new Map<string, Set<Pane>>();

  async function catchUp(key: string, pane: Pane): Promise<void> {
    pane.isCatchingUp = true;
    while (!pane.isClosed) {
      pane.isBehind = false;
      const { attempt } = pane;
      const chunks = await parts.readChunks(key, attempt, pane.nextSeq, pageSize);
      if (pane.isClosed || pane.attempt !== attempt) continue;
      if (chunks.length > 0) give(pane, chunks);
      else if (!pane.isBehind) break;
    }
    pane.isCatchingUp = false;
    tellEnd(pane);
  }

  function give(pane: Pane, chunks: readonly StreamChunk[]): void {
    const fresh = chunks.filter((chunk) => chunk.seq >= pane.nextSeq);
    const last = fresh.at(-1);
    if (last === undefined) return;
    pane.nextSeq = last.seq + 1;
    pane.listener({ kind: 'chunks', chunks: [...fresh] });
  }

  function tellEnd(pane: Pane): void {
    if (pane.end === null || pane.hasEnded || pane.isCatchingUp || pane.isClosed) return;
    pane.hasEnded = true;
    pane.listener({ kind: 'ended', status: pane.end.status });
  }

  function end(pane: Pane, status: string | null): void {
    pane.end ??= { status };
    tellEnd(pane);
  }

  function start(key: string, pane: Pane): void {
    catchUp(key, pane).catch((error: unknown) => {
      pane.isCatchingUp = false;
      parts.onTrouble(error);
    });
  }

  return {
    subscribe(key, attempt, fromSeq, listener) {
      const pane: Pane = { attempt, nextSeq: fromSeq, listener, isCatchingUp: true, isBehind: false, end: null, hasEnded: false, isClosed: false };
      const others = panes.get(key) ?? new Set();
      others.add(pane);
      panes.set(key, others);
      start(key, pane);
      parts.statusAtEnd(key, attempt).then((over) => {
        if (over !== null && pane.attempt === attempt) end(pane, over.status);
      }, parts.onTrouble);
      parts.onAttention();
      return () => {
        pane.isClosed = true;
        others.delete(pane);
        if (others.size === 0 && panes.get(key) === others) panes.delete(key);
      };
    },

    kept(key, attempt, chunks) {
      for (const pane of panes.get(key) ?? []) {
        if (pane.attempt !== attempt) continue;
        const [first] = chunks;
        if (pane.isCatchingUp) pane.isBehind = true;
        else if (first !== undefined && first.seq <= pane.nextSeq) give(pane, chunks);
        else start(key, pane);
      }
    },

    replaced(key, attempt) {
      // What stands behind their last chunk is not what followed it.
      for (const pane of panes.get(key) ?? []) if (pane.attempt === attempt && pane.nextSeq > 0) pane.nextSeq = Number.MAX_SAFE_INTEGER;
    },

    ended(key, attempt, status) {
      for (const pane of panes.get(key) ?? []) if (pane.attempt === attempt) end(pane, status);
    },

    began(key, attempt) {
      for (const pane of panes.get(key) ?? []) {
        // A pane that shows an older attempt stays there.
        if (pane.attempt !== attempt - 1) continue;
        pane.attempt = attempt;
        pane.nextSeq = 0;
        pane.isBehind = true;
        pane.end = null;
        pane.hasEnded = false;
        pane.listener({ kind: 'attempt', attempt });
      }
    },

    isAttended: (key) => (panes.get(key)?.size ?? 0) > 0,

    close() {
      for (const group of panes.values()) for (const pane of group) pane.isClosed = true;
      panes.clear();
    },
  };
}
