import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createArrivalTimes } from '../../../../src-renderer/stream/arrival-times.ts';
import { StreamLog } from '../../../../src-renderer/stream/stream-log.ts';
import { arrivalText, timesBeside } from '../../../../src-renderer/stream/stream-times.ts';

describe('times of arrival', () => {
  it('are those of the first part that begins within a range of the text', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 700 });
    fc.assert(
      fc.property(lengths, fc.nat(3_000), fc.nat(50), (parts, from, length) => {
        const times = createArrivalTimes();
        const places: number[] = [];
        let at = 0;
        for (const [index, chars] of parts.entries()) {
          times.add(at, { places: [0], atMs: [index] });
          places.push(at);
          at += chars;
        }
        const first = places.findIndex((place) => place >= from && place < from + length);
        expect(times.firstWithin(from, from + length)).toBe(first === -1 ? null : first);
      }),
    );
  });

  it('take no more space than allowed: of many parts every second, fourth, eighth one is known', () => {
    const times = createArrivalTimes(64);
    for (let at = 0; at < 1_000; at += 1) times.add(at, { places: [0], atMs: [at] });
    const known = Array.from({ length: 1_000 }, (_, at) => times.firstWithin(at, at + 1)).filter((ms) => ms !== null);
    expect(known.length).toBeLessThanOrEqual(64);
    expect(known.length).toBeGreaterThan(31);
    expect(known[0]).toBe(0);
    // What is known is spread over all of the text.
    expect(known.at(-1)).toBeGreaterThan(950);
    for (const ms of known) expect(times.firstWithin(ms, ms + 1)).toBe(ms);
  });

  it('are known of saved chunks and of new ones, but not of a rebuilt one', () => {
    const log = new StreamLog();
    const chunk = (seq: number, receivedAtMs: number) => ({
      seq,
      outputJson: JSON.stringify({ text: 'four' }),
      metricsJson: null,
      receivedAtMs,
    });
    log.accept([chunk(0, 10), { ...chunk(1, 11), isRebuilt: true }]);
    log.accept([chunk(2, 12)]);
    expect([0, 4, 8].map((place) => log.arrivals.firstWithin(place, place + 4))).toEqual([10, null, 12]);
  });
});

describe('the time beside a row', () => {
  const times = createArrivalTimes();
  times.add(0, { places: [0, 10], atMs: [1_000, 64_250] });
  const startMs = 1_000;

  it('is the one since the start, to a tenth of a second', () => {
    const beside = timesBeside(times, 'since-start', startMs);
    expect([beside?.(0, 5), beside?.(5, 10), beside?.(10, 20)]).toEqual(['0:00.0', null, '1:03.2']);
    expect(arrivalText(startMs + 3_723_900, 'since-start', startMs)).toBe('1:02:03.9');
    expect(arrivalText(0, 'since-start', startMs)).toBe('0:00.0');
  });

  it('is the one on the clock, or none', () => {
    const atMs = new Date(2026, 0, 2, 14, 3, 7, 45).getTime();
    expect(arrivalText(atMs, 'clock', 0)).toBe('14:03:07.045');
    expect(timesBeside(times, 'none', startMs)).toBeUndefined();
  });
});
