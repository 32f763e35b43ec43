import type { StreamChunk } from '../../src-preload/job.ts';
import type { MediaRun } from '../../src-preload/media-run.ts';
import {
  digestOf,
  digestOfEnd,
  type HeldText,
  type StreamDigest,
  type StreamedMedia,
  type StreamPage,
} from '../../src-preload/stream-digest.ts';
import { addTokens, noTokens, totalTokens, type TokenCount } from '../../src-preload/stream-text.ts';
import { createArrivalTimes, type ArrivalTimes } from './arrival-times.ts';
import { createHeldChunks } from './held-chunks.ts';
import { addMetrics, noMetrics, type StreamMetrics } from './stream-metrics.ts';
import { createGrowingText, type GrowingText, type TextSource } from './text-source.ts';

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
  /** The images, sounds and videos, in order. Their data is on disk; the text has a few words in its place. */
  readonly media: readonly StreamedMedia[];
  /** True if a sound or a video is among them. */
  readonly hasPlayed: boolean;
  /** An image, a sound or a video of which a part came, in the newest chunks. Null if there is none. */
  readonly run: MediaRun | null;
  /** How long the outputs of the chunks are as JSON, in UTF-16 units. */
  readonly jsonChars: number;
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

/** An empty log of an attempt's stream. */
export function createStreamLog(): StreamLog {
  const held = createHeldChunks();
  const text = createGrowingText();
  const arrivals = createArrivalTimes();
  const media: StreamedMedia[] = [];
  let run: MediaRun | null = null;
  /** The text of `run`, which may turn out to be text. */
  let heldText: HeldText = noText();
  let jsonChars = 0;
  let chunkCount = 0;
  let firstReceivedAtMs: number | null = null;
  let freshFrom = 0;
  let hasText = false;
  let hasPlayed = false;
  let metrics: StreamMetrics = noMetrics;
  let output: TokenCount = noTokens;
  let input: TokenCount = noTokens;
  let ended: { status: string | null } | null = null;

  function take(digest: StreamDigest): void {
    if (digest.heldBefore === 'text') addHeld(heldText, text, arrivals);
    if (digest.heldBefore !== 'held') heldText = noText();
    arrivals.add(text.length, digest.arrivals);
    text.append(digest.text);
    for (const each of digest.media) {
      media.push({ ...each, seq: chunkCount + each.seq });
      hasPlayed ||= each.kind !== 'image';
    }
    ({ run } = digest);
    heldText.texts.push(...digest.heldText.texts);
    heldText.atMs.push(...digest.heldText.atMs);
    jsonChars += digest.jsonChars;
    hasText ||= digest.hasText;
    metrics = addMetrics(metrics, digest.metrics);
    output = digest.outputTokens.reduce(addTokens, output);
    input = digest.inputTokens.reduce(addTokens, input);
  }

  return {
    segments: text.segments,
    slice: text.slice,
    arrivals,
    media,
    get hasPlayed() {
      return hasPlayed;
    },
    get run() {
      return run;
    },
    get jsonChars() {
      return jsonChars;
    },
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
      return held.from;
    },
    chunkAt: held.at,
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
      const digest = digestOf(fresh, { run });
      take(digest);
      firstReceivedAtMs ??= first.receivedAtMs;
      chunkCount += fresh.length;
      if (digest.text !== '') freshFrom = text.length - digest.lastChars;
      held.add(fresh);
      return isWhole;
    },

    acceptPage(page) {
      if (page.fromSeq !== chunkCount) return;
      take(page.digest);
      firstReceivedAtMs ??= page.firstReceivedAtMs;
      chunkCount = page.nextSeq;
      freshFrom = text.length;
      held.clear(chunkCount);
    },

    end(status) {
      if (run !== null) take(digestOfEnd(run));
      ended = { status };
    },
  };
}

const noText = (): HeldText => ({ texts: [], atMs: [] });

/** Adds held text to the text. */
function addHeld({ texts, atMs }: HeldText, text: GrowingText, arrivals: ArrivalTimes): void {
  for (const [at, each] of texts.entries()) {
    const arrivedAtMs = atMs[at] ?? null;
    if (arrivedAtMs !== null && each !== '') arrivals.add(text.length, { places: [0], atMs: [arrivedAtMs] });
    text.append(each);
  }
}
