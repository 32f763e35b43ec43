import type { NewChunk } from '../../history/history.ts';

/** Fewer numbers that rise by one are no counting. */
const enoughChunks = 3;
/** Where a chunk tells its place by that name, two are enough (spec: Stream chunk). */
const streamIndex = 'metrics.stream_index';

/**
 * Whether the chunks, in this order, count themselves, so that an equal one is the same told again: some whole number in
 * output or metrics rises by one from each chunk to the next.
 */
export function areChunksCounted(chunks: readonly NewChunk[]): boolean {
  const [first] = chunks;
  if (first === undefined || chunks.length < 2) return false;
  let counting = [...numbersOf(first)].filter(([path]) => path === streamIndex || chunks.length >= enoughChunks);
  for (const [at, chunk] of chunks.entries()) {
    if (counting.length === 0) return false;
    const numbers = numbersOf(chunk);
    counting = counting.filter(([path, start]) => numbers.get(path) === start + at);
  }
  return counting.length > 0;
}

/** The whole numbers in a chunk, by where they stand. */
function numbersOf({ outputJson, metricsJson }: NewChunk): Map<string, number> {
  const numbers = new Map<string, number>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'number' && Number.isInteger(value)) numbers.set(path, value);
    else if (typeof value === 'object' && value !== null) for (const [name, inner] of Object.entries(value)) walk(inner, `${path}.${name}`);
  };
  walk(JSON.parse(outputJson), 'output');
  if (metricsJson !== null) walk(JSON.parse(metricsJson), 'metrics');
  return numbers;
}
