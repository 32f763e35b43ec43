import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  believedGapMs,
  doubtOf,
  newClockRecord,
  noteReading,
  noteServiceDate,
  noteUser,
  excludedSpans,
  type ClockRecord,
  type ClockReading,
  type ServiceDate,
} from '../../../src-main/time/clock-record.ts';
import { dayMs, hourMs, minuteMs } from '../../../src-preload/durations.ts';

const todayMs = Date.UTC(2026, 10, 24);
const yearMs = 365 * dayMs;
const gapMs = believedGapMs(30);

/** It was read an hour before. */
function at(nowMs: number): ClockReading {
  return { sinceMs: nowMs - hourMs, nowMs };
}

function said(dateMs: number, host = 'queue.example'): ServiceDate {
  return { host, dateMs };
}

/** The record of a clock that a service confirmed today. */
const confirmed = noteServiceDate(newClockRecord, at(todayMs), said(todayMs), gapMs);

describe('the longest plausible absence', () => {
  it.each([
    [1, 4],
    [7, 4],
    [30, 15],
    [90, 45],
    [365, 45],
    [null, 45],
  ])('with a rule of %s days: %s days', (afterDays, days) => {
    expect(believedGapMs(afterDays)).toBe(days * dayMs);
  });
});

describe('a clock', () => {
  it.each<[string, ClockRecord, number, string | null]>([
    ['that was never read is trusted', newClockRecord, todayMs, null],
    ['that continued for a week is trusted', confirmed, todayMs + 7 * dayMs, null],
    ['that is an hour back is trusted', confirmed, todayMs - hourMs, null],
    ['that moved ahead by 73 years is not trusted', confirmed, todayMs + 73 * yearMs, 'moved-ahead'],
    ['that moved ahead by 16 days is not trusted', confirmed, todayMs + 16 * dayMs, 'moved-ahead'],
    ['that is set to 1970 is not trusted', confirmed, 5 * hourMs, 'behind'],
  ])('%s', (_, record, nowMs, kind) => {
    expect(doubtOf(record, nowMs, gapMs)?.kind ?? null).toBe(kind);
  });

  it('that moved ahead stays doubted, whatever it reads, until a service agrees', () => {
    const aheadMs = todayMs + 73 * yearMs;
    const later = noteReading(confirmed, at(aheadMs), gapMs);
    expect(doubtOf(later, aheadMs + hourMs, gapMs)).toEqual({
      kind: 'moved-ahead',
      byMs: 73 * yearMs + hourMs,
      nowMs: aheadMs + hourMs,
    });
    const agreed = noteServiceDate(later, at(aheadMs + hourMs), said(aheadMs), gapMs);
    expect(doubtOf(agreed, aheadMs + hourMs, gapMs)).toBeNull();
  });

  it('confirmed by the user is trusted', () => {
    const aheadMs = todayMs + 100 * dayMs;
    expect(doubtOf(noteUser(confirmed, aheadMs), aheadMs + hourMs, gapMs)).toBeNull();
  });

  it('that a service contradicts is doubted until it is set right, even if it ran normally', () => {
    const aheadMs = todayMs + 10 * dayMs;
    const denied = noteServiceDate(newClockRecord, at(aheadMs), said(todayMs), gapMs);
    expect(doubtOf(denied, aheadMs, gapMs)?.kind).toBe('ahead-of-service');
    expect(doubtOf(denied, aheadMs + 3 * dayMs, gapMs)?.kind).toBe('ahead-of-service');
    const right = noteReading(denied, at(todayMs + hourMs), gapMs);
    expect(doubtOf(right, todayMs + hourMs, gapMs)).toBeNull();
    expect(doubtOf(right, aheadMs + dayMs, gapMs)).toBeNull();
  });

  it('confirmed by one service is not doubted because of another one within a day', () => {
    const other = noteServiceDate(confirmed, at(todayMs + hourMs), said(todayMs + 400 * dayMs, 'other.example'), gapMs);
    expect(other).toEqual(confirmed);
    const later = at(todayMs + 2 * dayMs);
    expect(
      doubtOf(noteServiceDate(confirmed, later, said(todayMs - yearMs, 'other.example'), gapMs), later.nowMs, gapMs)
        ?.kind,
    ).toBe('ahead-of-service');
  });
});

