import type { StreamChunk } from '../../src-preload/job.ts';
import { digestOf, type StreamDigest, type StreamPage } from '../../src-preload/stream-digest.ts';
import { addTokens, noTokens, totalTokens, type TokenCount } from '../../src-preload/stream-text.ts';
import { createArrivalTimes, type ArrivalTimes } from './arrival-times.ts';
import { addMetrics, noMetrics, type StreamMetrics } from './stream-metrics.ts';
import { createGrowingText, type TextSource } from './text-source.ts';

/** What arrived of one attempt's stream, in order. Grows in place. */
export interface StreamLog extends TextSource {
  /** How many chunks came, which is also the index of the next one. */
  readonly chunkCount: number;
  /** When the first chunk arrived, by our clock. */
  readonly firstReceivedAtMs: number | null;
  /** The index of the oldest chunk that is kept. Those before it can be read from disk. */
  readonly heldFrom: number;
  /** A chunk by its index (0 for the first), while it is kept. */
  chunkAt(index: number): StreamChunk | undefined;
  /** True if at least one chunk had text, so that the view Text applies. */
  readonly hasText: boolean;
  readonly metrics: StreamMetrics;
  /** The chunk of each image, by its index, ascending. Their data is on disk; the text has a few words in its place. */
  readonly imageSeqs: readonly number[];
  /** When the parts of the text arrived. */
  readonly arrivals: ArrivalTimes;
  /** All tokens, or null if the worker does not count. */
  readonly outputTokens: number | null;
  readonly inputTokens: number | null;
  /**
   * Null while the stream continues or is being read. `status` is the job's final status, or null if that is not known.
   */
  readonly ended: { status: string | null } | null;
  /**
   * Adds chunks from a message; duplicates are dropped. Returns false if there is a gap before them: they are not added
   * then.
   */
  accept(chunks: readonly StreamChunk[]): boolean;
  /**
   * Adds a page of what is stored, if it begins where this log ends. Its chunks are not kept, because they are on disk.
   */
  acceptPage(page: StreamPage): void;
  end(status: string | null): void;
}

/**
 * At least this many chunks are kept, unless they are larger than `heldChars` together. The text of all chunks is kept.
 * A stream of millions of chunks, or of large ones, would exceed the window's memory many times.
 */
export const heldChunks = 4_000;
/** The most characters of kept chunks. The newest chunk is always kept. */
export const heldChars = 2_000_000;

/** An empty log of an attempt's stream. */
export function createStreamLog(): StreamLog {
  const held: StreamChunk[] = [];
  const text = createGrowingText();
  const arrivals = createArrivalTimes();
  const imageSeqs: number[] = [];
  let heldFrom = 0;
  let charsHeld = 0;
  let chunkCount = 0;
  let firstReceivedAtMs: number | null = null;
  let freshFrom = 0;
  let hasText = false;
  let metrics: StreamMetrics = noMetrics;
  let output: TokenCount = noTokens;
  let input: TokenCount = noTokens;
  let ended: { status: string | null } | null = null;

  function take(digest: StreamDigest): void {
    arrivals.add(text.length, digest.arrivals);
    text.append(digest.text);
    for (const at of digest.imageChunks) imageSeqs.push(chunkCount + at);
    hasText ||= digest.hasText;
    metrics = addMetrics(metrics, digest.metrics);
    output = digest.outputTokens.reduce(addTokens, output);
    input = digest.inputTokens.reduce(addTokens, input);
  }

  /** Drops all but the newest chunks. */
  function letGo(): void {
    let leaving = 0;
    let chars = 0;
    for (const chunk of held.slice(0, -1)) {
      if (held.length - leaving <= heldChunks && charsHeld - chars <= heldChars) break;
      chars += sizeOf(chunk);
      leaving += 1;
    }
    held.splice(0, leaving);
    heldFrom += leaving;
    charsHeld -= chars;
  }

  return {
    segments: text.segments,
    slice: text.slice,
    arrivals,
    imageSeqs,
    get length() {
      return text.length;
    },
    get freshFrom() {
      return ended === null ? freshFrom : text.length;
    },
    get chunkCount() {
      return chunkCount;
    },
    get firstReceivedAtMs() {
      return firstReceivedAtMs;
    },
    get heldFrom() {
      return heldFrom;
    },
    chunkAt: (index) => held[index - heldFrom],
    get hasText() {
      return hasText;
    },
    get metrics() {
      return metrics;
    },
    get outputTokens() {
      return totalTokens(output);
    },
    get inputTokens() {
      return totalTokens(input);
    },
    get ended() {
      return ended;
    },

    accept(chunks) {
      const fresh: StreamChunk[] = [];
      for (const chunk of chunks) {
        const next = chunkCount + fresh.length;
        if (chunk.seq === next) fresh.push(chunk);
        else if (chunk.seq > next) break;
      }
      const isWhole = (chunks.at(-1)?.seq ?? -1) < chunkCount + fresh.length;
      const [first] = fresh;
      if (first === undefined) return isWhole;
      const digest = digestOf(fresh);
      take(digest);
      firstReceivedAtMs ??= first.receivedAtMs;
      chunkCount += fresh.length;
      if (digest.text !== '') freshFrom = text.length - digest.lastChars;
      for (const chunk of fresh) {
        held.push(chunk);
        charsHeld += sizeOf(chunk);
      }
      if (held.length >= heldChunks * 2 || charsHeld >= heldChars * 2) letGo();
      return isWhole;
    },

    acceptPage(page) {
      if (page.fromSeq !== chunkCount) return;
      take(page.digest);
      firstReceivedAtMs ??= page.firstReceivedAtMs;
      chunkCount = page.nextSeq;
      freshFrom = text.length;
      held.length = 0;
      charsHeld = 0;
      heldFrom = chunkCount;
    },

    end(status) {
      ended = { status };
    },
  };
}

function sizeOf({ outputJson, metricsJson }: StreamChunk): number {
  return outputJson.length + (metricsJson?.length ?? 0);
}
