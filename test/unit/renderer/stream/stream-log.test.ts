import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamChunk } from '../../../../src-preload/job.ts';
import { digestOf } from '../../../../src-preload/stream-digest.ts';
import type { StreamPage } from '../../../../src-preload/stream-digest.ts';
import { heldChars, heldChunks } from '../../../../src-renderer/stream/held-chunks.ts';
import { StreamLog } from '../../../../src-renderer/stream/stream-log.ts';
import { joinText } from '../../../../src-renderer/stream/text-source.ts';

const chunk = (seq: number, text = `t${seq} `): StreamChunk => ({
  seq,
  outputJson: JSON.stringify({ text: [text] }),
  metricsJson: null,
  receivedAtMs: seq,
});
const chunks = (from: number, to: number): StreamChunk[] =>
  Array.from({ length: to - from }, (_value, index) => chunk(from + index));
const page = (from: number, to: number): StreamPage => ({
  fromSeq: from,
  nextSeq: to,
  isLast: false,
  firstReceivedAtMs: from === to ? null : from,
  digest: digestOf(chunks(from, to)),
});

/** Numbers of the chunks a log still holds. */
const held = (log: StreamLog): number[] =>
  Array.from(
    { length: log.chunkCount - log.heldFrom },
    (_value, index) => log.chunkAt(log.heldFrom + index)?.seq ?? -1,
  );

describe('the stream log', () => {
  it('keeps every chunk once, in order, however the deliveries overlap', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 12 })), { maxLength: 40 }), (deliveries) => {
        const log = new StreamLog();
        for (const [from, size] of deliveries) {
          // A subscription opened again starts at or before the next chunk, never behind it.
          const start = Math.min(from, log.chunkCount);
          expect(log.accept(chunks(start, start + size))).toBe(true);
        }
        expect(held(log)).toEqual(chunks(0, log.chunkCount).map((each) => each.seq));
        expect(joinText(log)).toBe(
          chunks(0, log.chunkCount)
            .map((each) => `t${each.seq} `)
            .join(''),
        );
        expect(log.length).toBe(joinText(log).length);
      }),
    );
  });

  it('accepts nothing after a hole, and accepts what fills it', () => {
    const log = new StreamLog();
    log.accept(chunks(0, 3));
    expect(log.accept([chunk(5), chunk(6)])).toBe(false);
    expect(log.accept([chunk(2), chunk(4)])).toBe(false);
    expect(log.chunkCount).toBe(3);
    expect(log.accept(chunks(3, 7))).toBe(true);
    expect(log.chunkCount).toBe(7);
  });

  it('is the same from saved pages as from received chunks, except for the chunks it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 9 })), { maxLength: 30 }), (steps) => {
        const [log, told] = [new StreamLog(), new StreamLog()];
        let at = 0;
        for (const [isPage, size] of steps) {
          if (isPage) log.acceptPage(page(at, at + size));
          else log.accept(chunks(at, at + size));
          told.accept(chunks(at, at + size));
          if (isPage) expect(log.heldFrom).toBe(at + size);
          at += size;
        }
        expect(joinText(log)).toBe(joinText(told));
        expect([log.chunkCount, log.hasText, log.outputTokens, log.firstReceivedAtMs]).toEqual([
          told.chunkCount,
          told.hasText,
          told.outputTokens,
          told.firstReceivedAtMs,
        ]);
        expect(held(log)).toEqual(chunks(log.heldFrom, at).map((each) => each.seq));
      }),
    );
  });

  it('accepts no page that begins elsewhere', () => {
    const log = new StreamLog();
    log.acceptPage(page(2, 4));
    expect(log.chunkCount).toBe(0);
  });

  it('holds the newest chunks of a long stream, and all of its text', () => {
    const log = new StreamLog();
    const count = heldChunks * 3 + 10;
    for (let seq = 0; seq < count; seq += 100) log.accept(chunks(seq, Math.min(count, seq + 100)));
    expect(log.chunkCount).toBe(count);
    expect(log.firstReceivedAtMs).toBe(0);
    expect(log.heldFrom).toBeGreaterThan(0);
    expect(log.chunkAt(log.heldFrom - 1)).toBeUndefined();
    expect(held(log)).toEqual(chunks(log.heldFrom, count).map((each) => each.seq));
    expect(held(log).length).toBeGreaterThanOrEqual(heldChunks);
    expect(joinText(log).startsWith('t0 t1 ')).toBe(true);
    expect(joinText(log).endsWith(`t${count - 1} `)).toBe(true);
  });

  it('holds fewer if they are large, and the newest however large it is', () => {
    const log = new StreamLog();
    const large = 'x'.repeat(10_000);
    for (let seq = 0; seq < 1_000; seq += 1) log.accept([chunk(seq, large)]);
    expect(held(log).length * large.length).toBeLessThanOrEqual(heldChars * 2);
    expect(held(log).at(-1)).toBe(999);
    expect(log.length).toBe(10_000_000);
    log.accept([chunk(1_000, 'x'.repeat(heldChars * 3))]);
    expect(held(log)).toEqual([1_000]);
    log.accept([chunk(1_001)]);
    expect(held(log).at(-1)).toBe(1_001);
  });

  it('calls the newest chunk fresh until the next comes or the stream ends', () => {
    const log = new StreamLog();
    log.accept([chunk(0, 'one '), chunk(1, 'two ')]);
    expect(joinText(log).slice(log.freshFrom)).toBe('two ');
    log.accept([chunk(2, 'three')]);
    expect(joinText(log).slice(log.freshFrom)).toBe('three');
    log.end('COMPLETED');
    expect(log.freshFrom).toBe(log.length);
    expect(log.ended).toEqual({ status: 'COMPLETED' });
  });

  it('says whether there is any text', () => {
    const log = new StreamLog();
    log.accept([{ seq: 0, outputJson: '{"index":1}', metricsJson: null, receivedAtMs: 0 }]);
    expect(log.hasText).toBe(false);
    log.accept([chunk(1)]);
    expect(log.hasText).toBe(true);
  });
});
