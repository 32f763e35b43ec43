import { describe, expect, it } from 'vitest';
import {
  drainRetryMs,
  isReadQuickly,
  statusIntervalMs,
  streamIntervalMs,
  sweepIntervalMs,
  intervalFactor,
} from '../../../../src-main/job/schedule/cadence.ts';
import type { Attention, JobAge, StreamAge } from '../../../../src-main/job/schedule/cadence.ts';

const minuteMs = 60_000;
const near: Attention = { isWindowVisible: true, isOnBattery: false };
const hidden: Attention = { isWindowVisible: false, isOnBattery: false };
const onBattery: Attention = { isWindowVisible: true, isOnBattery: true };

describe('the attention', () => {
  it('is full for a visible window on mains power; otherwise every pause is twice as long', () => {
    expect([near, hidden, onBattery].map(isReadQuickly)).toEqual([true, false, false]);
    expect([near, hidden, onBattery].map(intervalFactor)).toEqual([1, 2, 2]);
  });
});

describe('the next check', () => {
  const job = (changes: Partial<JobAge> = {}): JobAge => ({
    isOpened: false,
    viewIntervalMs: null,
    acceptedAtMs: 0,
    statusReadAtMs: 0,
    ...changes,
  });
  const interval = (
    changes: Partial<JobAge>,
    attention: Attention,
    nowMs: number,
    likelyAtMs: number | null = null,
  ): number => statusIntervalMs(job(changes), attention, likelyAtMs, nowMs);

  it('follows half a second after acceptance and then every second while a window shows the job, even on battery', () => {
    for (const attention of [near, onBattery]) {
      expect(interval({ isOpened: true, statusReadAtMs: null }, attention, 0)).toBe(500);
      expect(interval({ isOpened: true }, attention, 60 * minuteMs, 5_000)).toBe(750);
    }
  });

  it('grows with the age of an unwatched job, from 1.5 to 15 s', () => {
    expect(interval({ statusReadAtMs: null }, near, 0)).toBe(500);
    expect(
      [1_000, 15_000, 15_010, 90_000, 149_990, 150_000, 60 * minuteMs].map((ageMs) => interval({}, near, ageMs)),
    ).toEqual([1_500, 1_500, 1_501, 9_000, 14_999, 15_000, 15_000]);
    expect(interval({ acceptedAtMs: 40_000 }, near, 90_000)).toBe(5_000);
  });

  it('is twice as late behind a hidden window and on battery, and never sooner than two seconds', () => {
    for (const attention of [hidden, onBattery]) {
      expect(interval({ statusReadAtMs: null }, attention, 0)).toBe(2_000);
      expect([1_000, 90_000, 60 * minuteMs].map((ageMs) => interval({}, attention, ageMs))).toEqual([
        3_000, 18_000, 30_000,
      ]);
    }
    expect(interval({ isOpened: true }, hidden, 90_000)).toBe(18_000);
  });

  it('waits for the likely end, between one and 15 s after the last read, twice that if unwatched', () => {
    expect(
      [500, 4_000, 90_000].map((likelyAtMs) =>
        interval({ acceptedAtMs: 0, statusReadAtMs: 1_000 }, near, 1_000, likelyAtMs),
      ),
    ).toEqual([1_000, 3_000, 15_000]);
    expect(
      [500, 4_000, 90_000].map((likelyAtMs) =>
        interval({ acceptedAtMs: 0, statusReadAtMs: 1_000 }, hidden, 1_000, likelyAtMs),
      ),
    ).toEqual([2_000, 3_000, 30_000]);
    expect(interval({ acceptedAtMs: 1_000, statusReadAtMs: null }, near, 1_000, 5_000)).toBe(4_000);
  });
});

describe('the slow sweep', () => {
  it('comes every 30 s, for many jobs more rarely, and half as often if unwatched', () => {
    expect([10, 300, 301, 1_000].map((count) => sweepIntervalMs('run', count, near))).toEqual([
      30_000, 30_000, 30_100, 100_000,
    ]);
    expect(sweepIntervalMs('run', 10, hidden)).toBe(60_000);
  });

  it('comes three times before a result expires, however many jobs there are', () => {
    expect(sweepIntervalMs('run', 1_000_000, near)).toBe(10 * minuteMs);
    expect([near, hidden].map((attention) => sweepIntervalMs('runsync', 10, attention))).toEqual([20_000, 20_000]);
  });
});

describe('the next read of a stream', () => {
  const stream = (changes: Partial<StreamAge> = {}): number | null =>
    streamIntervalMs({
      isAttended: true,
      isWindowVisible: true,
      emptyReads: 0,
      hasChunks: true,
      isEndpointSilent: false,
      isKeptWhole: true,
      ...changes,
    });

  it('follows 300 ms after one with chunks while a window shows it, and slows to 2 s without chunks', () => {
    expect([0, 1, 2, 5, 40].map((emptyReads) => stream({ emptyReads }))).toEqual([300, 450, 675, 2_000, 2_000]);
    expect(stream({ isKeptWhole: false, isEndpointSilent: true })).toBe(300);
  });

  it('slows to 5 s if there was nothing for long', () => {
    expect(stream({ hasChunks: false, emptyReads: 29 })).toBe(2_000);
    expect(stream({ hasChunks: false, emptyReads: 30 })).toBe(5_000);
  });

  it('slows from 1.5 to 15 s if unwatched, or behind a hidden window', () => {
    for (const unseen of [{ isAttended: false }, { isWindowVisible: false }]) {
      expect([0, 1, 2, 6, 40].map((emptyReads) => stream({ ...unseen, emptyReads }))).toEqual([
        1_500, 2_250, 3_375, 15_000, 15_000,
      ]);
    }
  });

  it('comes once a minute if nothing suggests a stream (ruling 37)', () => {
    const unseen = { isAttended: false, hasChunks: false };
    expect([7, 8, 40].map((emptyReads) => stream({ ...unseen, emptyReads }))).toEqual([15_000, 60_000, 60_000]);
    expect(stream({ ...unseen, isEndpointSilent: true })).toBe(60_000);
    expect(stream({ isAttended: false, isEndpointSilent: true, emptyReads: 8 })).toBe(15_000);
  });

  it('does not come if it is unwatched and not kept whole', () => {
    expect(stream({ isAttended: false, isKeptWhole: false })).toBeNull();
  });
});

describe('a stream that cannot be read after its job is over', () => {
  it('is tried again after one second, then ever more rarely, up to a minute (ruling 36)', () => {
    expect([1, 2, 3, 6, 7, 30].map((failures) => drainRetryMs(failures, () => 1))).toEqual([
      1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
    ]);
    expect(drainRetryMs(2, () => 0)).toBe(1_000);
    expect(drainRetryMs(1, () => 0.3333)).toBe(667);
  });
});
