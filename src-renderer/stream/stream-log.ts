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

/** What arrived of one attempt's stream, in order. Empty at first; grows in place. */
export class StreamLog implements TextSource {
  readonly #held = createHeldChunks();
  readonly #text = createGrowingText();
  readonly #media: StreamedMedia[] = [];
  #run: MediaRun | null = null;
  /** The text of `run`, which may turn out to be text. */
  #heldText: HeldText = noText();
  #jsonChars = 0;
  #chunkCount = 0;
  #firstReceivedAtMs: number | null = null;
  #freshFrom = 0;
  #hasText = false;
  #hasPlayed = false;
  #metrics: StreamMetrics = noMetrics;
  #output: TokenCount = noTokens;
  #input: TokenCount = noTokens;
  #ended: { status: string | null } | null = null;

  readonly segments = this.#text.segments;
  readonly slice = this.#text.slice;
  /** A chunk by its index (0 for the first), while it is kept. */
  readonly chunkAt = this.#held.at;
  /** When the parts of the text arrived. */
  readonly arrivals = createArrivalTimes();
  /** The images, sounds and videos, in order. Their data is on disk; the text has a few words in its place. */
  readonly media: readonly StreamedMedia[] = this.#media;

  /** The length of the text in UTF-16 units. */
  get length(): number {
    return this.#text.length;
  }

  /** Where the newest chunk's text begins. Equals `length` if nothing is new. */
  get freshFrom(): number {
    return this.#ended === null ? this.#freshFrom : this.#text.length;
  }

  /** How many chunks came, which is also the index of the next one. */
  get chunkCount(): number {
    return this.#chunkCount;
  }

  /** When the first chunk arrived, by our clock. */
  get firstReceivedAtMs(): number | null {
    return this.#firstReceivedAtMs;
  }

  /** The index of the oldest chunk that is kept. Those before it can be read from disk. */
  get heldFrom(): number {
    return this.#held.from;
  }

  /** True if at least one chunk had text, so that the view Text applies. */
  get hasText(): boolean {
    return this.#hasText;
  }

  /** What the chunks measured. */
  get metrics(): StreamMetrics {
    return this.#metrics;
  }

  /** True if a sound or a video is among the media. */
  get hasPlayed(): boolean {
    return this.#hasPlayed;
  }

  /** An image, a sound or a video of which a part came, in the newest chunks. Null if there is none. */
  get run(): MediaRun | null {
    return this.#run;
  }

  /** How long the outputs of the chunks are as JSON, in UTF-16 units. */
  get jsonChars(): number {
    return this.#jsonChars;
  }

  /** All tokens of the output, or null if the worker does not count. */
  get outputTokens(): number | null {
    return totalTokens(this.#output);
  }

  /** All tokens of the input, or null if the worker does not count. */
  get inputTokens(): number | null {
    return totalTokens(this.#input);
  }

  /**
   * Null while the stream continues or is being read. `status` is the job's final status, or null if that is not known.
   */
  get ended(): { status: string | null } | null {
    return this.#ended;
  }

  /**
   * Adds chunks from a message; duplicates are dropped. Returns false if there is a gap before them: they are not added
   * then.
   */
  accept(chunks: readonly StreamChunk[]): boolean {
    const fresh: StreamChunk[] = [];
    for (const chunk of chunks) {
      const next = this.#chunkCount + fresh.length;
      if (chunk.seq === next) fresh.push(chunk);
      else if (chunk.seq > next) break;
    }
    const isWhole = (chunks.at(-1)?.seq ?? -1) < this.#chunkCount + fresh.length;
    const [first] = fresh;
    if (first === undefined) return isWhole;
    const digest = digestOf(fresh, { run: this.#run });
    this.#take(digest);
    this.#firstReceivedAtMs ??= first.receivedAtMs;
    this.#chunkCount += fresh.length;
    if (digest.text !== '') this.#freshFrom = this.#text.length - digest.lastChars;
    this.#held.add(fresh);
    return isWhole;
  }

  /**
   * Adds a page of what is stored, if it begins where this log ends. Its chunks are not kept, because they are on disk.
   */
  acceptPage(page: StreamPage): void {
    if (page.fromSeq !== this.#chunkCount) return;
    this.#take(page.digest);
    this.#firstReceivedAtMs ??= page.firstReceivedAtMs;
    this.#chunkCount = page.nextSeq;
    this.#freshFrom = this.#text.length;
    this.#held.clear(this.#chunkCount);
  }

  /** The stream ended, with the job's final status if that is known. */
  end(status: string | null): void {
    if (this.#run !== null) this.#take(digestOfEnd(this.#run));
    this.#ended = { status };
  }

  #take(digest: StreamDigest): void {
    if (digest.heldBefore === 'text') addHeld(this.#heldText, this.#text, this.arrivals);
    if (digest.heldBefore !== 'held') this.#heldText = noText();
    this.arrivals.add(this.#text.length, digest.arrivals);
    this.#text.append(digest.text);
    for (const each of digest.media) {
      this.#media.push({ ...each, seq: this.#chunkCount + each.seq });
      this.#hasPlayed ||= each.kind !== 'image';
    }
    this.#run = digest.run;
    this.#heldText.texts.push(...digest.heldText.texts);
    this.#heldText.atMs.push(...digest.heldText.atMs);
    this.#jsonChars += digest.jsonChars;
    this.#hasText ||= digest.hasText;
    this.#metrics = addMetrics(this.#metrics, digest.metrics);
    this.#output = digest.outputTokens.reduce(addTokens, this.#output);
    this.#input = digest.inputTokens.reduce(addTokens, this.#input);
  }
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
