import { describe, expect, it } from 'vitest';
import {
  suspectedRepeats,
  readSuspectedRepeatsId,
  withSuspectedRepeats,
} from '../../../../src-main/history/stream/suspected-repeats.ts';

const note = { at: 1, count: 1, receivedAtMs: 5 };

describe('a note of suspected repeats', () => {
  it('is read as written, and as former versions wrote it', () => {
    const former = { at: 2, from: 1, count: 1, receivedAtMs: 6 };
    expect(suspectedRepeats.schema.parse([note, { ...former, storedAt: 4 }])).toEqual([note, former]);
  });

  it('is skipped if it cannot be read', () => {
    expect(suspectedRepeats.schema.parse({ at: 1 })).toEqual([]);
    expect(suspectedRepeats.schema.parse([{ at: 1 }, note, null])).toEqual([note]);
  });

  it('is found by the job and the attempt', () => {
    expect(readSuspectedRepeatsId(suspectedRepeats.id({ key: 'key-1', attempt: 2 }))).toEqual({
      key: 'key-1',
      attempt: 2,
    });
  });
});

describe('a stream with suspected repeats', () => {
  const added = (stored: string, ...notes: { at: number; count: number; from?: number }[]): string =>
    withSuspectedRepeats(
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
      withSuspectedRepeats(
        Array.from({ length: 150_000 }, () => 1),
        [{ ...note, at: 150_000, count: 150_000 }],
        () => 2,
      ),
    ).toHaveLength(300_000);
  });
});
