import type { StreamChunk } from '../../src-preload/job.ts';
import { addMetrics, noMetrics } from './stream-metrics.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import { addTokens, noTokens, pieceOfChunk, totalTokens } from './stream-text.ts';
import type { TokenCount } from './stream-text.ts';

/** Text that only ever grows. Readers remember how many segments they took and go on from there. */
export interface TextSource {
  readonly segments: readonly string[];
  /** Length of all segments in UTF-16 units. */
  readonly length: number;
  /** Where the newest chunk's text begins; equals `length` when nothing is fresh. */
  readonly freshFrom: number;
}

/** What arrived of one attempt's stream, in order. Grows in place; `version` tells React that it did. */
export interface StreamLog extends TextSource {
  readonly version: number;
  /** How many chunks came. */
  readonly chunkCount: number;
  readonly firstChunk: StreamChunk | null;
  /** Number of the oldest chunk still held; those before it are on disk and can be read from there. */
  readonly heldFrom: number;
  /** A chunk by its place (0 for the first), while it is held. */
  chunkAt(index: number): StreamChunk | undefined;
  /** Sequence number the next chunk should carry. */
  readonly nextSeq: number;
  /** True when at least one chunk held text, so that Text is worth a view of its own. */
  readonly hasText: boolean;
  readonly metrics: StreamMetrics;
  /** Tokens in all, null when the worker does not count. */
  readonly outputTokens: number | null;
  readonly inputTokens: number | null;
  /** Null while the stream goes on. `status` is what the job ended with, null when only the subscription ended. */
  readonly ended: { status: string | null } | null;
  /**
   * Takes chunks as they come. Chunks held already are dropped (a subscription opened again starts with some), order is kept.
   * Answers the first missing sequence number when the batch leaves a hole, else null; what follows a hole is not taken.
   */
  accept(batch: readonly StreamChunk[], options?: { mayLeap?: boolean }): number | null;
  end(status: string | null): void;
  subscribe(listener: () => void): () => void;
  /** Tells listeners; the caller decides how often (once a frame). */
  publish(): void;
}

/** Chunks held at least; the text of all of them is. A stream of millions of chunks would fill the window's memory many times over. */
export const heldChunks = 4_000;

/** An empty log. `firstSeq` is the number of a stream's first chunk. */
export function createStreamLog(firstSeq = 0): StreamLog {
  const held: StreamChunk[] = [];
  let heldFrom = 0;
  let firstChunk: StreamChunk | null = null;
  let chunkCount = 0;
  const segments: string[] = [];
  const listeners = new Set<() => void>();
  let length = 0;
  let freshFrom = 0;
  let version = 0;
  let nextSeq = firstSeq;
  let hasText = false;
  let metrics: StreamMetrics = noMetrics;
  let output: TokenCount = noTokens;
  let input: TokenCount = noTokens;
  let ended: { status: string | null } | null = null;

  function take(chunk: StreamChunk): string {
    const piece = pieceOfChunk(chunk.outputJson);
    firstChunk ??= chunk;
    held.push(chunk);
    chunkCount += 1;
    if (held.length >= heldChunks * 2) {
      held.splice(0, heldChunks);
      heldFrom += heldChunks;
    }
    nextSeq = chunk.seq + 1;
    hasText ||= piece.isText && piece.text !== '';
    output = addTokens(output, piece.outputTokens);
    input = addTokens(input, piece.inputTokens);
    return piece.text;
  }

  return {
    segments,
    get chunkCount() { return chunkCount; },
    get firstChunk() { return firstChunk; },
    get heldFrom() { return heldFrom; },
    chunkAt: (index) => held[index - heldFrom],
    get length() { return length; },
    get freshFrom() { return ended === null ? freshFrom : length; },
    get version() { return version; },
    get nextSeq() { return nextSeq; },
    get hasText() { return hasText; },
    get metrics() { return metrics; },
    get outputTokens() { return totalTokens(output); },
    get inputTokens() { return totalTokens(input); },
    get ended() { return ended; },

    accept(batch, options) {
      let text = '';
      let lastPiece = '';
      let missing: number | null = null;
      const metricsJsons: (string | null)[] = [];
      for (const chunk of batch) {
        if (chunk.seq < nextSeq) continue;
        // The very first chunk may carry any number: counting starts where the engine says it starts.
        if (chunk.seq > nextSeq && chunkCount > 0 && options?.mayLeap !== true) {
          missing = nextSeq;
          break;
        }
        lastPiece = take(chunk);
        text += lastPiece;
        metricsJsons.push(chunk.metricsJson);
      }
      metrics = addMetrics(metrics, metricsJsons);
      if (text !== '') {
        segments.push(text);
        length += text.length;
        freshFrom = length - lastPiece.length;
      }
      version += 1;
      return missing;
    },

    end(status) {
      ended = { status };
      version += 1;
    },

    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    publish() {
      for (const listener of listeners) listener();
    },
  };
}

/** A text that is all there. */
export function wholeText(text: string): TextSource {
  return { segments: text === '' ? [] : [text], length: text.length, freshFrom: text.length };
}

/** All of a source as one string; for copying, not for showing. */
export function joinText(source: TextSource): string {
  return source.segments.join('');
}
