import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertDelivery } from '../../../src-preload/alert.ts';
import { settingsDefaults } from '../../../src-preload/settings.ts';
import { isPending, planAlerts, notifyEveryMs, type AlertPlanInput } from '../../../src-main/alerts/plan-alerts.ts';
import { isQuiet, nextMinute } from '../../../src-main/time/quiet-hours.ts';

const minute = 60_000;
const utcMinute = (atMs: number): number => Math.floor(atMs / minute) % 1_440;
const night = { isOn: true, fromMinute: 22 * 60, toMinute: 8 * 60 };
/** 12:00 UTC. */
const noon = 1_700_000_000_000 - (1_700_000_000_000 % 86_400_000) + 12 * 60 * minute;
const pending = (id: string, delivery: AlertDelivery = 'due', firedAtMs = noon): AlertPlanInput['pending'][number] => ({
  id,
  connectionId: 'c1',
  endpointId: 'echo',
  delivery,
  firedAtMs,
});
const plan = (changes: Partial<AlertPlanInput>) =>
  planAlerts({
    pending: [],
    settings: settingsDefaults,
    isMuted: () => false,
    isOff: () => false,
    isLetThrough: () => false,
    lastShownAtMs: null,
    nowMs: noon,
    minuteOf: utcMinute,
    ...changes,
  });

describe('notifications of alerts', () => {
  it('shows one immediately, and the next ones together a minute later', () => {
    expect(plan({ pending: [pending('a')] })).toEqual({
      changes: [],
      now: [{ id: 'a', delivery: 'notified' }],
      wakeAtMs: null,
    });
    const waiting = { pending: [pending('b'), pending('c', 'due', noon + 5)], lastShownAtMs: noon };
    expect(plan({ ...waiting, nowMs: noon + 10 })).toEqual({ changes: [], now: [], wakeAtMs: noon + notifyEveryMs });
    expect(plan({ ...waiting, nowMs: noon + notifyEveryMs }).now).toEqual([
      { id: 'b', delivery: 'notified' },
      { id: 'c', delivery: 'notified' },
    ]);
  });

  it('holds back in quiet hours, and reports everything afterwards', () => {
    const settings = { ...settingsDefaults, quietHours: night };
    const late = noon + 11 * 60 * minute;
    expect(plan({ settings, pending: [pending('a')], nowMs: late })).toEqual({
      changes: [{ id: 'a', delivery: 'held' }],
      now: [],
      wakeAtMs: noon + 20 * 60 * minute,
    });
    expect(
      plan({ settings, pending: [pending('a', 'held'), pending('b', 'held')], nowMs: noon + 20 * 60 * minute }).now,
    ).toEqual([
      { id: 'a', delivery: 'after-quiet-hours' },
      { id: 'b', delivery: 'after-quiet-hours' },
    ]);
  });

  it('collects for a digest from the first on', () => {
    const settings = { ...settingsDefaults, digest: { isOn: true, everyMinutes: 60 } };
    expect(plan({ settings, pending: [pending('a')] })).toEqual({
      changes: [{ id: 'a', delivery: 'gathered' }],
      now: [],
      wakeAtMs: noon + 60 * minute,
    });
    expect(
      plan({
        settings,
        pending: [pending('a', 'gathered'), pending('b', 'gathered', noon + 50 * minute)],
        nowMs: noon + 60 * minute,
      }).now,
    ).toEqual([
      { id: 'a', delivery: 'in-digest' },
      { id: 'b', delivery: 'in-digest' },
    ]);
  });

  it('shows alerts held by quiet hours together with those collected for a digest, and does not wait for the digest', () => {
    const settings = { ...settingsDefaults, digest: { isOn: true, everyMinutes: 60 } };
    expect(plan({ settings, pending: [pending('a', 'held', noon - minute), pending('b', 'gathered')] }).now).toEqual([
      { id: 'a', delivery: 'after-quiet-hours' },
      { id: 'b', delivery: 'in-digest' },
    ]);
  });

  it('never shows muted alerts, or any while notifications are off', () => {
    expect(plan({ pending: [pending('a'), pending('b')], isMuted: ({ id }) => id === 'a' })).toEqual({
      changes: [{ id: 'a', delivery: 'muted' }],
      now: [{ id: 'b', delivery: 'notified' }],
      wakeAtMs: null,
    });
    expect(plan({ pending: [pending('a', 'held')], isOff: () => true })).toEqual({
      changes: [{ id: 'a', delivery: 'off' }],
      now: [],
      wakeAtMs: null,
    });
  });

  it('over any day: at most one a minute, none in quiet hours, none lost, none twice', () => {
    const settings = fc.record({
      quietHours: fc.record({
        isOn: fc.boolean(),
        fromMinute: fc.integer({ min: 0, max: 1_439 }),
        toMinute: fc.integer({ min: 0, max: 1_439 }),
      }),
      digest: fc.record({ isOn: fc.boolean(), everyMinutes: fc.integer({ min: 1, max: 240 }) }),
    });
    fc.assert(
      fc.property(
        settings,
        fc.array(fc.integer({ min: 0, max: 24 * 60 * minute }), { minLength: 1, maxLength: 12 }),
        (given, times) => {
          const open = new Map<string, AlertPlanInput['pending'][number]>();
          const coming = times
            .toSorted((a, b) => a - b)
            .map((atMs, index) => ({ id: String(index), atMs: noon + atMs }));
          const shown: { atMs: number; ids: string[] }[] = [];
          let nowMs = noon;
          let lastShownAtMs: number | null = null;
          let wakeAtMs: number | null = null;
          for (let turn = 0; turn < 5_000; turn += 1) {
            const next = Math.min(coming[0]?.atMs ?? Infinity, wakeAtMs ?? Infinity);
            if (next === Infinity) break;
            expect(next).toBeGreaterThanOrEqual(nowMs);
            nowMs = next;
            while (coming[0] !== undefined && coming[0].atMs <= nowMs) {
              const one = coming.shift();
              if (one !== undefined) open.set(one.id, pending(one.id, 'due', one.atMs));
            }
            const step = planAlerts({
              pending: [...open.values()],
              settings: given,
              isMuted: () => false,
              isOff: () => false,
              isLetThrough: () => false,
              lastShownAtMs,
              nowMs,
              minuteOf: utcMinute,
            });
            for (const { id, delivery } of step.changes) {
              const record = open.get(id);
              if (record !== undefined && isPending(delivery)) open.set(id, { ...record, delivery });
            }
            for (const { id } of step.now) open.delete(id);
            if (step.now.length > 0) {
              shown.push({ atMs: nowMs, ids: step.now.map(({ id }) => id) });
              lastShownAtMs = nowMs;
            }
            ({ wakeAtMs } = step);
            expect(open.size === 0 || wakeAtMs !== null).toBe(true);
          }
          expect(shown.flatMap(({ ids }) => ids).toSorted()).toEqual(times.map((_, index) => String(index)).toSorted());
          expect(
            shown.every(
              ({ atMs }, index) =>
                atMs - (shown[index - 1]?.atMs ?? -Infinity) >= notifyEveryMs &&
                !isQuiet(given.quietHours, atMs, utcMinute),
            ),
          ).toBe(true);
        },
      ),
    );
  });
});

