import { describe, expect, it } from 'vitest';
import { createChunkSearch } from '../../../../src-renderer/stream/chunk-search.ts';

/** A stream that is searched two chunks at a time. */
function aStream(outputs: string[]) {
  const read: number[] = [];
  return {
    read,
    outputs,
    search: (wanted: string) =>
      createChunkSearch(
        wanted,
        (fromSeq) => {
          read.push(fromSeq);
          const part = outputs.slice(fromSeq, fromSeq + 2);
          const seqs = part.flatMap((text, at) => (text.includes(wanted) ? [fromSeq + at] : []));
          const nextSeq = fromSeq + part.length;
          return Promise.resolve({ ok: true, value: { seqs, nextSeq, isLast: nextSeq >= outputs.length } });
        },
        () => outputs.length,
      ),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a search through chunks', () => {
  it('reads part after part, and continues where it ended when more arrives', async () => {
    const { search, read, outputs } = aStream(['a', 'b', 'a', 'b', 'a']);
    const found = search('a');
    let told = 0;
    const stop = found.run(() => (told += 1));
    await settled();
    expect(found.matches).toEqual([0, 2, 4]);
    expect([found.isDone, told, read]).toEqual([true, 3, [0, 2, 4]]);
    outputs.push('b', 'a');
    stop();
    found.run(() => undefined);
    await settled();
    expect(found.matches).toEqual([0, 2, 4, 6]);
    expect(read).toEqual([0, 2, 4, 5]);
  });

  it('ends when it is stopped, and reads nothing for an empty search', async () => {
    const { search, read } = aStream(['a', 'b', 'a', 'b', 'a']);
    search('a').run(() => undefined)();
    await settled();
    expect(read).toEqual([0]);
    search('').run(() => undefined);
    await settled();
    expect(read).toEqual([0]);
  });

  it('says why it could not continue', async () => {
    const failing = createChunkSearch(
      'a',
      () => Promise.resolve({ ok: false, failure: { kind: 'storage', message: 'The disk is gone.' } }),
      () => 3,
    );
    failing.run(() => undefined);
    await settled();
    expect(failing.problem).toBe('The disk is gone.');
  });
});
