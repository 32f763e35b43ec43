/** Text that only ever grows. Readers remember how many segments they took and go on from there. */
export interface TextSource {
  readonly segments: readonly string[];
  /** Length of all segments in UTF-16 units. */
  readonly length: number;
  /** Where the newest chunk's text begins; equals `length` when nothing is fresh. */
  readonly freshFrom: number;
  /** The text between two places, both within it. */
  slice(from: number, to: number): string;
}

export interface GrowingText {
  readonly segments: readonly string[];
  readonly length: number;
  slice(from: number, to: number): string;
  append(text: string): void;
}

/** An empty text. A place in it is found in its segments by halving. */
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

/** Index of the last of some ascending numbers that is not above `wanted`; 0 when all are. */
export function lastAtOrBefore(ascending: readonly number[], wanted: number): number {
  let low = 0;
  let high = ascending.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= wanted) low = middle;
    else high = middle;
  }
  return low;
}

/** Characters of a segment where a text is all there: readers take one at a time, in a frame with others. */
const segmentChars = 65_536;

/** A text that is all there. */
export function wholeText(text: string): TextSource {
  const { append, segments, slice } = createGrowingText();
  for (let at = 0; at < text.length; at += segmentChars) append(text.slice(at, at + segmentChars));
  return { segments, slice, length: text.length, freshFrom: text.length };
}

/** All of a source as one string; for copying, not for showing. */
export function joinText(source: Pick<TextSource, 'segments'>): string {
  return source.segments.join('');
}
