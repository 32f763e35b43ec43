import type { MediaKind } from './base64-media.ts';
import { chunkMedia, type ChunkMedia } from './chunk-media.ts';
import { copiable } from './deep-json.ts';
import type { StreamChunk } from './job.ts';
import { isJsonObject, parseJson } from './json-spans.ts';
import {
  beginRun,
  beginsAnother,
  bytesOfRun,
  continueRun,
  isComplete,
  isMediaAsItIs,
  type MediaRun,
} from './media-run.ts';
import { mediaCaption } from './messages/image.ts';
import { pieceOfChunk, type Piece } from './stream-text.ts';

/** The metrics that have a chart (spec: Stream chunk). Others are only listed under Metrics. */
export const drawnMetrics = [
  'avg_gen_throughput',
  'gpu_kv_cache_usage',
  'cpu_kv_cache_usage',
  'running',
  'pending',
  'swapped',
] as const;
export type DrawnMetric = (typeof drawnMetrics)[number];

/** What some chunks reported about the worker. */
export interface MetricSamples {
  /** By name, oldest first. */
  values: Partial<Record<DrawnMetric, number[]>>;
  /**
   * All metrics of the last chunk that had any, as they came, or as JSON text if they are nested too deep to be cloned.
   * Null if there are none.
   */
  latest: Record<string, unknown> | null;
}

/** Where in the text each chunk's part begins, and when that chunk arrived; the two lists go together. */
export interface Arrivals {
  /** UTF-16 units from the beginning of the digest's text, ascending. */
  places: number[];
  /** Epoch milliseconds. */
  atMs: number[];
}

/** An image, a sound or a video in a stream. Its data is on disk. */
export interface StreamedMedia {
  kind: MediaKind;
  /** The chunk that it is in, or the first one of several. */
  seq: number;
  /** In how many chunks it came. */
  chunks: number;
  /** Which of the chunk's images it is, or which of its sounds and videos. */
  index: number;
}

/** What a window shows of consecutive chunks, without the chunks. The digests of adjacent chunks can be combined. */
export interface StreamDigest {
  /** Their text, joined. Instead of the data of images, sounds and videos it has a few words. */
  text: string;
  /** How much of it came with the last chunk, in UTF-16 units. */
  lastChars: number;
  /** True if at least one of them had text. */
  hasText: boolean;
  /** How long their outputs are as JSON, in UTF-16 units. */
  jsonChars: number;
  /** Token counts as reported, oldest first. `TokenCount` says what they mean. */
  outputTokens: number[];
  inputTokens: number[];
  metrics: MetricSamples;
  arrivals: Arrivals;
  /** In order. `seq` is counted from the first of these chunks; of one that began before them it is negative. */
  media: StreamedMedia[];
  /**
   * What came in part only, in the last of these chunks. Their text is in `heldText` until it is known whether it is
   * text.
   */
  run: MediaRun | null;
  heldText: HeldText;
  /** What became of the text that digests before this one hold: it comes before `text`, or was data. */
  heldBefore: 'text' | 'data' | 'held';
}

/** The texts of chunks, and when each arrived. Null for a rebuilt one. */
export interface HeldText {
  texts: string[];
  atMs: (number | null)[];
}

/** A part of a stored stream, beginning with the requested chunk. */
export interface StreamPage {
  /** The indices of its first chunk and after its last one. */
  fromSeq: number;
  nextSeq: number;
  /** Nothing more was stored when this was read. */
  isLast: boolean;
  /** When its first chunk arrived. Null for a page without chunks. */
  firstReceivedAtMs: number | null;
  digest: StreamDigest;
}

/** What a search found in one stretch of a stored stream. */
export interface FoundChunks {
  /** Places of the chunks, ascending. */
  seqs: number[];
  /** Where the next stretch begins. */
  nextSeq: number;
  /** Nothing more was stored when this was searched. */
  isLast: boolean;
}

type DigestedChunk = Pick<StreamChunk, 'outputJson' | 'metricsJson' | 'receivedAtMs' | 'isRebuilt'>;

export interface DigestOptions {
  /** Images, sounds and videos are text as they came, and are not counted. */
  withMedia?: boolean | undefined;
  /** What the digest of the chunks before these left open. */
  run?: MediaRun | null | undefined;
}

/** Reads chunks, oldest first. Metrics that are invalid or not an object are ignored. */
export function digestOf(
  chunks: readonly DigestedChunk[],
  { withMedia = false, run = null }: DigestOptions = {},
): StreamDigest {
  const digesting = new Digesting(run);
  for (const [at, chunk] of chunks.entries()) {
    if (withMedia) digesting.add(pieceOfChunk(chunk.outputJson), arrivalOf(chunk));
    else digesting.read(chunk, at);
    digesting.count(chunk);
  }
  return digesting.result();
}

/** What follows the data that a stream ended within: nothing. */
export function digestOfEnd(run: MediaRun): StreamDigest {
  const digesting = new Digesting(run);
  digesting.endRun(0);
  return digesting.result();
}

class Digesting {
  readonly #digest: StreamDigest;
  readonly #texts: string[] = [];
  #length = 0;
  #run: MediaRun | null;

