import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertCondition } from '../../../src-preload/alert.ts';
import type { Verdict } from '../../../src-main/alerts/evaluate.ts';
import { clearAfterMs, nextRuleState } from '../../../src-main/alerts/rule-state.ts';
import type { RuleState, RuleStateNews } from '../../../src-main/alerts/rule-state.ts';

const stuck: AlertCondition = { kind: 'stuck-queue', overJobs: 5, forMs: 120_000, isNoneIdle: true };
const burst: AlertCondition = { kind: 'failure-burst', overFailures: 3, withinMs: 300_000 };
const met = (sinceMs: number, asOfMs: number, isFiring: boolean): Verdict => ({
  result: 'met',
  isFiring,
  sinceMs,
  nextChangeAtMs: isFiring ? null : sinceMs + 120_000,
  asOfMs,
});
const clear = (sinceMs: number): Verdict => ({
  result: 'clear',
  isFiring: false,
  sinceMs,
  nextChangeAtMs: null,
  asOfMs: sinceMs,
});
const unknown: Verdict = { result: 'unknown', isFiring: false, sinceMs: null, nextChangeAtMs: null, asOfMs: null };
const quiet: RuleState = { phase: 'quiet' };

describe('the state of a rule', () => {
  it('goes from quiet through pending to firing, and ends after it was clear for a while', () => {
    const pending = nextRuleState(quiet, met(0, 0, false), stuck, 0);
    expect(pending).toEqual({ ruleState: { phase: 'pending', sinceMs: 0 }, news: null, wakeAtMs: 120_000 });
    const firing = nextRuleState(pending.ruleState, met(0, 119_000, true), stuck, 120_000);
    expect(firing).toMatchObject({
      ruleState: { phase: 'firing', firedAtMs: 120_000, lastSeenAtMs: 119_000 },
      news: { kind: 'fired' },
      wakeAtMs: null,
    });
    const clearing = nextRuleState(firing.ruleState, clear(150_000), stuck, 150_000);
    expect(clearing).toMatchObject({
      ruleState: { phase: 'firing', clearSinceMs: 150_000 },
      news: null,
      wakeAtMs: 180_000,
    });
    expect(nextRuleState(clearing.ruleState, clear(150_000), stuck, 180_000)).toEqual({
      ruleState: quiet,
      news: { kind: 'ended', endedAtMs: 150_000, isEndExact: true },
      wakeAtMs: null,
    });
  });

  it('is still one alert if it was clear only for a moment', () => {
    const firing = nextRuleState(quiet, met(0, 120_000, true), stuck, 120_000).ruleState;
    const clearing = nextRuleState(firing, clear(121_000), stuck, 121_000).ruleState;
    const again = nextRuleState(clearing, met(130_000, 130_000, false), stuck, 130_000);
    expect(again).toMatchObject({ ruleState: { phase: 'firing', firedAtMs: 120_000, clearSinceMs: null }, news: null });
  });

  it('must be clear for a quarter of its time, and for no more than a minute', () => {
    expect(clearAfterMs(stuck)).toBe(30_000);
    expect(clearAfterMs({ ...stuck, forMs: 3_600_000 })).toBe(60_000);
    expect(clearAfterMs({ kind: 'long-wait', overMs: 3_600_000 })).toBe(60_000);
  });

  it('is clear no earlier than it fired, even by older facts', () => {
    const firing = nextRuleState(quiet, met(0, 120_000, true), stuck, 120_000).ruleState;
    expect(nextRuleState(firing, clear(50_000), stuck, 125_000)).toMatchObject({
      ruleState: { phase: 'firing', clearSinceMs: 120_000 },
      wakeAtMs: 150_000,
    });
  });

  it('drops a pending alert, but not a firing one, when nothing is known', () => {
    expect(nextRuleState({ phase: 'pending', sinceMs: 0 }, unknown, stuck, 500_000)).toMatchObject({
      ruleState: quiet,
      news: null,
    });
    const firing = nextRuleState(quiet, met(0, 120_000, true), stuck, 120_000).ruleState;
    expect(nextRuleState(firing, unknown, stuck, 500_000)).toEqual({ ruleState: firing, news: null, wakeAtMs: null });
  });

  it('does not claim to know when it ended if nothing was read', () => {
    const firing = nextRuleState(quiet, met(0, 120_000, true), stuck, 120_000).ruleState;
    const clearing = nextRuleState(firing, clear(900_000), stuck, 900_000).ruleState;
    expect(nextRuleState(clearing, clear(900_000), stuck, 930_000).news).toEqual({
      kind: 'ended',
      endedAtMs: 900_000,
      isEndExact: false,
    });
  });

  it('ends immediately when the events leave the window', () => {
    const firing = nextRuleState(quiet, { ...met(0, 0, true), nextChangeAtMs: 300_000 }, burst, 10_000);
    expect(firing.wakeAtMs).toBe(300_000);
    expect(nextRuleState(firing.ruleState, clear(300_000), burst, 300_000).news).toEqual({
      kind: 'ended',
      endedAtMs: 300_000,
      isEndExact: true,
    });
  });

  it('in any order of events: begins and ends alternate, no alert ends before it began, and none ends before it was clear long enough', () => {
    const anyVerdict = fc.oneof(
      fc.constant('met' as const),
      fc.constant('firing' as const),
      fc.constant('clear' as const),
      fc.constant('unknown' as const),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(anyVerdict, fc.integer({ min: 1, max: 60_000 }))), (steps) => {
        let ruleState: RuleState = quiet;
        let nowMs = 0;
        let last: RuleStateNews['kind'] = 'ended';
        let firedAtMs = 0;
        let clearSinceMs: number | null = null;
        for (const [result, stepMs] of steps) {
          nowMs += stepMs;
          clearSinceMs = result === 'clear' ? (clearSinceMs ?? nowMs) : result === 'unknown' ? clearSinceMs : null;
          const verdict =
            result === 'clear'
              ? clear(clearSinceMs ?? nowMs)
              : result === 'unknown'
                ? unknown
                : met(Math.max(0, nowMs - 150_000), nowMs, result === 'firing');
          const stepped = nextRuleState(ruleState, verdict, stuck, nowMs);
          ruleState = stepped.ruleState;
          expect(stepped.wakeAtMs === null || stepped.wakeAtMs >= nowMs - 150_000).toBe(true);
          if (stepped.news === null) continue;
          expect(stepped.news.kind).not.toBe(last);
          last = stepped.news.kind;
          if (stepped.news.kind === 'fired') firedAtMs = nowMs;
          else {
            expect(stepped.news.endedAtMs).toBeGreaterThanOrEqual(firedAtMs);
            expect(nowMs - stepped.news.endedAtMs).toBeGreaterThanOrEqual(clearAfterMs(stuck));
          }
        }
      }),
    );
  });
});
