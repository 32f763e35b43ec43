import { describe, expect, it } from 'vitest';
import { leftOutChunks, readLeftOutId, withLeftOut } from '../../../../src-main/history/stream/left-out.ts';

const note = { at: 1, count: 1, receivedAtMs: 5 };

describe('a note of left-out chunks', () => {
  it('is read as written, and as former versions wrote it', () => {
    const former = { at: 2, from: 1, count: 1, receivedAtMs: 6 };
    expect(leftOutChunks.schema.parse([note, { ...former, storedAt: 4 }])).toEqual([note, former]);
  });

  it('is skipped if it cannot be read', () => {
    expect(leftOutChunks.schema.parse({ at: 1 })).toEqual([]);
    expect(leftOutChunks.schema.parse([{ at: 1 }, note, null])).toEqual([note]);
  });

  it('is found by the job and the attempt', () => {
    expect(readLeftOutId(leftOutChunks.id({ key: 'key-1', attempt: 2 }))).toEqual({ key: 'key-1', attempt: 2 });
  });
});

describe('a stream with left-out chunks', () => {
  const added = (stored: string, ...notes: { at: number; count: number; from?: number }[]): string =>
    withLeftOut(
      [...stored],
      notes.map((one) => ({ ...one, receivedAtMs: 5 })),
      (letter) => letter.toUpperCase(),
    ).join('');

  it('has them where they arrived', () => {
    expect(added('w', { at: 1, count: 1 }, { at: 1, count: 1 })).toBe('wWW');
    expect(added('abc', { at: 1, count: 1 }, { at: 2, count: 2 }, { at: 3, count: 3 })).toBe('aAbABcABC');
    expect(added('abc')).toBe('abc');
  });

  it('includes those that a former version left out in the middle', () => {
    expect(added('abcd', { at: 3, from: 1, count: 2 })).toBe('abcBCd');
  });

  it('accepts more chunks than a call takes arguments', () => {
    expect(
      withLeftOut(
        Array.from({ length: 150_000 }, () => 1),
        [{ ...note, at: 150_000, count: 150_000 }],
        () => 2,
      ),
    ).toHaveLength(300_000);
  });
});
