import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkOverruns, maxNamedJobs, nothingNotified, type OverrunView } from '../../../src-main/cost/overrun.ts';

const hour = 3_600_000;
const view = (changes: Partial<OverrunView>): OverrunView => ({
  nowMs: 0,
  day: '2026-11-21',
  creditsPerHour: 1,
  limits: { perJob: null, perDay: null },
  running: [],
  ended: [],
  spent: null,
  notified: nothingNotified,
  ...changes,
});
const running = (key: string, startedAtMs: number, formerCredits = 0) => ({
  key,
  title: key,
  formerCredits,
  startedAtMs,
});

const arbitraryView = fc
  .record({
    nowMs: fc.integer({ min: 0, max: 10 * hour }),
    creditsPerHour: fc.option(fc.double({ min: 0.01, max: 50, noNaN: true }), { freq: 8 }),
    limits: fc.record({
      perJob: fc.option(fc.double({ min: 0.01, max: 20, noNaN: true })),
      perDay: fc.option(fc.double({ min: 0.01, max: 100, noNaN: true })),
    }),
    running: fc.uniqueArray(
      fc.record({
        key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        formerCredits: fc.constantFrom(0, 0.5, 3),
        agoMs: fc.integer({ min: 0, max: 3 * hour }),
      }),
      { selector: (job) => job.key },
    ),
    ended: fc.uniqueArray(
      fc.record({
        key: fc.constantFrom('v', 'w', 'x', 'y', 'z'),
        title: fc.constant('ended'),
        credits: fc.double({ min: 0, max: 30, noNaN: true }),
      }),
      { selector: (job) => job.key },
    ),
    spent: fc.option(fc.double({ min: 0, max: 150, noNaN: true })),
  })
  .map(({ nowMs, running: jobs, spent, ...rest }): OverrunView =>
    view({
      ...rest,
      nowMs,
      running: jobs.map(({ key, formerCredits, agoMs }) => running(key, nowMs - agoMs, formerCredits)),
      spent: spent === null ? null : { credits: spent, atMs: nowMs },
    }),
  );

describe('overruns', () => {
  it('report a running job at the moment it passes its limit, and not before', () => {
    const before = view({ limits: { perJob: 2, perDay: null }, running: [running('a', 0, 0.5)] });
    expect(checkOverruns(before)).toMatchObject({ overruns: [], nextAtMs: 1.5 * hour });
    expect(checkOverruns({ ...before, nowMs: 1.5 * hour }).overruns).toMatchObject([
      { kind: 'job', key: 'a', isRunning: true, credits: 2, limit: 2 },
    ]);
  });
  it('count a sum that only rounding keeps below its limit', () => {
    const credits = 0.1 + 0.7;
    expect(credits).toBeLessThan(0.8);
    expect(
      checkOverruns(view({ limits: { perJob: 0.8, perDay: null }, ended: [{ key: 'a', title: 'a', credits }] }))
        .overruns,
    ).toHaveLength(1);
  });
  it('report a day by its spent and running costs', () => {
    const before = view({
      limits: { perJob: null, perDay: 10 },
      running: [running('a', 0), running('b', 0)],
      spent: { credits: 6, atMs: 0 },
    });
    expect(checkOverruns(before)).toMatchObject({ overruns: [], nextAtMs: 2 * hour });
    const judged = checkOverruns({ ...before, nowMs: 2 * hour });
    expect(judged.overruns).toEqual([{ kind: 'day', credits: 10, limit: 10 }]);
    expect(checkOverruns({ ...before, nowMs: 3 * hour, notified: judged.notified })).toMatchObject({
      overruns: [],
      nextAtMs: null,
    });
    expect(
      checkOverruns({ ...before, nowMs: 3 * hour, day: '2026-11-22', notified: judged.notified }).overruns,
    ).toHaveLength(1);
  });
  it('name a few jobs a day and then the rest together, once', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ key: `k${index}`, title: `k${index}`, credits: 5 }));
    const first = checkOverruns(view({ limits: { perJob: 1, perDay: null }, ended: many.slice(0, 10) }));
    expect(first.overruns.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: maxNamedJobs }, () => 'job'),
      'more-jobs',
    ]);
    expect(
      checkOverruns(view({ limits: { perJob: 1, perDay: null }, ended: many.slice(10), notified: first.notified }))
        .overruns,
    ).toEqual([]);
    expect(
      checkOverruns(
        view({
          day: '2026-11-22',
          limits: { perJob: 1, perDay: null },
          ended: [{ key: 'new', title: 'new', credits: 5 }],
          notified: first.notified,
        }),
      ).overruns,
    ).toHaveLength(1);
  });
  it('are notified once', () => {
    fc.assert(
      fc.property(arbitraryView, fc.integer({ min: 0, max: hour }), (first, laterMs) => {
        const { overruns, notified } = checkOverruns(first);
        const again = checkOverruns({ ...first, nowMs: first.nowMs + laterMs, notified }).overruns;
        const names = (list: typeof overruns): string[] =>
          list.map((overrun) => (overrun.kind === 'job' ? overrun.key : overrun.kind));
        expect(names(again).filter((name) => names(overruns).includes(name))).toEqual([]);
      }),
    );
  });
  it('come at the planned moment, and never before it', () => {
    fc.assert(
      fc.property(arbitraryView, fc.double({ min: 0, max: 0.999, noNaN: true }), (first, share) => {
        const { notified, nextAtMs } = checkOverruns(first);
        if (nextAtMs === null) {
          expect(checkOverruns({ ...first, ended: [], notified, nowMs: first.nowMs + 1_000 * hour }).overruns).toEqual(
            [],
          );
          return;
        }
        expect(nextAtMs).toBeGreaterThan(first.nowMs);
        const between = Math.floor(first.nowMs + (nextAtMs - 1 - first.nowMs) * share);
        expect(checkOverruns({ ...first, ended: [], notified, nowMs: between }).overruns).toEqual([]);
        // Rounding may put it off by a moment, and no more.
        const after = checkOverruns({ ...first, ended: [], notified, nowMs: nextAtMs + 1 });
        const isSilent = after.overruns.length === 0 && after.notified.jobs.length === notified.jobs.length;
        expect(isSilent).toBe(false);
      }),
    );
  });
  it('are not reported without a rate or limits', () => {
    fc.assert(
      fc.property(arbitraryView, (any) => {
        expect(checkOverruns({ ...any, creditsPerHour: null })).toMatchObject({ overruns: [], nextAtMs: null });
        expect(checkOverruns({ ...any, limits: { perJob: null, perDay: null } })).toMatchObject({
          overruns: [],
          nextAtMs: null,
        });
      }),
    );
  });
});
