import { copiable } from './deep-json.ts';
import type { StreamChunk } from './job.ts';
import { parseJson } from './json-spans.ts';
import { pieceOfChunk } from './stream-text.ts';
import { isJsonObject } from './json-object.ts';

/** Names of the metrics drawn as instruments (spec: Stream chunk). Anything else is listed under Metrics only. */
export const drawnMetrics = [
  'avg_gen_throughput',
  'gpu_kv_cache_usage',
  'cpu_kv_cache_usage',
  'running',
  'pending',
  'swapped',
] as const;
export type DrawnMetric = (typeof drawnMetrics)[number];

/** What some chunks reported of the worker. */
export interface MetricSamples {
  /** By name, oldest first. */
  values: Partial<Record<DrawnMetric, number[]>>;
  /**
   * All of the last chunk that carried metrics, as they came, those that nest too deep to be copied as JSON text; null
   * when none did.
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

/**
 * What a window shows of some chunks in a row without holding them. Digests of neighbours add up to the digest of both.
 */
export interface StreamDigest {
  /** Their text, joined. */
  text: string;
  /** Of that, how much came with the last chunk, in UTF-16 units. */
  lastChars: number;
  /** True when at least one of them held text. */
  hasText: boolean;
  /** Token counts as reported, oldest first; see `TokenCount` for what they mean. */
  outputTokens: number[];
  inputTokens: number[];
  metrics: MetricSamples;
  arrivals: Arrivals;
}

/** One stretch of a stored stream, from the place that was asked for. */
export interface StreamPage {
  /** Places of its first chunk and behind its last one. */
  fromSeq: number;
  nextSeq: number;
  /** Nothing more was stored when this was read. */
  isLast: boolean;
  /** When its first chunk arrived; null for a page without chunks. */
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

/** Reads chunks, oldest first. Metrics that cannot be read, or are no object, say nothing. */
export function digestOf(
  chunks: readonly Pick<StreamChunk, 'outputJson' | 'metricsJson' | 'receivedAtMs' | 'isRebuilt'>[],
): StreamDigest {
  const digest: StreamDigest = {
    text: '',
    lastChars: 0,
    hasText: false,
    outputTokens: [],
    inputTokens: [],
    metrics: { values: {}, latest: null },
    arrivals: { places: [], atMs: [] },
  };
  const texts: string[] = [];
  let length = 0;
  for (const { outputJson, metricsJson, receivedAtMs, isRebuilt } of chunks) {
    const piece = pieceOfChunk(outputJson);
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

function addSample(samples: MetricSamples, read: unknown): void {
  if (!isJsonObject(read) || Object.keys(read).length === 0) return;
  samples.latest = read;
  for (const name of drawnMetrics) {
    const value = read[name];
    if (typeof value === 'number' && Number.isFinite(value)) (samples.values[name] ??= []).push(value);
  }
}