describe('alerts that are shown even in quiet hours', () => {
  const late = noon + 11 * 60 * minute;
  const through = {
    settings: { ...settingsDefaults, quietHours: night },
    isLetThrough: ({ id }: { id: string }) => id === 'loud',
    nowMs: late,
  };

  it('are shown, while the others wait for the end', () => {
    expect(plan({ ...through, pending: [pending('loud', 'due', late), pending('still', 'due', late)] })).toEqual({
      changes: [{ id: 'still', delivery: 'held' }],
      now: [{ id: 'loud', delivery: 'notified' }],
      wakeAtMs: noon + 20 * 60 * minute,
    });
  });

  it('keep an interval of a minute', () => {
    expect(plan({ ...through, pending: [pending('loud', 'due', late)], lastShownAtMs: late - 10 })).toEqual({
      changes: [],
      now: [],
      wakeAtMs: late - 10 + notifyEveryMs,
    });
  });
});

describe('quiet hours', () => {
  /**
   * Wall-clock minute in Berlin, where clocks go back at 03:00 on 25 October 2026 and forward at 02:00 on 29 March
   * 2026.
   */
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const berlin = (atMs: number): number => {
    const [hour = 0, minutes = 0] = format.format(atMs).split(':').map(Number);
    return hour * 60 + minutes;
  };

  it('cross midnight, begin with their first minute and end before their last', () => {
    const at = (hour: number, minutes = 0): number => noon - 12 * 60 * minute + (hour * 60 + minutes) * minute;
    expect([21.99, 22, 23.5, 24, 31.99, 32].map((hour) => isQuiet(night, at(hour), utcMinute))).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(isQuiet({ ...night, isOn: false }, at(23), utcMinute)).toBe(false);
    expect(isQuiet({ isOn: true, fromMinute: 300, toMinute: 300 }, at(5), utcMinute)).toBe(false);
    expect(nextMinute(night, 'loud', at(23, 30), utcMinute)).toBe(at(32));
    expect(nextMinute(night, 'quiet', at(12), utcMinute)).toBe(at(22));
  });

  it('follow the wall clock on days that lose or gain an hour', () => {
    const hours = { isOn: true, fromMinute: 60, toMinute: 150 };
    const autumn = Date.parse('2026-10-25T00:00:00+02:00');
    expect(nextMinute(hours, 'loud', autumn + 60 * minute, berlin)).toBe(Date.parse('2026-10-25T02:30:00+02:00'));
    // 02:10 comes again an hour later, and is quiet again.
    const again = Date.parse('2026-10-25T02:10:00+01:00');
    expect(isQuiet(hours, again, berlin)).toBe(true);
    expect(nextMinute(hours, 'loud', again, berlin)).toBe(Date.parse('2026-10-25T02:30:00+01:00'));
    // In spring 02:30 never comes; 03:00 is past it.
    const spring = Date.parse('2026-03-29T01:30:00+01:00');
    expect(isQuiet(hours, spring, berlin)).toBe(true);
    expect(nextMinute(hours, 'loud', spring, berlin)).toBe(Date.parse('2026-03-29T03:00:00+02:00'));
  });
});
