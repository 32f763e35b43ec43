import { isJsonObject } from '../../../src-preload/json-spans.ts';
import { confidenceOf, speakerOf } from './transcript-fields.ts';

/** A word of a transcript. */
export interface SpokenWord {
  /** As it came, perhaps with a blank before it. */
  text: string;
  /** Null if not known, as a number may be for an aligner. */
  startSeconds: number | null;
  endSeconds: number | null;
  speaker: string | null;
  /** From 0 to 1. Null if not known. */
  confidence: number | null;
}

/** Reads words as Whisper, WhisperX and Deepgram write them. Null unless every item is a word. Pure. */
export function wordsOf(items: readonly unknown[]): SpokenWord[] | null {
  const words: SpokenWord[] = [];
  for (const item of items) {
    if (!isJsonObject(item)) return null;
    const text = item['punctuated_word'] ?? item['word'] ?? item['text'];
    if (typeof text !== 'string') return null;
    const { start, end } = item;
    words.push({
      text,
      startSeconds: typeof start === 'number' ? start : null,
      endSeconds: typeof end === 'number' ? end : null,
      speaker: speakerOf(item),
      confidence: confidenceOf(item),
    });
  }
  return words.length === 0 ? null : words;
}

/** A pause as long as this, in seconds, begins a new segment. */
const pauseSeconds = 1;
const maxWords = 40;
const endOfSentence = /[.!?。！？…]["'”’)]*\s*$/;

/** Groups words into sentences: up to the end of one, a pause or another speaker. Pure. */
export function segmentsOfWords(words: readonly SpokenWord[]): SpokenWord[][] {
  const segments: SpokenWord[][] = [];
  for (const word of words) {
    const segment = segments.at(-1);
    const last = segment?.at(-1);
    if (segment === undefined || last === undefined || segment.length >= maxWords || isApart(last, word))
      segments.push([word]);
    else segment.push(word);
  }
  return segments;
}

function isApart(before: SpokenWord, after: SpokenWord): boolean {
  const pause = (after.startSeconds ?? 0) - (before.endSeconds ?? Infinity);
  return before.speaker !== after.speaker || pause >= pauseSeconds || endOfSentence.test(before.text);
}
