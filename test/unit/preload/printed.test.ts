import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addPrinted,
  emptyPrinted,
  joinPrinted,
  printedBounds,
  type JobPrinted,
  type PrintedBuffer,
  type PrintedLine,
} from '../../../src-preload/printed.ts';

const line = (seq: number, text = `line ${seq}`, isOpen = false): PrintedLine => ({
  seq,
  atMs: 1,
  endpointId: 'mine',
  workerId: 'w',
  jobId: null,
  stream: 'stdout',
  text,
  cutChars: 0,
  isOpen,
});

const charsOf = ({ lines }: PrintedBuffer): number => lines.reduce((sum, { text }) => sum + text.length, 0);

describe('the last printed lines', () => {
  it('replaces a line that comes again, where it is', () => {
    const first = addPrinted(emptyPrinted, { lines: [line(1), line(2, '10%', true), line(3)], missed: 0 });
    const then = addPrinted(first, { lines: [line(4), line(2, '100%')], missed: 0 });
    expect(then.lines.map(({ seq, text }) => [seq, text])).toEqual([
      [1, 'line 1'],
      [2, '100%'],
      [3, 'line 3'],
      [4, 'line 4'],
    ]);
    expect(then.chars).toBe(charsOf(then));
    expect(first.lines[1]?.text).toBe('10%');
  });

  it('drops the oldest beyond the number of lines, and counts them', () => {
    const all = Array.from({ length: printedBounds.lines + 5 }, (_, index) => line(index + 1));
    const full = addPrinted(emptyPrinted, { lines: all, missed: 7 });
    expect(full.lines).toHaveLength(printedBounds.lines);
    expect(full.lines[0]?.seq).toBe(6);
    expect(full.missed).toBe(12);
    // One that was dropped before it had an end stays dropped.
    expect(addPrinted(full, { lines: [line(2)], missed: 0 })).toMatchObject({ missed: 12, chars: full.chars });
  });

  it('stays within its characters, whatever is added', () => {
    const texts = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 700_000 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), (batches) => {
        let buffer = emptyPrinted;
        for (const batch of batches)
          buffer = addPrinted(buffer, {
            lines: batch.map(([seq, length]) => line(seq, 'x'.repeat(length))),
            missed: 0,
          });
        expect(buffer.chars).toBe(charsOf(buffer));
        expect(buffer.chars).toBeLessThanOrEqual(printedBounds.chars);
        const seqs = buffer.lines.map(({ seq }) => seq);
        expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
      }),
      { numRuns: 40 },
    );
  });
});

describe('what a job printed in two runs', () => {
  const parts = fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 30 });
  const lines = (name: string, lengths: readonly number[]): JobPrinted['head'] =>
    lengths.map((length, index) => ({
      atMs: 1,
      stream: 'stdout',
      text: `${name} ${index} ${'x'.repeat(length)}`,
      cutChars: 0,
    }));
  /** As the sandbox reports it. */
  const printed = fc.record({ head: parts, dropped: fc.constantFrom(0, 0, 3), tail: parts });
  const run = (
    name: string,
    { head, dropped, tail }: { head: number[]; dropped: number; tail: number[] },
  ): JobPrinted => ({
    head: lines(`${name} head`, head),
    dropped,
    tail: lines(`${name} tail`, tail),
  });

  it('has the first and the last lines of both, and counts every line once', () => {
    fc.assert(
      fc.property(printed, printed, (one, two) => {
        const [former, later] = [run('former', one), run('later', two)];
        const joined = joinPrinted(former, later);
        const order = [...former.head, ...former.tail, ...later.head, ...later.tail];
        expect(joined.head).toEqual(order.slice(0, joined.head.length));
        expect(joined.tail).toEqual(order.slice(order.length - joined.tail.length));
        expect(joined.head.length + joined.dropped + joined.tail.length).toBe(
          order.length + former.dropped + later.dropped,
        );
        // Nothing after a gap is shown as if it were before it.
        if (former.dropped > 0) expect(joined.head.length).toBeLessThanOrEqual(former.head.length);
        if (later.dropped > 0) expect(joined.tail.length).toBeLessThanOrEqual(later.tail.length);
      }),
    );
  });

  it('drops nothing if both are short', () => {
    const former = run('former', { head: [10, 10], dropped: 0, tail: [] });
    const later = run('later', { head: [10], dropped: 0, tail: [] });
    expect(joinPrinted(former, later)).toEqual({ head: [...former.head, ...later.head], dropped: 0, tail: [] });
  });
});
