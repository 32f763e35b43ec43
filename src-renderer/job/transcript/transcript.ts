import { isJsonObject } from '../../../src-preload/json-spans.ts';
import { confidenceOf, speakerOf } from './transcript-fields.ts';
import { segmentsOfWords, wordsOf, type SpokenWord } from './spoken-words.ts';

/** A part of the recording, with its text. */
export interface TranscriptSegment {
  startSeconds: number;
  /** Null if the handler gives null, as some do for the last one. */
  endSeconds: number | null;
  text: string;
  /** Who speaks, as the handler names it. Null if it does not. */
  speaker: string | null;
  /** How sure the handler is of the text, from 0 to 1. Null if it does not say. */
  confidence: number | null;
  /** The text in parts, by whether their words are unsure. One part if nothing is known of its words. */
  parts: readonly TranscriptPart[];
}

interface TranscriptPart {
  text: string;
  isUnsure: boolean;
}

/** Below this a text is marked. A segment of Whisper then has an `avg_logprob` under -0.69. */
export const unsureBelow = 0.5;

/** The search ends after this many values, because segments are near the top of an output. */
const maxVisited = 2_000;
/** Levels below the output that are searched. */
const deepest = 7;

/**
 * The first list of texts with times in seconds, in one of the two usual forms: `{start, end, text}`, as Whisper writes
 * it, or `{timestamp: [start, end], text}`. If there is none, the first list of words with times, joined to sentences.
 * Null if there is neither. Pure.
 */
export function transcriptIn(output: unknown): TranscriptSegment[] | null {
  return firstList(output, segmentsOf) ?? firstList(output, wordSegmentsOf);
}

function firstList(
  output: unknown,
  read: (items: readonly unknown[]) => TranscriptSegment[] | null,
): TranscriptSegment[] | null {
  let level: unknown[] = [output];
  let visited = 0;
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const value of level) {
      visited += 1;
      if (visited > maxVisited) return null;
      const segments = Array.isArray(value) ? read(value) : null;
      if (segments !== null) return segments;
      if (Array.isArray(value)) for (const item of value.slice(0, maxVisited)) below.push(item);
      else if (isJsonObject(value)) for (const item of Object.values(value).slice(0, maxVisited)) below.push(item);
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
  const text = item['text'].trim();
  const words = Array.isArray(item['words']) ? wordsOf(item['words']) : null;
  return {
    startSeconds: start,
    endSeconds: end,
    text,
    speaker: speakerOf(item) ?? commonSpeaker(words ?? []),
    confidence: confidenceOf(item) ?? meanConfidence(words ?? []),
    parts: partsOf(text, words),
  };
}

/** Null unless every item is a word with its time. */
function wordSegmentsOf(items: readonly unknown[]): TranscriptSegment[] | null {
  const words = wordsOf(items);
  if (words === null || words.some(({ startSeconds }) => startSeconds === null)) return null;
  // Names that were found in a text have the same form, with places in it instead of times.
  if (words.every(({ endSeconds }) => Number.isInteger(endSeconds))) return null;
  return segmentsOfWords(words).map((spoken) => {
    const text = joinedBy(spoken, ' ');
    return {
      startSeconds: spoken[0]?.startSeconds ?? 0,
      endSeconds: spoken.at(-1)?.endSeconds ?? null,
      text,
      speaker: spoken[0]?.speaker ?? null,
      confidence: meanConfidence(spoken),
      parts: partsOf(text, spoken),
    };
  });
}

function commonSpeaker(words: readonly SpokenWord[]): string | null {
  const first = words[0]?.speaker ?? null;
  return words.every(({ speaker }) => speaker === first) ? first : null;
}

function meanConfidence(words: readonly SpokenWord[]): number | null {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
}

/** The words as parts of the text, if they make it up; otherwise the text as one part. */
function partsOf(text: string, words: readonly SpokenWord[] | null): TranscriptPart[] {
  const between = words === null ? undefined : ['', ' '].find((each) => joinedBy(words, each) === text);
  if (words === null || between === undefined) return [{ text, isUnsure: false }];
  const parts: TranscriptPart[] = [];
  for (const [at, word] of words.entries()) {
    const isUnsure = word.confidence !== null && word.confidence < unsureBelow;
    const last = parts.at(-1);
    const written = at === 0 ? word.text.trimStart() : `${between}${word.text}`;
    if (last === undefined) parts.push({ text: written, isUnsure });
    else if (last.isUnsure === isUnsure) last.text += written;
    else {
      // A mark is on words, not on the blank before them.
      const bare = written.trimStart();
      const blank = written.slice(0, written.length - bare.length);
      if (isUnsure) last.text += blank;
      parts.push({ text: isUnsure ? bare : written, isUnsure });
    }
  }
  return parts;
}

function joinedBy(words: readonly SpokenWord[], between: string): string {
  return words
    .map((word) => word.text)
    .join(between)
    .trim();
}

/** The index of the last segment that has begun at this time, or -1 before the first. Pure. */
export function segmentAt(segments: readonly Pick<TranscriptSegment, 'startSeconds'>[], seconds: number): number {
  return segments.findLastIndex(({ startSeconds }) => startSeconds <= seconds + 0.01);
}
