import type { StoredChunk } from './repair-chunks.ts';

/**
 * The chunks of one attempt from two histories. A service returns each chunk once, so two clients that read the same
 * stream may have a part each: nothing that either has is left out. Null: the chunks here are complete.
 */
export function mergeChunks(mine: readonly StoredChunk[], theirs: readonly StoredChunk[]): StoredChunk[] | null {
  const unmatched = countsOf(mine);
  const missing = theirs.filter((chunk) => !take(unmatched, chunk));
  if (missing.length === 0) return null;
  // All of mine are among theirs, which is the stream in its order.
  if (missing.length === theirs.length - mine.length) return [...theirs];
  return [...mine, ...missing].sort((a, b) => a.receivedAtMs - b.receivedAtMs);
}

const nameOf = ({ receivedAtMs, outputJson, metricsJson }: StoredChunk): string =>
  JSON.stringify([receivedAtMs, outputJson, metricsJson]);

function countsOf(chunks: readonly StoredChunk[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const chunk of chunks) counts.set(nameOf(chunk), (counts.get(nameOf(chunk)) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, chunk: StoredChunk): boolean {
  const count = counts.get(nameOf(chunk)) ?? 0;
  counts.set(nameOf(chunk), count - 1);
  return count > 0;
}
