import { lastAtOrBefore } from '../../stream/text-source.ts';
import type { TranscriptSegment } from './transcript.ts';

/** The texts of a transcript as one text to search, a line for each segment, and where each line begins in it. */
export interface SpokenText {
  segments: readonly string[];
  starts: readonly number[];
}

/** Joins the texts of a transcript as they are shown, without names and times. Pure. */
export function spokenTextOf(transcript: readonly Pick<TranscriptSegment, 'parts'>[]): SpokenText {
  const segments = transcript.map(({ parts }) => `${parts.map(({ text }) => text).join('')}\n`);
  const starts: number[] = [];
  let length = 0;
  for (const line of segments) {
    starts.push(length);
    length += line.length;
  }
  return { segments, starts };
}

/** The number of the segment that a place in the text belongs to. Pure. */
export function segmentWith({ starts }: SpokenText, place: number): number {
  return lastAtOrBefore(starts, place);
}
