/** The outputs of chunks as one JSON array that only grows, up to a size that reads and scrolls without effort. */
export interface RawArray {
  /** Chunks it holds. */
  readonly count: number;
  /** Chunks it was given, those beyond its size too. */
  readonly seen: number;
  /** True once a chunk did not fit; everything after it is left out as well. */
  readonly isFull: boolean;
  push(outputJson: string): void;
  /** The same string until another chunk was taken. */
  text(): string;
}

/** Characters after which nothing more is taken; the first chunk is, whatever its size. */
const rawArrayChars = 400_000;

/** An array's JSON, cut at `mostChars` characters, to which chunks are added one by one. */
export function createRawArray(mostChars = rawArrayChars): RawArray {
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
      isFull ||= parts.length > 0 && chars + outputJson.length > mostChars;
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
