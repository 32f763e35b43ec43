import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choose } from '../../../../src-main/job/schedule/likely-ends.ts';
import type { LikelyEnd } from '../../../../src-main/job/schedule/likely-ends.ts';

const likelyEnd = (key: string, changes: Partial<LikelyEnd> = {}): LikelyEnd => ({
  key,
  acceptedAtMs: 0,
  startedSeenAtMs: null,
  statusReadAtMs: null,
  endsAtMs: null,
  ...changes,
});
const unexplained = (count: number, maxStarts = Infinity) => ({
  count,
  beforeMs: 10_000,
  sinceMs: 10_000,
  maxStarts,
});
/** Forecasts that were right to some tens of milliseconds. */
const good = Array.from({ length: 40 }, (_, index) => index - 20);
const keys = (likelyEnds: readonly LikelyEnd[]): string[] => likelyEnds.map(({ key }) => key);

describe('the jobs to read first', () => {
  it('are those forecast to have ended, as many as ended', () => {
    const likelyEnds = [
      likelyEnd('running', { endsAtMs: 30_000 }),
      likelyEnd('a', { endsAtMs: 9_000 }),
      likelyEnd('b', { endsAtMs: 9_500 }),
      likelyEnd('c', { endsAtMs: 9_700 }),
    ];
    const chosen = keys(choose({ likelyEnds, busy: [], unexplained: unexplained(2) }, good, 10_000).now);
    expect(chosen).toHaveLength(2);
    expect(chosen).not.toContain('running');
  });

  it('include last those that cannot have started, whatever is forecast, because others wait before them', () => {
    const running = likelyEnd('running', { acceptedAtMs: 99, startedSeenAtMs: 5_000, endsAtMs: 9_000 });
    const queued = Array.from({ length: 6 }, (_, index) =>
      likelyEnd(`k${index}`, { acceptedAtMs: index, endsAtMs: 9_000 - index * 1_000 }),
    );
    const chosen = (ends: number, maxStarts: number, busy: readonly LikelyEnd[] = []): string[] =>
      keys(
        choose(
          { likelyEnds: [...queued.toReversed(), running], busy, unexplained: unexplained(ends, maxStarts) },
          good,
          10_000,
        ).now,
      );
    expect(chosen(3, Infinity)).toEqual(['k5', 'k4', 'k3']);
    expect(chosen(3, 2).toSorted()).toEqual(['k0', 'k1', 'running']);
    expect(chosen(4, 2)[3]).toBe('k5');
    // One whose read is in progress waits in the queue too.
    const busy = [likelyEnd('asked', { acceptedAtMs: 0.5, endsAtMs: 60_000 })];
    expect(chosen(3, 3, busy).toSorted()).toEqual(['k0', 'k1', 'running']);
  });

  it('exclude those at long odds, which come later if the likely ones did not explain the rise', () => {
    const likelyEnds = Array.from({ length: 100 }, (_, index) => likelyEnd(`k${index}`, { endsAtMs: 60_000 }));
    expect(choose({ likelyEnds, busy: [], unexplained: unexplained(3) }, good, 10_000)).toEqual({
      now: [],
      restMs: 10_000,
    });
  });

  it('add up to the ends to be found by their odds, with a quarter for each without a forecast', () => {
    const unknown = Array.from({ length: 9 }, (_, index) => likelyEnd(`k${index}`));
    expect(keys(choose({ likelyEnds: unknown, busy: [], unexplained: unexplained(1) }, good, 10_000).now)).toEqual([
      'k0',
      'k1',
      'k2',
      'k3',
    ]);
    expect(
      keys(
        choose({ likelyEnds: unknown.slice(2), busy: unknown.slice(0, 2), unexplained: unexplained(1) }, good, 10_000)
          .now,
      ),
    ).toEqual(['k2', 'k3']);
    expect(choose({ likelyEnds: unknown, busy: [], unexplained: unexplained(2) }, good, 10_000).now).toHaveLength(8);
  });

  it('include the others later, the more of them there are, but after five seconds at the least', () => {
    const unlikely = (count: number): LikelyEnd[] =>
      Array.from({ length: count }, (_, index) => likelyEnd(`far-${index}`, { endsAtMs: 60_000 }));
    const likely = Array.from({ length: 20 }, (_, index) => likelyEnd(`near-${index}`, { endsAtMs: 9_000 }));
    expect(
      choose({ likelyEnds: [...likely, ...unlikely(49)], busy: [], unexplained: unexplained(3) }, good, 10_000).restMs,
    ).toBe(5_000);
    expect(
      choose({ likelyEnds: [...likely, ...unlikely(60)], busy: [], unexplained: unexplained(3) }, good, 10_000).restMs,
    ).toBe(6_000);
    expect(
      choose({ likelyEnds: unlikely(60), busy: [], unexplained: unexplained(3) }, good.slice(0, 7), 10_000).restMs,
    ).toBe(Infinity);
  });

  it('follow forecasts once eight errors are known', () => {
    const likelyEnds = [
      likelyEnd('first', { endsAtMs: 60_000 }),
      likelyEnd('likely', { acceptedAtMs: 5, endsAtMs: 9_000 }),
    ];
    expect(keys(choose({ likelyEnds, busy: [], unexplained: unexplained(1) }, good.slice(0, 7), 10_000).now)).toEqual([
      'first',
      'likely',
    ]);
    expect(keys(choose({ likelyEnds, busy: [], unexplained: unexplained(1) }, good.slice(0, 8), 10_000).now)).toEqual([
      'likely',
    ]);
  });

  it('are sorted by key if they are alike', () => {
    const alike = [likelyEnd('b'), likelyEnd('a'), likelyEnd('c')];
    expect(keys(choose({ likelyEnds: alike, busy: [], unexplained: unexplained(Infinity) }, [], 10_000).now)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(keys(choose({ likelyEnds: alike, busy: [], unexplained: unexplained(1) }, good, 10_000).now)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('are one more than the ends to be found without forecasts, minus those already being read', () => {
    const likelyEnds = ['a', 'b', 'c', 'd'].map((key) => likelyEnd(key));
    const busy = ['x', 'y', 'z'].map((key) => likelyEnd(key));
    expect(keys(choose({ likelyEnds, busy: busy.slice(0, 1), unexplained: unexplained(2) }, [], 10_000).now)).toEqual([
      'a',
      'b',
    ]);
    expect(keys(choose({ likelyEnds, busy, unexplained: unexplained(1) }, [], 10_000).now)).toEqual([]);
  });

  it('are among running ones the one read longest ago, and an unread one by its acceptance', () => {
    const likelyEnds = [
      likelyEnd('d', { acceptedAtMs: 2 }),
      likelyEnd('a', { startedSeenAtMs: 1, statusReadAtMs: 700 }),
      likelyEnd('b', { startedSeenAtMs: 900, statusReadAtMs: 300 }),
      likelyEnd('c', { startedSeenAtMs: 5, acceptedAtMs: 500 }),
    ];
    expect(keys(choose({ likelyEnds, busy: [], unexplained: unexplained(Infinity) }, [], 10_000).now)).toEqual([
      'b',
      'c',
      'a',
      'd',
    ]);
  });

  it('wait for the reads in progress before more are read', () => {
    const busy = [likelyEnd('asked', { endsAtMs: 9_000 })];
    expect(
      choose({ likelyEnds: [likelyEnd('a', { endsAtMs: 9_000 })], busy, unexplained: unexplained(1) }, good, 10_000)
        .now,
    ).toEqual([]);
    expect(
      keys(
        choose({ likelyEnds: [likelyEnd('a', { endsAtMs: 9_000 })], busy, unexplained: unexplained(2) }, good, 10_000)
          .now,
      ),
    ).toEqual(['a']);
  });

  it('do not include one that was just found running', () => {
    const late = likelyEnd('late', { endsAtMs: 5_000, statusReadAtMs: 9_999 });
    const fresh = likelyEnd('fresh', { endsAtMs: 9_900 });
    expect(
      keys(choose({ likelyEnds: [late, fresh], busy: [], unexplained: unexplained(2) }, good, 10_000).now),
    ).toEqual(['fresh']);
  });

  it('without forecasts are those seen running, and those read longest ago', () => {
    const likelyEnds = [
      likelyEnd('new', { acceptedAtMs: 50 }),
      likelyEnd('old', { acceptedAtMs: 10 }),
      likelyEnd('running', { startedSeenAtMs: 60, statusReadAtMs: 60 }),
    ];
    expect(keys(choose({ likelyEnds, busy: [], unexplained: unexplained(1) }, [], 10_000).now)).toEqual([
      'running',
      'old',
    ]);
    expect(keys(choose({ likelyEnds, busy: [], unexplained: unexplained(Infinity) }, [], 10_000).now)).toEqual([
      'running',
      'old',
      'new',
    ]);
  });

  it('are the same for shuffled candidates, all of them candidates, and none twice', () => {
    const anySuspect = fc.record({
      acceptedAtMs: fc.nat(5_000),
      startedSeenAtMs: fc.option(fc.nat(9_000)),
      statusReadAtMs: fc.option(fc.nat(9_999)),
      endsAtMs: fc.option(fc.nat(20_000)),
    });
    fc.assert(
      fc.property(
        fc.array(anySuspect, { maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (parts, count, isCalibrated) => {
          const likelyEnds = parts.map((part, index) => likelyEnd(`k${String(index).padStart(2, '0')}`, part));
          const errors = isCalibrated ? good : [];
          const { now } = choose({ likelyEnds, busy: [], unexplained: unexplained(count) }, errors, 10_000);
          expect(
            keys(
              choose({ likelyEnds: likelyEnds.toReversed(), busy: [], unexplained: unexplained(count) }, errors, 10_000)
                .now,
            ),
          ).toEqual(keys(now));
          expect(new Set(now).size).toBe(now.length);
          for (const chosen of now) expect(likelyEnds).toContain(chosen);
          // More ends never mean fewer looks.
          expect(
            choose({ likelyEnds, busy: [], unexplained: unexplained(count + 1) }, errors, 10_000).now.length,
          ).toBeGreaterThanOrEqual(now.length);
        },
      ),
    );
  });
});
