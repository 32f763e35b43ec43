import { firstIndex } from '../../src-preload/first-index.ts';

/** Text that only ever grows. Readers remember how many segments they have read and continue from there. */
export interface TextSource {
  readonly segments: readonly string[];
  /** The length of all segments in UTF-16 units. */
  readonly length: number;
  /** Where the newest chunk's text begins. Equals `length` if nothing is new. */
  readonly freshFrom: number;
  /** The text between two offsets. */
  slice(from: number, to: number): string;
}

export interface GrowingText {
  readonly segments: readonly string[];
  readonly length: number;
  slice(from: number, to: number): string;
  append(text: string): void;
}

/** An empty text. The segment of an offset is found by binary search. */
export function createGrowingText(): GrowingText {
  const segments: string[] = [];
  const starts: number[] = [];
  let length = 0;
  return {
    segments,
    get length() {
      return length;
    },
    slice(from, to) {
      let text = '';
      for (let index = lastAtOrBefore(starts, from); index < segments.length; index += 1) {
        const start = starts[index] ?? 0;
        if (start >= to) break;
        text += segments[index]?.slice(Math.max(0, from - start), to - start) ?? '';
      }
      return text;
    },
    append(text) {
      if (text === '') return;
      starts.push(length);
      segments.push(text);
      length += text.length;
    },
  };
}

/** The index of the last of some ascending numbers that is not above `wanted`. 0 if all are. */
export function lastAtOrBefore(ascending: readonly number[], wanted: number): number {
  return Math.max(0, firstIndex(ascending.length, (index) => (ascending[index] ?? 0) <= wanted) - 1);
}

/** The size of a segment of a complete text. Readers take one at a time. */
const segmentChars = 65_536;

/** A complete text. */
export function wholeText(text: string): TextSource {
  const { append, segments, slice } = createGrowingText();
  for (let at = 0; at < text.length; at += segmentChars) append(text.slice(at, at + segmentChars));
  return { segments, slice, length: text.length, freshFrom: text.length };
}

/** All of a source as one string. For copying, not for showing. */
export function joinText(source: Pick<TextSource, 'segments'>): string {
  return source.segments.join('');
}
