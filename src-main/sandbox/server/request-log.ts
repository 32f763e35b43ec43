import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import type { FaultKind } from '../faults/faults.ts';
import type { EchoText, Reply } from '../http/reply.ts';
import type { BodyRead } from '../http/request-body.ts';
import { managementOperationOf, type RequestTarget } from '../http/request-target.ts';
import type { SentChunks } from '../queue/stream-buffer.ts';
import { isOperation, isUnservedOperation, OPERATIONS } from '../specification.ts';

/**
 * One answered request, with what is needed to follow the traffic and nothing that could be a secret: no key, no body,
 * no query. Sizes in bytes.
 */
export interface RequestLogEntry {
  /** Grows by one with every request, from 1. */
  seq: number;
  /** When it arrived, on the service's clock. */
  atMs: number;
  /** Real milliseconds until it was answered. */
  durationMs: number;
  method: string;
  area: 'queue' | 'management' | 'control' | 'elsewhere';
  /** Null if no endpoint with this name exists. */
  endpointId: string | null;
  operation: string;
  jobId: string | null;
  /** 0: dropped without an answer. */
  status: number;
  requestBytes: number;
  replyBytes: number;
  fault: FaultKind | null;
  /** For reads of a stream. */
  sentChunks: SentChunks | null;
}

export interface RequestLog {
  add(entry: Omit<RequestLogEntry, 'seq'>): void;
  /** The kept entries after number `seq`, oldest first. 0 for all. */
  since(seq: number): RequestLogEntry[];
  lastSeq(): number;
  /** Calls `listener` on every new entry. Returns the function that ends it. */
  listen(listener: (entry: RequestLogEntry) => void): () => void;
}

const KEPT_ENTRIES = 1_000;

/** The latest 1,000 requests, in a ring, so that the log costs nothing under load. */
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

/** The outcome of a request. `hang`: left without an answer on purpose. `gone`: the client left. */
export type Outcome = { kind: 'reply'; reply: Reply } | { kind: 'reset' } | { kind: 'hang' } | { kind: 'gone' };

/** The parts of a connection that answering needs. */
export interface RequestAccess {
  readBody(maxBytes: number): Promise<BodyRead>;
  /** Aborted when the client hangs up. */
  signal(): AbortSignal;
  /** How much of the body has arrived. */
  receivedBytes(): number;
}

/** What is found out about a request, for the log. */
export interface RequestTrace {
  fault: FaultKind | null;
  /** The job of a submission, whose path does not name it. */
  submittedJobId: string | null;
  sentChunks: SentChunks | null;
}

/** How often one endpoint's operation was answered with one status. Status 0: dropped without an answer. */
export interface RequestCount {
  endpointId: string;
  operation: string;
  status: number;
  count: number;
}

export interface RequestCounters {
  add(endpointId: string, operation: string, status: number): void;
  all(): RequestCount[];
}

/** Counts answers per endpoint, operation and status. The caller limits the number of names. */
export function createRequestCounters(): RequestCounters {
  const counts = new Map<string, RequestCount>();
  return {
    add: (endpointId, operation, status) => {
      const key = `${endpointId} ${operation} ${status}`;
      const entry = counts.get(key);
      if (entry === undefined) counts.set(key, { endpointId, operation, status, count: 1 });
      else entry.count += 1;
    },
    all: () => [...counts.values()].map((entry) => ({ ...entry })),
  };
}

/**
 * Begins the record of a request. The returned function must be called when its outcome is known (null: a defect,
 * answered 500).
 */
export type RecordAnswer = (
  request: IncomingMessage,
  access: RequestAccess,
  target: RequestTarget,
  trace: RequestTrace,
) => (outcome: Outcome | null) => void;

export interface RequestRecordOptions {
  clock: Clock;
  hasEndpoint(endpointId: string): boolean;
  counters: RequestCounters;
  log: RequestLog;
  echo: EchoText;
}

interface Names {
  endpointId: string | null;
  operation: string;
  jobId: string | null;
}

/** Replaces external names: with the names themselves, a scan of the port would make the counters grow without end. */
const OTHER = '(other)';
const CONTROL_RESOURCES = ['stats', 'faults', 'time-scale', 'endpoints', 'requests'];

/** Counts requests and logs them, with no more of them than {@link RequestLog} may contain. */
export function createRequestRecord({ clock, hasEndpoint, counters, log, echo }: RequestRecordOptions): RecordAnswer {
  function namesOf(target: RequestTarget, method: string | undefined): Names {
    const unnamed: Names = { endpointId: null, operation: OTHER, jobId: null };
    switch (target.area) {
      case 'queue': {
        const { endpointId, operation, jobId } = target;
        const isKnown = isOperation(operation);
        return {
          endpointId: hasEndpoint(endpointId) ? endpointId : null,
          operation: isKnown || isUnservedOperation(operation) ? operation : OTHER,
          jobId: isKnown && OPERATIONS[operation].namesJob && jobId !== null ? echo(jobId) : null,
        };
      }
      case 'management':
        return { ...unnamed, operation: managementOperationOf(method, target.path) ?? OTHER };
      case 'control':
        return { ...unnamed, operation: CONTROL_RESOURCES.find((name) => name === target.path[0]) ?? OTHER };
      case 'elsewhere':
        return unnamed;
    }
  }

  return (request, access, target, trace) => {
    const startedAtMs = performance.now();
    const atMs = clock.now();
    return (outcome) => {
      const { endpointId, operation, jobId } = namesOf(target, request.method);
      // An answer to a client that left while it was held is not sent.
      const reply = outcome?.kind === 'reply' && !request.socket.destroyed ? outcome.reply : null;
      const status = outcome === null ? 500 : (reply?.status ?? 0);
      // The control interface is not part of the service whose answers are counted.
      if (target.area !== 'control')
        counters.add(endpointId ?? (target.area === 'management' ? '(management)' : OTHER), operation, status);
      log.add({
        atMs,
        durationMs: performance.now() - startedAtMs,
        method: request.method ?? '',
        area: target.area,
        endpointId,
        operation,
        jobId: jobId ?? trace.submittedJobId,
        status,
        requestBytes: Number(request.headers['content-length'] ?? access.receivedBytes()),
        replyBytes: reply === null ? 0 : Buffer.byteLength(reply.body),
        fault: trace.fault,
        sentChunks: trace.sentChunks,
      });
    };
  };
}