describe('the doubted span while the clock was behind', () => {
  it('covers the readings of that run, and by a service from the last confirmed one on', () => {
    const [sinceMs, nowMs] = [5 * hourMs, 6 * hourMs];
    const toMs = nowMs + minuteMs;
    expect(noteReading(confirmed, { sinceMs, nowMs }, gapMs).doubted).toEqual([
      { fromMs: sinceMs, toMs, endedByMs: null },
    ]);
    const first = noteServiceDate(newClockRecord, { sinceMs, nowMs }, said(todayMs), gapMs);
    expect(first.doubted).toEqual([{ fromMs: 0, toMs, endedByMs: null }]);
    expect(doubtOf(first, nowMs, gapMs)?.kind).toBe('behind');
    expect(doubtOf(first, todayMs + hourMs, gapMs)).toBeNull();
  });

  it('is known when a service confirms a clock that was set right in between', () => {
    const never = noteReading(newClockRecord, at(6 * hourMs), gapMs);
    expect(noteServiceDate(never, at(todayMs), said(todayMs), gapMs).doubted).toEqual([
      { fromMs: 0, toMs: 6 * hourMs + minuteMs, endedByMs: todayMs + dayMs },
    ]);
  });

  it('is removed when a wrong service is contradicted by a right one', () => {
    const poisoned = noteServiceDate(newClockRecord, at(todayMs), said(todayMs + yearMs, 'wrong.example'), gapMs);
    expect(poisoned.doubted).not.toEqual([]);
    expect(noteServiceDate(poisoned, at(todayMs + hourMs), said(todayMs + hourMs), gapMs).doubted).toEqual([]);
  });

  it('ends by the day the clock was confirmed: after the days of the rule it is no longer spared', () => {
    const behind = noteReading(confirmed, { sinceMs: 5 * hourMs, nowMs: 6 * hourMs }, gapMs);
    const right = noteServiceDate(behind, at(todayMs + hourMs), said(todayMs + hourMs), gapMs);
    const byMs = todayMs + hourMs + dayMs;
    expect(right.doubted.map(({ endedByMs }) => endedByMs)).toEqual([byMs]);
    const sparedAt = (record: ClockRecord, tooOldMs: number | null) => excludedSpans(record.doubted, tooOldMs).length;
    expect([sparedAt(right, byMs), sparedAt(right, byMs + 1), sparedAt(right, null)]).toEqual([1, 0, 1]);
    expect(sparedAt(behind, todayMs + yearMs)).toBe(1);
    // Later confirmations say nothing new about it.
    const later = noteServiceDate(right, at(todayMs + 2 * dayMs), said(todayMs + 2 * dayMs), gapMs);
    expect(later.doubted).toEqual(right.doubted);
    expect(noteUser(behind, todayMs).doubted.map(({ endedByMs }) => endedByMs)).toEqual([todayMs + dayMs]);
  });

  it('may end later if the confirmed clock turns out to have been behind as well', () => {
    const behind = noteReading(confirmed, { sinceMs: 5 * hourMs, nowMs: 6 * hourMs }, gapMs);
    const wrong = noteUser(behind, todayMs - yearMs);
    expect(wrong.doubted[0]?.endedByMs).toBe(todayMs - yearMs + dayMs);
    const denied = noteServiceDate(wrong, at(todayMs - yearMs + 2 * dayMs), said(todayMs), gapMs);
    expect(denied.doubted.every(({ endedByMs }) => endedByMs === null)).toBe(true);
    const right = noteServiceDate(wrong, at(todayMs), said(todayMs), gapMs);
    expect(right.doubted.every(({ endedByMs }) => endedByMs === todayMs + dayMs)).toBe(true);
    // By less than an absence may take, too.
    const slow = noteUser(behind, todayMs - 10 * dayMs);
    const told = noteServiceDate(slow, at(todayMs - 8 * dayMs), said(todayMs), gapMs);
    expect(told.doubted.every(({ endedByMs }) => endedByMs === null)).toBe(true);
  });

  it('may end later if the clock is there again', () => {
    const behind = noteReading(confirmed, { sinceMs: 5 * hourMs, nowMs: 6 * hourMs }, gapMs);
    const right = noteServiceDate(behind, at(todayMs + hourMs), said(todayMs + hourMs), gapMs);
    const again = noteReading(right, { sinceMs: 5.5 * hourMs, nowMs: 7 * hourMs }, gapMs);
    expect(again.doubted).toEqual([{ fromMs: 5 * hourMs, toMs: 7 * hourMs + minuteMs, endedByMs: null }]);
  });

  it('takes little space, however often it happened', () => {
    let record = confirmed;
    for (let time = 0; time < 100; time += 1) record = noteReading(record, at((time + 1) * yearMs * 0.1), gapMs);
    expect(record.doubted).toHaveLength(20);
    expect(record.doubted[0]?.fromMs).toBe(yearMs * 0.1 - hourMs);
  });
});

type Step =
  | { kind: 'passes'; ms: number }
  | { kind: 'clock-set'; offByMs: number; restarts: boolean }
  | { kind: 'answer'; hasDate: boolean }
  | { kind: 'check' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('passes' as const), ms: fc.constantFrom(hourMs, dayMs, 10 * dayMs, 40 * dayMs) }),
  fc.record({
    kind: fc.constant('clock-set' as const),
    offByMs: fc.constantFrom(0, -56 * yearMs, -20 * dayMs, -3 * dayMs, 3 * dayMs, 20 * dayMs, 73 * yearMs),
    restarts: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('answer' as const), hasDate: fc.boolean() }),
  fc.constant({ kind: 'check' as const }),
);

