import type { NewChunk } from '../../history/records.ts';

/** Fewer numbers that rise by one are no counting. */
const enoughChunks = 3;
/** Where a chunk tells its place by that name, two are enough (spec: Stream chunk). */
const streamIndex = 'metrics.stream_index';
/** A number that lies deeper, or behind so many values of its chunk, counts nothing. */
const deepestLevel = 32;
const mostValues = 10_000;
/** A longer text is data: parsing it would hold up what else waits. */
const parsedChars = 1_048_576;

/**
 * Whether the chunks, in this order, count themselves, so that an equal one is the same told again: some whole number
 * in output or metrics rises by one from each chunk to the next.
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

/** The whole numbers in a chunk, by where they stand; those nearest to the top where there are many. */
function numbersOf({ outputJson, metricsJson }: NewChunk): Map<string, number> {
  const numbers = new Map<string, number>();
  addNumbers(numbers, metricsJson, 'metrics');
  addNumbers(numbers, outputJson, 'output');
  return numbers;
}

/** Level by level: a service may nest a hundred thousand of them (ruling 43). */
function addNumbers(numbers: Map<string, number>, json: string | null, root: string): void {
  if (json === null || json.length > parsedChars) return;
  let level: { path: string; value: unknown }[] = [{ path: root, value: JSON.parse(json) }];
  let values = 0;
  for (let depth = 0; depth < deepestLevel && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { path, value } of level) {
      values += 1;
      if (values > mostValues) return;
      if (typeof value === 'number' && Number.isInteger(value)) numbers.set(path, value);
      else if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          if (next.length >= mostValues) break;
          next.push({ path: `${path}.${name}`, value: inner });
        }
      }
    }
    level = next;
  }
}
