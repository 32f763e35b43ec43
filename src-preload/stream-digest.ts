import { chunkImages, type ChunkImages } from './chunk-images.ts';
import { copiable } from './deep-json.ts';
import type { StreamChunk } from './job.ts';
import { parseJson } from './json-spans.ts';
import { pieceOfChunk, type Piece } from './stream-text.ts';
import { isJsonObject } from './json-object.ts';

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

/** What a window shows of consecutive chunks, without the chunks. The digests of adjacent chunks can be combined. */
export interface StreamDigest {
  /** Their text, joined. */
  text: string;
  /** How much of it came with the last chunk, in UTF-16 units. */
  lastChars: number;
  /** True if at least one of them had text. */
  hasText: boolean;
  /** Token counts as reported, oldest first. `TokenCount` says what they mean. */
  outputTokens: number[];
  inputTokens: number[];
  metrics: MetricSamples;
  arrivals: Arrivals;
  /**
   * For each image in them, which of these chunks it is in (0 for the first), ascending. Its data is not in the text.
   */
  imageChunks: number[];
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

/**
 * Reads chunks, oldest first. Metrics that are invalid or not an object are ignored. `withImages`: images are text as
 * they came, and are not counted.
 */
export function digestOf(chunks: readonly DigestedChunk[], { withImages = false } = {}): StreamDigest {
  const digest: StreamDigest = {
    text: '',
    lastChars: 0,
    hasText: false,
    outputTokens: [],
    inputTokens: [],
    metrics: { values: {}, latest: null },
    arrivals: { places: [], atMs: [] },
    imageChunks: [],
  };
  const texts: string[] = [];
  let length = 0;
  for (const [at, { outputJson, metricsJson, receivedAtMs, isRebuilt }] of chunks.entries()) {
    const images = withImages ? null : chunkImages(outputJson);
    const piece = images === null ? pieceOfChunk(outputJson) : pieceOfImages(images);
    for (let count = 0; count < (images?.count ?? 0); count += 1) digest.imageChunks.push(at);
    // A rebuilt chunk never arrived.
    if (piece.text !== '' && isRebuilt !== true) {
      digest.arrivals.places.push(length);
      digest.arrivals.atMs.push(receivedAtMs);
    }
    length += piece.text.length;
    texts.push(piece.text);
    digest.lastChars = piece.text.length;
    digest.hasText ||= piece.isText && piece.text !== '';
    if (piece.outputTokens !== null) digest.outputTokens.push(piece.outputTokens);
    if (piece.inputTokens !== null) digest.inputTokens.push(piece.inputTokens);
    if (metricsJson !== null) addSample(digest.metrics, parseJson(metricsJson));
  }
  if (digest.metrics.latest !== null) digest.metrics.latest = copiable(digest.metrics.latest);
  digest.text = texts.join('');
  return digest;
}

/** A chunk with images: its text if it has one besides them, or else a line with a few words for each image. */
function pieceOfImages({ shownJson, captions }: ChunkImages): Piece {
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