/**
 * Lives through the steps with a rule of `afterDays`. Returns the true ages in days of what it deleted and of what it
 * kept, without what is stamped as newer than it is.
 */
function live(
  steps: readonly Step[],
  afterDays: number,
): { agesDays: number[]; keptAgesDays: number[]; doubts: number } {
  const ruleGapMs = believedGapMs(afterDays);
  let [trueMs, offByMs] = [todayMs, 0];
  let clockMs = trueMs;
  let record = newClockRecord;
  // Only what is deleted after a service said the date since the clock was last set is judged.
  let isWitnessed = false;
  let ends: { trueMs: number; stampMs: number }[] = [];
  const agesDays: number[] = [];
  let doubts = 0;
  const reading = (): ClockReading => {
    // The engine's clock never goes back within a run.
    const sinceMs = clockMs;
    clockMs = Math.max(clockMs, trueMs + offByMs);
    return { sinceMs, nowMs: clockMs };
  };
  for (const each of steps) {
    switch (each.kind) {
      case 'passes':
        // Nothing is read in between. The engine's clock continues, even where the machine's was set back.
        trueMs += each.ms;
        clockMs += each.ms;
        break;
      case 'clock-set':
        offByMs = each.offByMs;
        isWitnessed = false;
        if (each.restarts) clockMs = trueMs + offByMs;
        record = noteReading(record, reading(), ruleGapMs);
        break;
      case 'answer': {
        // Without a date nothing shows that the clock is wrong by as much as an absence may take.
        const hasDate = each.hasDate || (offByMs !== 0 && Math.abs(offByMs) < ruleGapMs + 45 * dayMs);
        record = hasDate
          ? noteServiceDate(record, reading(), said(trueMs), ruleGapMs)
          : noteReading(record, reading(), ruleGapMs);
        isWitnessed ||= hasDate;
        ends.push({ trueMs, stampMs: clockMs });
        break;
      }
      case 'check': {
        record = noteReading(record, reading(), ruleGapMs);
        if (doubtOf(record, clockMs, ruleGapMs) !== null) {
          doubts += 1;
          break;
        }
        const tooOldMs = clockMs - afterDays * dayMs;
        const excluded = excludedSpans(record.doubted, tooOldMs);
        const isDeleted = ({ stampMs }: { stampMs: number }): boolean =>
          stampMs < tooOldMs && !excluded.some(({ fromMs, toMs }) => fromMs <= stampMs && stampMs <= toMs);
        if (isWitnessed) for (const end of ends.filter(isDeleted)) agesDays.push((trueMs - end.trueMs) / dayMs);
        ends = ends.filter((end) => !isDeleted(end));
        break;
      }
    }
  }
  const past = ends.filter(({ trueMs: endedMs, stampMs }) => stampMs <= endedMs + dayMs);
  return { agesDays, keptAgesDays: past.map((end) => (trueMs - end.trueMs) / dayMs), doubts };
}

describe('whatever the clock did', () => {
  it('a rule of N days deletes nothing younger, once a service has reported the date', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 4, maxLength: 30 }),
        fc.constantFrom(7, 30, 90, 365),
        (steps, afterDays) => {
          // A clock that is right within a day confirms nothing better than that, at both ends.
          for (const age of live(steps, afterDays).agesDays) expect(age).toBeGreaterThan(afterDays - 2.01);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('the rule deletes older outputs if the clock is right', () => {
    const steps: Step[] = [
      { kind: 'answer', hasDate: true },
      { kind: 'passes', ms: 100 * dayMs },
      { kind: 'check' },
      { kind: 'answer', hasDate: true },
      { kind: 'check' },
    ];
    expect(live(steps, 30)).toEqual({ agesDays: [100], keptAgesDays: [0], doubts: 1 });
  });

  it('the rule keeps nothing forever that a right clock has seen grow old, even if its own time was doubted', () => {
    const threeDays: Step[] = [
      { kind: 'passes', ms: dayMs },
      { kind: 'passes', ms: 2 * dayMs },
      { kind: 'answer', hasDate: true },
    ];
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 30 }), fc.constantFrom(7, 30, 90), (steps, afterDays) => {
        const untilOld = Array.from({ length: Math.ceil(afterDays / 3) + 2 }, () => threeDays).flat();
        const { keptAgesDays } = live(
          [
            ...steps,
            { kind: 'clock-set', offByMs: 0, restarts: true },
            { kind: 'answer', hasDate: true },
            ...untilOld,
            { kind: 'check' },
          ],
          afterDays,
        );
        for (const age of keptAgesDays) expect(age).toBeLessThan(afterDays + 2.01);
      }),
      { numRuns: 1_000 },
    );
  });
});
