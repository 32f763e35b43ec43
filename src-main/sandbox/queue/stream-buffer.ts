import type { StreamChunk } from '../workers/handler-protocol.ts';

/** A chunk without the text of its output: what is needed to restore the chunks from all outputs joined. */
export interface ChunkLayout {
  /** The length of the output as JSON, in UTF-16 units. */
  length: number;
  metricsJson: string | null;
}

/** Which chunks of a job's stream an answer had, whether or not the answer arrived. */
export interface SentChunks {
  /** The job's retries at that time, because each run begins a new stream. */
  retries: number;
  /** From this index up to and without that one. */
  from: number;
  to: number;
  /** How many times in a row each chunk occurs. */
  times: number;
}

export interface StreamBuffer {
  push(chunk: StreamChunk): void;
  hasUnread(): boolean;
  /** JSON array of the unread chunks, which then count as read (ruling 2: reads drain). */
  drain(): string;
  /** JSON array of all chunks from the first (ruling 2: `--stream-replay`). */
  replay(): string;
  /** JSON array of every output so far, which status reports when the handler is done. */
  outputs(): string;
  layout(): ChunkLayout[];
  readCount(): number;
}

export interface StreamBufferOptions {
  chunks?: StreamChunk[];
  readCount?: number;
  /** Called with how many chunks count as read, before they do. */
  onRead?: (readCount: number) => void;
}

function renderChunk({ outputJson, metricsJson }: StreamChunk): string {
  return metricsJson === null ? `{"output":${outputJson}}` : `{"output":${outputJson},"metrics":${metricsJson}}`;
}

/** A class, so that a job's stream costs one object and not a closure for each operation. */
class ChunkBuffer implements StreamBuffer {
  #chunks: StreamChunk[];
  #readCount: number;
  readonly #onRead: ((readCount: number) => void) | null;

  constructor({ chunks = [], readCount = 0, onRead }: StreamBufferOptions) {
    this.#chunks = chunks;
    this.#readCount = readCount;
    this.#onRead = onRead ?? null;
  }

  push(chunk: StreamChunk): void {
    this.#chunks.push(chunk);
  }

  hasUnread(): boolean {
    return this.#readCount < this.#chunks.length;
  }

  drain(): string {
    return this.#read(this.#readCount);
  }

  replay(): string {
    return this.#read(0);
  }

  outputs(): string {
    const joined = `[${this.#chunks.map(({ outputJson }) => outputJson).join(',')}]`;
    this.#chunks = chunksWithin(joined, this.layout());
    return joined;
  }

  layout(): ChunkLayout[] {
    return this.#chunks.map(({ outputJson, metricsJson }) => ({ length: outputJson.length, metricsJson }));
  }

  readCount(): number {
    return this.#readCount;
  }

  #read(from: number): string {
    const text = `[${this.#chunks.slice(from).map(renderChunk).join(',')}]`;
    if (this.hasUnread()) this.#onRead?.(this.#chunks.length);
    this.#readCount = this.#chunks.length;
    return text;
  }
}

/**
 * The chunks as slices of the text that joins their outputs (`[a,b,c]`). The engine keeps a slice as a reference, so
 * that a finished job does not keep its output twice.
 */
export function chunksWithin(joined: string, layout: readonly ChunkLayout[]): StreamChunk[] {
  let end = 0;
  return layout.map(({ length, metricsJson }) => {
    const start = end + 1;
    end = start + length;
    return { outputJson: joined.slice(start, end), metricsJson };
  });
}

/** What one job has streamed, and how much of it was read. Spec: Stream chunk. */
export function createStreamBuffer(options: StreamBufferOptions = {}): StreamBuffer {
  return new ChunkBuffer(options);
}

/** The stream of every job that has not streamed anything, as most never do. No chunk can be added. */
export const EMPTY_STREAM: StreamBuffer = {
  push: () => {
    throw new Error('The empty stream is shared by all jobs and takes no chunk.');
  },
  hasUnread: () => false,
  drain: () => '[]',
  replay: () => '[]',
  outputs: () => '[]',
  layout: () => [],
  readCount: () => 0,
};