  constructor(run: MediaRun | null) {
    this.#run = run;
    this.#digest = {
      text: '',
      lastChars: 0,
      hasText: false,
      jsonChars: 0,
      outputTokens: [],
      inputTokens: [],
      metrics: { values: {}, latest: null },
      arrivals: { places: [], atMs: [] },
      media: [],
      run: null,
      heldText: { texts: [], atMs: [] },
      heldBefore: 'held',
    };
  }

  read(chunk: DigestedChunk, at: number): void {
    const tried = this.#run === null ? null : pieceOfChunk(chunk.outputJson);
    if (this.#run !== null && tried !== null && this.#continues(this.#run, tried, chunk, at)) return;
    const media = chunkMedia(chunk.outputJson);
    if (media !== null) {
      this.#addMedia(media, at);
      this.add(pieceOfMedia(media), arrivalOf(chunk));
      return;
    }
    const piece = tried ?? pieceOfChunk(chunk.outputJson);
    this.#run = piece.isText ? beginRun(piece.text) : null;
    if (this.#run === null) this.add(piece, arrivalOf(chunk));
    else this.#hold(piece, arrivalOf(chunk));
  }

  /** Whether the chunk belongs to the run. Otherwise the run is ended. `at` is the chunk's place among these. */
  #continues(run: MediaRun, piece: Piece, chunk: DigestedChunk, at: number): boolean {
    const next = piece.isText && !beginsAnother(run, piece.text) ? continueRun(run, piece.text) : null;
    if (next === null) {
      this.endRun(at);
      return false;
    }
    this.#run = next;
    this.#hold(piece, arrivalOf(chunk));
    if (isComplete(next)) this.#closeRun(next, at + 1);
    return true;
  }

  /** Ends the run before the chunk at `end`: a sound may be whole as it is, and an image without its end is text. */
  endRun(end: number): void {
    const run = this.#run;
    if (run === null) return;
    if (isMediaAsItIs(run)) this.#closeRun(run, end);
    else this.#releaseRun(run, end);
  }

  #closeRun({ facts, chunks, chars, tail }: MediaRun, end: number): void {
    if (facts === null) return;
    const { kind } = facts;
    this.#digest.media.push({ kind, seq: end - chunks, chunks, index: 0 });
    if (chunks > end) this.#digest.heldBefore = 'data';
    this.#forgetHeld();
    const text = `"${mediaCaption(facts, bytesOfRun({ chars, tail }))}"\n`;
    this.add({ text, isText: false, outputTokens: null, inputTokens: null }, null);
  }

  #releaseRun({ chunks }: MediaRun, end: number): void {
    if (chunks > end) {
      this.#digest.heldBefore = 'text';
      this.#digest.hasText = true;
    }
    const { texts, atMs } = this.#digest.heldText;
    this.#forgetHeld();
    for (const [at, text] of texts.entries())
      this.add({ text, isText: true, outputTokens: null, inputTokens: null }, atMs[at] ?? null);
  }

  #forgetHeld(): void {
    this.#run = null;
    this.#digest.heldText = { texts: [], atMs: [] };
  }

  #hold(piece: Piece, atMs: number | null): void {
    this.#digest.heldText.texts.push(piece.text);
    this.#digest.heldText.atMs.push(atMs);
    this.#digest.lastChars = 0;
    this.#addTokens(piece);
  }

  #addMedia({ kinds }: ChunkMedia, seq: number): void {
    let images = 0;
    let others = 0;
    for (const kind of kinds)
      this.#digest.media.push({ kind, seq, chunks: 1, index: kind === 'image' ? images++ : others++ });
  }

  /** `atMs`: when it arrived. Null for a part that did not. */
  add(piece: Piece, atMs: number | null): void {
    const digest = this.#digest;
    if (piece.text !== '' && atMs !== null) {
      digest.arrivals.places.push(this.#length);
      digest.arrivals.atMs.push(atMs);
    }
    this.#length += piece.text.length;
    this.#texts.push(piece.text);
    digest.lastChars = piece.text.length;
    digest.hasText ||= piece.isText && piece.text !== '';
    this.#addTokens(piece);
  }

  #addTokens({ outputTokens, inputTokens }: Piece): void {
    if (outputTokens !== null) this.#digest.outputTokens.push(outputTokens);
    if (inputTokens !== null) this.#digest.inputTokens.push(inputTokens);
  }

  count({ outputJson, metricsJson }: DigestedChunk): void {
    this.#digest.jsonChars += outputJson.length;
    if (metricsJson !== null) addSample(this.#digest.metrics, parseJson(metricsJson));
  }

  result(): StreamDigest {
    const { metrics } = this.#digest;
    if (metrics.latest !== null) metrics.latest = copiable(metrics.latest);
    return { ...this.#digest, text: this.#texts.join(''), run: this.#run };
  }
}

/** When a chunk arrived. Null for a rebuilt one, which never did. */
function arrivalOf({ receivedAtMs, isRebuilt }: DigestedChunk): number | null {
  return isRebuilt === true ? null : receivedAtMs;
}

/** A chunk with media: its text if it has one besides them, or else a line with a few words for each. */
function pieceOfMedia({ shownJson, captions }: ChunkMedia): Piece {
  const piece = pieceOfChunk(shownJson);
  return piece.text === captions.join('') ? { ...piece, text: `${shownJson}\n`, isText: false } : piece;
}

function addSample(samples: MetricSamples, read: unknown): void {
  if (!isJsonObject(read) || Object.keys(read).length === 0) return;
  samples.latest = read;
  for (const name of drawnMetrics) {
    const value = read[name];
    if (typeof value === 'number' && Number.isFinite(value)) (samples.values[name] ??= []).push(value);
  }
}
