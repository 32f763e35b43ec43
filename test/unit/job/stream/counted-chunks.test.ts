import { describe, expect, it } from 'vitest';
import { areChunksCounted } from '../../../../src-main/job/stream/counted-chunks.ts';

const chunk = (
  outputJson: string,
  metricsJson: string | null = null,
): { outputJson: string; metricsJson: string | null } => ({ outputJson, metricsJson });

describe('chunks count themselves', () => {
  it('by a whole number that rises by one, wherever it stands near the top', () => {
    expect(areChunksCounted([0, 1, 2].map((at) => chunk(JSON.stringify({ data: [{ at, text: 'a' }] }))))).toBe(true);
    expect(areChunksCounted([0, 1].map((at) => chunk(JSON.stringify({ at }))))).toBe(false);
    expect(areChunksCounted([4, 5].map((at) => chunk('"a"', JSON.stringify({ stream_index: at }))))).toBe(true);
    expect(areChunksCounted([0, 1, 1].map((at) => chunk(JSON.stringify({ at }))))).toBe(false);
  });

  it('is asked of chunks of any depth and size, in little time', () => {
    const deep = (inside: string): string => `${'{"inner":'.repeat(100_000)}${inside}${'}'.repeat(100_000)}`;
    const startedAt = performance.now();
    expect(areChunksCounted([0, 1, 2].map((at) => chunk(deep(String(at)))))).toBe(false);
    expect(areChunksCounted([0, 1, 2].map((at) => chunk(`{"at":${at},"output":${deep('1')}}`)))).toBe(true);
    expect(
      areChunksCounted([0, 1, 2].map((at) => chunk(`[${'[],'.repeat(7_000_000)}1]`, `{"stream_index":${at}}`))),
    ).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});
