import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choose } from '../../../../src-main/job/plan/suspects.ts';
import type { Suspect } from '../../../../src-main/job/plan/suspects.ts';

const suspect = (key: string, changes: Partial<Suspect> = {}): Suspect => ({
  key,
  acceptedAtMs: 0,
  startedSeenAtMs: null,
  lookedAtMs: null,
  endsAtMs: null,
  ...changes,
});
const sought = (count: number) => ({ count, beforeMs: 10_000, sinceMs: 10_000 });
/** Forecasts that were right to some tens of milliseconds. */
const good = Array.from({ length: 40 }, (_, index) => index - 20);
const keys = (suspects: readonly Suspect[]): string[] => suspects.map(({ key }) => key);

describe('whom to look at first', () => {
  it('are those forecast to have ended, as many as ended', () => {
    const suspects = [
      suspect('running', { endsAtMs: 30_000 }),
      suspect('a', { endsAtMs: 9_000 }),
      suspect('b', { endsAtMs: 9_500 }),
      suspect('c', { endsAtMs: 9_700 }),
    ];
    const chosen = keys(choose(suspects, [], sought(2), good, 10_000).now);
    expect(chosen).toHaveLength(2);
    expect(chosen).not.toContain('running');
  });

  it('leaves those at long odds for later, when the likely ones did not explain it', () => {
    const suspects = Array.from({ length: 100 }, (_, index) => suspect(`k${index}`, { endsAtMs: 60_000 }));
    expect(choose(suspects, [], sought(3), good, 10_000)).toEqual({ now: [], restMs: 10_000 });
  });

  it('makes as many ends as are sought out of their odds, those nobody can forecast counting a quarter each', () => {
    const unknown = Array.from({ length: 9 }, (_, index) => suspect(`k${index}`));
    expect(keys(choose(unknown, [], sought(1), good, 10_000).now)).toEqual(['k0', 'k1', 'k2', 'k3']);
    expect(keys(choose(unknown.slice(2), unknown.slice(0, 2), sought(1), good, 10_000).now)).toEqual(['k2', 'k3']);
    expect(choose(unknown, [], sought(2), good, 10_000).now).toHaveLength(8);
  });

  it('comes to the others the later the more of them there are, but after five seconds at the least', () => {
    const unlikely = (count: number): Suspect[] =>
      Array.from({ length: count }, (_, index) => suspect(`far-${index}`, { endsAtMs: 60_000 }));
    const likely = Array.from({ length: 20 }, (_, index) => suspect(`near-${index}`, { endsAtMs: 9_000 }));
    expect(choose([...likely, ...unlikely(49)], [], sought(3), good, 10_000).restMs).toBe(5_000);
    expect(choose([...likely, ...unlikely(60)], [], sought(3), good, 10_000).restMs).toBe(6_000);
    expect(choose(unlikely(60), [], sought(3), good.slice(0, 7), 10_000).restMs).toBe(Infinity);
  });

  it('goes by forecasts from the eighth of their errors on', () => {
    const suspects = [suspect('first', { endsAtMs: 60_000 }), suspect('likely', { acceptedAtMs: 5, endsAtMs: 9_000 })];
    expect(keys(choose(suspects, [], sought(1), good.slice(0, 7), 10_000).now)).toEqual(['first', 'likely']);
    expect(keys(choose(suspects, [], sought(1), good.slice(0, 8), 10_000).now)).toEqual(['likely']);
  });

  it('takes the first key of two that are alike', () => {
    const alike = [suspect('b'), suspect('a'), suspect('c')];
    expect(keys(choose(alike, [], sought(Infinity), [], 10_000).now)).toEqual(['a', 'b', 'c']);
    expect(keys(choose(alike, [], sought(1), good, 10_000).now)).toEqual(['a', 'b', 'c']);
  });

  it('asks about one more than is sought where nothing is forecast, less those asked about already', () => {
    const suspects = ['a', 'b', 'c', 'd'].map((key) => suspect(key));
    const busy = ['x', 'y', 'z'].map((key) => suspect(key));
    expect(keys(choose(suspects, busy.slice(0, 1), sought(2), [], 10_000).now)).toEqual(['a', 'b']);
    expect(keys(choose(suspects, busy, sought(1), [], 10_000).now)).toEqual([]);
  });

  it('takes of those seen running the one looked at longest ago, and one never looked at by its acceptance', () => {
    const suspects = [
      suspect('d', { acceptedAtMs: 2 }),
      suspect('a', { startedSeenAtMs: 1, lookedAtMs: 700 }),
      suspect('b', { startedSeenAtMs: 900, lookedAtMs: 300 }),
      suspect('c', { startedSeenAtMs: 5, acceptedAtMs: 500 }),
    ];
    expect(keys(choose(suspects, [], sought(Infinity), [], 10_000).now)).toEqual(['b', 'c', 'a', 'd']);
  });

  it('waits for the looks under way before it asks about more', () => {
    const busy = [suspect('asked', { endsAtMs: 9_000 })];
    expect(choose([suspect('a', { endsAtMs: 9_000 })], busy, sought(1), good, 10_000).now).toEqual([]);
    expect(keys(choose([suspect('a', { endsAtMs: 9_000 })], busy, sought(2), good, 10_000).now)).toEqual(['a']);
  });

  it('does not ask again at once about one that was just found running', () => {
    const late = suspect('late', { endsAtMs: 5_000, lookedAtMs: 9_999 });
    const fresh = suspect('fresh', { endsAtMs: 9_900 });
    expect(keys(choose([late, fresh], [], sought(2), good, 10_000).now)).toEqual(['fresh']);
  });

  it('goes without forecasts by who was seen running, and who was looked at longest ago', () => {
    const suspects = [
      suspect('new', { acceptedAtMs: 50 }),
      suspect('old', { acceptedAtMs: 10 }),
      suspect('running', { startedSeenAtMs: 60, lookedAtMs: 60 }),
    ];
    expect(keys(choose(suspects, [], sought(1), [], 10_000).now)).toEqual(['running', 'old']);
    expect(keys(choose(suspects, [], sought(Infinity), [], 10_000).now)).toEqual(['running', 'old', 'new']);
  });

  it('is the same for shuffled suspects, all of them suspects, and none twice', () => {
    const anySuspect = fc.record({
      acceptedAtMs: fc.nat(5_000),
      startedSeenAtMs: fc.option(fc.nat(9_000)),
      lookedAtMs: fc.option(fc.nat(9_999)),
      endsAtMs: fc.option(fc.nat(20_000)),
    });
    fc.assert(
      fc.property(
        fc.array(anySuspect, { maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (parts, count, isCalibrated) => {
          const suspects = parts.map((part, index) => suspect(`k${String(index).padStart(2, '0')}`, part));
          const errors = isCalibrated ? good : [];
          const { now } = choose(suspects, [], sought(count), errors, 10_000);
          expect(keys(choose(suspects.toReversed(), [], sought(count), errors, 10_000).now)).toEqual(keys(now));
          expect(new Set(now).size).toBe(now.length);
          for (const chosen of now) expect(suspects).toContain(chosen);
          // More ends never mean fewer looks.
          expect(choose(suspects, [], sought(count + 1), errors, 10_000).now.length).toBeGreaterThanOrEqual(now.length);
        },
      ),
    );
  });
});
