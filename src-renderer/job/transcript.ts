import { isJsonObject } from '../../src-preload/json-object.ts';

/** A part of the recording, with its text. */
export interface TranscriptSegment {
  startSeconds: number;
  /** Null if only the start is known. */
  endSeconds: number | null;
  text: string;
}

/** The search ends after this many values, because segments are near the top of an output. */
const mostVisited = 2_000;
/** Levels below the output that are searched. */
const deepest = 5;

/**
 * The first list of texts with times in seconds, in one of the two usual forms: `{start, end, text}`, as Whisper writes
 * it, or `{timestamp: [start, end], text}`. Null if there is none. Pure.
 */
export function transcriptIn(output: unknown): TranscriptSegment[] | null {
  let level: unknown[] = [output];
  let visited = 0;
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const value of level) {
      visited += 1;
      if (visited > mostVisited) return null;
      const segments = Array.isArray(value) ? segmentsOf(value) : null;
      if (segments !== null) return segments;
      if (Array.isArray(value)) for (const item of value.slice(0, mostVisited)) below.push(item);
      else if (isJsonObject(value)) for (const item of Object.values(value).slice(0, mostVisited)) below.push(item);
    }
    level = below.filter((value) => typeof value === 'object' && value !== null);
  }
  return null;
}

/** Null unless every item is a segment. */
function segmentsOf(items: readonly unknown[]): TranscriptSegment[] | null {
  const segments: TranscriptSegment[] = [];
  for (const item of items) {
    const segment = segmentOf(item);
    if (segment === null) return null;
    segments.push(segment);
  }
  return segments.length === 0 ? null : segments;
}

function segmentOf(item: unknown): TranscriptSegment | null {
  if (!isJsonObject(item) || typeof item['text'] !== 'string') return null;
  const timestamp = item['timestamp'];
  const [start, end] = Array.isArray(timestamp) ? timestamp : [item['start'], item['end']];
  if (typeof start !== 'number' || (typeof end !== 'number' && end !== null)) return null;
  return { startSeconds: start, endSeconds: end, text: item['text'].trim() };
}

/** The index of the last segment that has begun at this time, or -1 before the first. Pure. */
export function segmentAt(segments: readonly TranscriptSegment[], seconds: number): number {
  return segments.findLastIndex(({ startSeconds }) => startSeconds <= seconds + 0.01);
}
