/**
 * One increment of a handler's output, already as JSON text: handlers serialise in their own
 * thread, so the server's thread only joins strings.
 */
export interface StreamChunk {
  outputJson: string;
  metricsJson: string | null;
}

export interface StreamBuffer {
  push(chunk: StreamChunk): void;
  hasUnread(): boolean;
  /** JSON array of the chunks not read yet, which then count as read (ruling 2: reads drain). */
  drain(): string;
  /** JSON array of all chunks from the first (ruling 2: `--stream-replay`). */
  replay(): string;
  /** JSON array of every output so far: what status reports once the handler is done. */
  outputs(): string;
  clear(): void;
}

function renderChunk({ outputJson, metricsJson }: StreamChunk): string {
  return metricsJson === null ? `{"output":${outputJson}}` : `{"output":${outputJson},"metrics":${metricsJson}}`;
}

/** What one job has streamed, and how far it was read. Spec: Stream chunk. */
export function createStreamBuffer(): StreamBuffer {
  let chunks: StreamChunk[] = [];
  let readCount = 0;
  const render = (from: number): string => {
    readCount = chunks.length;
    return `[${chunks.slice(from).map(renderChunk).join(',')}]`;
  };
  return {
    push: (chunk) => void chunks.push(chunk),
    hasUnread: () => readCount < chunks.length,
    drain: () => render(readCount),
    replay: () => render(0),
    outputs: () => `[${chunks.map((chunk) => chunk.outputJson).join(',')}]`,
    clear: () => {
      chunks = [];
      readCount = 0;
    },
  };
}
