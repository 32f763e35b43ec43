import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamChunk } from '../../../src-preload/job.ts';
import type { StreamLog } from '../../../src-renderer/stream/stream-log.ts';
import { createStreamLog, heldChunks, joinText } from '../../../src-renderer/stream/stream-log.ts';

const chunk = (seq: number, text = `t${seq} `): StreamChunk => ({ seq, outputJson: JSON.stringify({ text: [text] }), metricsJson: null, receivedAtMs: seq });
const chunks = (from: number, to: number): StreamChunk[] => Array.from({ length: to - from }, (_value, index) => chunk(from + index));

/** Numbers of the chunks a log still holds. */
const held = (log: StreamLog): number[] => Array.from({ length: log.chunkCount - log.heldFrom }, (_value, index) => log.chunkAt(log.heldFrom + index)?.seq ?? -1);

describe('the stream log', () => {
  it('keeps every chunk once, in order, however the deliveries overlap', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 12 })), { maxLength: 40 }), (deliveries) => {
        const log = createStreamLog();
        for (const [from, size] of deliveries) {
          // A subscription opened again starts at or before the next chunk, never behind it.
          const start = Math.min(from, log.nextSeq);
          expect(log.accept(chunks(start, start + size))).toBeNull();
        }
        expect(held(log)).toEqual(chunks(0, log.nextSeq).map((each) => each.seq));
        expect(joinText(log)).toBe(chunks(0, log.nextSeq).map((each) => `t${each.seq} `).join(''));
        expect(log.length).toBe(joinText(log).length);
      }),
    );
  });

  it('stops at a hole and names the first missing chunk', () => {
    const log = createStreamLog();
    log.accept(chunks(0, 3));
    expect(log.accept([chunk(5), chunk(6)])).toBe(3);
    expect(log.nextSeq).toBe(3);
    expect(log.accept(chunks(3, 7))).toBeNull();
    expect(log.chunkCount).toBe(7);
  });

  it('leaps a hole that is there for good', () => {
    const log = createStreamLog();
    log.accept(chunks(0, 2));
    expect(log.accept([chunk(5)], { mayLeap: true })).toBeNull();
    expect(held(log)).toEqual([0, 1, 5]);
  });

  it('starts counting at the number of the first chunk', () => {
    const log = createStreamLog();
    expect(log.accept(chunks(1, 4))).toBeNull();
    expect(log.nextSeq).toBe(4);
  });

  it('holds the newest chunks of a long stream, and all of its text', () => {
    const log = createStreamLog();
    const count = heldChunks * 3 + 10;
    for (let seq = 0; seq < count; seq += 100) log.accept(chunks(seq, Math.min(count, seq + 100)));
    expect(log.chunkCount).toBe(count);
    expect(log.firstChunk?.seq).toBe(0);
    expect(log.heldFrom).toBeGreaterThan(0);
    expect(log.chunkAt(log.heldFrom - 1)).toBeUndefined();
    expect(held(log)).toEqual(chunks(log.heldFrom, count).map((each) => each.seq));
    expect(held(log).length).toBeGreaterThanOrEqual(heldChunks);
    expect(joinText(log).startsWith('t0 t1 ')).toBe(true);
    expect(joinText(log).endsWith(`t${count - 1} `)).toBe(true);
  });

  it('calls the newest chunk fresh until the next comes or the stream ends', () => {
    const log = createStreamLog();
    log.accept([chunk(0, 'one '), chunk(1, 'two ')]);
    expect(joinText(log).slice(log.freshFrom)).toBe('two ');
    log.accept([chunk(2, 'three')]);
    expect(joinText(log).slice(log.freshFrom)).toBe('three');
    log.end('COMPLETED');
    expect(log.freshFrom).toBe(log.length);
    expect(log.ended).toEqual({ status: 'COMPLETED' });
  });

  it('says whether there is text at all', () => {
    const log = createStreamLog();
    log.accept([{ seq: 0, outputJson: '{"index":1}', metricsJson: null, receivedAtMs: 0 }]);
    expect(log.hasText).toBe(false);
    log.accept([chunk(1)]);
    expect(log.hasText).toBe(true);
  });

  it('tells its listeners when asked to, with a version that moved', () => {
    const log = createStreamLog();
    let heard = 0;
    const stop = log.subscribe(() => { heard += 1; });
    const before = log.version;
    log.accept(chunks(0, 1));
    log.publish();
    stop();
    log.publish();
    expect(heard).toBe(1);
    expect(log.version).toBeGreaterThan(before);
  });
});
