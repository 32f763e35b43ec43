import type { StreamMessage } from '../../../src-preload/contract.ts';
import type { StreamChunk } from '../../../src-preload/job.ts';
import type { StreamListener } from './subscriptions.ts';

type StreamNotice = Exclude<StreamMessage, { kind: 'chunks' }>;

/** Begins a subscription. Returns the function that ends it. */
export type SubscribeToStream = (listener: StreamListener) => () => void;

/** How many messages a window may have unanswered before the flow waits. */
const creditAtStart = 4;
const coalesceMs = 16;
/** A message has at least one chunk, and otherwise at most this much text. */
const messageChars = 65_536;
/** Sending tiny chunks costs more than their text: a message of thousands would block the window. */
const messageChunks = 500;

export interface StreamFlowParts {
  subscribe: SubscribeToStream;
  send: (message: StreamMessage) => void;
  /** Calls `run` once after `delayMs`. Returns the function that cancels it. */
  setTimer: (run: () => void, delayMs: number) => () => void;
}

/**
 * Sends one subscription to one window: chunks are gathered for 16 ms or 64 KB or 500 chunks, and only as many messages
 * leave as the window has credit for. The rest waits here in order; nothing is dropped.
 */
export function createStreamFlow(parts: StreamFlowParts): { grant(credit: number): void; close(): void } {
  /** Chunks and the notices between them, in order. */
  const waiting: (StreamChunk | StreamNotice)[] = [];
  let credit = creditAtStart;
  let cancelTimer: (() => void) | null = null;
  let isClosed = false;

  const flush = (): void => {
    cancelTimer = null;
    if (isClosed) return;
    while (credit > 0 && waiting.length > 0) {
      credit -= 1;
      parts.send(takeMessage(waiting));
    }
  };

  const schedule = (): void => {
    if (cancelTimer === null && credit > 0 && waiting.length > 0 && !isClosed)
      cancelTimer = parts.setTimer(flush, coalesceMs);
  };

  const unsubscribe = parts.subscribe((news) => {
    if (isClosed) return;
    if (news.kind === 'chunks') for (const chunk of news.chunks) waiting.push(chunk);
    else waiting.push(news);
    schedule();
  });

  return {
    grant(more) {
      if (!Number.isFinite(more) || more <= 0) return;
      credit = Math.min(credit + Math.floor(more), 64);
      schedule();
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      cancelTimer?.();
      unsubscribe();
    },
  };
}

/** Removes what fits one message from the front of `waiting`, which must not be empty. */
function takeMessage(waiting: (StreamChunk | StreamNotice)[]): StreamMessage {
  const chunks: StreamChunk[] = [];
  let chars = 0;
  for (const item of waiting) {
    if ('kind' in item) break;
    chars += item.outputJson.length + (item.metricsJson?.length ?? 0);
    if (chunks.length > 0 && (chars > messageChars || chunks.length === messageChunks)) break;
    chunks.push(item);
  }
  const taken = waiting.splice(0, Math.max(1, chunks.length));
  const [first] = taken;
  return first !== undefined && 'kind' in first ? first : { kind: 'chunks', chunks };
}
