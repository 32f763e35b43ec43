import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReadPace, PAUSE_MAX_MS } from '../../../../src-main/sandbox/workers/read-pace.ts';

/** A server's thread whose time is only spent by reading. */
function scene() {
  const state = { nowMs: 0, acknowledged: 0 };
  const planned: { atMs: number; run: () => void }[] = [];
  const pace = createReadPace({
    acknowledge: (length) => (state.acknowledged += length),
    nowMs: () => state.nowMs,
    later: (afterMs, run) => void planned.push({ atMs: state.nowMs + afterMs, run }),
  });
  return {
    state,
    planned,
    read: (length: number, tookMs: number): void => pace.read(length, () => void (state.nowMs += tookMs)),
    /** Passes the time up to the next thing planned, and does it. */
    next: (): void => {
      const [first] = planned.sort((one, other) => one.atMs - other.atMs);
      if (first === undefined) return;
      planned.splice(planned.indexOf(first), 1);
      state.nowMs = Math.max(state.nowMs, first.atMs);
      first.run();
    },
  };
}

test('what is read quickly is acknowledged at the end of the turn, and not within it', () => {
  const { state, planned, read, next } = scene();
  read(20, 0.05);
  read(30, 0.05);
  expect(state.acknowledged).toBe(0);
  expect(planned).toHaveLength(1);
  next();
  expect(state.acknowledged).toBe(50);
  expect(state.nowMs).toBe(0.1);
});

test('a flood gets a fifth of the time, and waits for a moment at most', () => {
  const { state, read, next } = scene();
  read(32_768, 10);
  next();
  expect(state.acknowledged).toBe(0);
  next();
  expect(state).toEqual({ acknowledged: 32_768, nowMs: 50 });
  read(32_768, 400);
  next();
  next();
  expect(state.nowMs).toBe(50 + 400 + PAUSE_MAX_MS);
});

test('every character is acknowledged once, after it was read, and reading leaves the server its time', () => {
  const turn = fc.record({
    reads: fc.array(
      fc.record({ length: fc.integer({ min: 1, max: 16_384 }), tookMs: fc.double({ min: 0, max: 12 }) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    /** Whether what is planned happens before the next turn. */
    isAnswered: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 30 }), (turns) => {
      const { state, planned, read, next } = scene();
      let length = 0;
      for (const { reads, isAnswered } of turns) {
        let tookMs = 0;
        const acknowledgedBefore = state.acknowledged;
        const isFirst = planned.length === 0;
        for (const one of reads) {
          read(one.length, one.tookMs);
          length += one.length;
          tookMs += one.tookMs;
        }
        expect(state.acknowledged).toBe(acknowledgedBefore);
        const readAtMs = state.nowMs;
        if (!isAnswered) continue;
        while (planned.length > 0) next();
        expect(state.acknowledged).toBe(length);
        if (isFirst && tookMs > 1) expect(state.nowMs - readAtMs).toBeCloseTo(Math.min(PAUSE_MAX_MS, tookMs * 4), 6);
      }
      while (planned.length > 0) next();
      expect(state.acknowledged).toBe(length);
    }),
  );
});
