import type { FaultKind } from '../faults/fault-rule.ts';
import type { ToldChunks } from '../queue/stream-buffer.ts';

/**
 * One answered request. Holds what a reader needs to follow the traffic and nothing that could be a secret: no key,
 * no body, no query. Sizes in bytes.
 */
export interface RequestLogEntry {
  /** Grows by one with every request, from 1. */
  seq: number;
  /** When it came in, on the service's clock. */
  atMs: number;
  /** Real milliseconds until it was answered. */
  durationMs: number;
  method: string;
  area: 'queue' | 'management' | 'control' | 'elsewhere';
  /** Null when no endpoint of this name exists. */
  endpointId: string | null;
  operation: string;
  jobId: string | null;
  /** 0: dropped without an answer. */
  status: number;
  requestBytes: number;
  replyBytes: number;
  fault: FaultKind | null;
  /** Of reads of a stream. */
  told: ToldChunks | null;
}

export interface RequestLog {
  add(entry: Omit<RequestLogEntry, 'seq'>): void;
  /** The kept entries after the one numbered `seq`, oldest first; 0 gives all. */
  since(seq: number): RequestLogEntry[];
  lastSeq(): number;
  /** Calls on every new entry; gives the function that ends it. */
  listen(listener: (entry: RequestLogEntry) => void): () => void;
}

const KEPT_ENTRIES = 1_000;

/** The latest 1,000 requests, in a ring: a sandbox under load must not pay for its own log. */
export function createRequestLog(keptEntries = KEPT_ENTRIES): RequestLog {
  const ring: RequestLogEntry[] = [];
  const listeners = new Set<(entry: RequestLogEntry) => void>();
  let lastSeq = 0;
  return {
    add: (facts) => {
      lastSeq += 1;
      const entry: RequestLogEntry = { seq: lastSeq, ...facts };
      ring[lastSeq % keptEntries] = entry;
      for (const listener of listeners) listener(entry);
    },
    since: (seq) => {
      const entries: RequestLogEntry[] = [];
      for (let at = Math.max(Math.floor(seq), lastSeq - keptEntries, 0) + 1; at <= lastSeq; at += 1) {
        const entry = ring[at % keptEntries];
        if (entry !== undefined) entries.push(entry);
      }
      return entries;
    },
    lastSeq: () => lastSeq,
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
