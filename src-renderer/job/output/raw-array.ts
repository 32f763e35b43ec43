/** The outputs of chunks as one JSON array that only grows, up to a size that can be shown without delay. */
export interface RawArray {
  /** How many chunks it contains. */
  readonly count: number;
  /** How many chunks it was given, including those beyond its size. */
  readonly seen: number;
  /** True when a chunk did not fit. Everything after it is left out as well. */
  readonly isFull: boolean;
  push(outputJson: string): void;
  /** The same string until another chunk is added. */
  text(): string;
}

/** Nothing is added after this many characters. The first chunk is always added. */
const rawArrayChars = 400_000;

/** The JSON of an array, limited to `maxChars` characters, to which chunks are added one by one. */
export function createRawArray(maxChars = rawArrayChars): RawArray {
  const parts: string[] = [];
  let chars = 0;
  let seen = 0;
  let isFull = false;
  let joined = '[]';
  let joinedCount = 0;
  return {
    get count() {
      return parts.length;
    },
    get seen() {
      return seen;
    },
    get isFull() {
      return isFull;
    },
    push(outputJson) {
      seen += 1;
      isFull ||= parts.length > 0 && chars + outputJson.length > maxChars;
      if (isFull) return;
      parts.push(outputJson);
      chars += outputJson.length;
    },
    text() {
      if (joinedCount !== parts.length) {
        joined = `[${parts.join(',')}]`;
        joinedCount = parts.length;
      }
      return joined;
    },
  };
}
