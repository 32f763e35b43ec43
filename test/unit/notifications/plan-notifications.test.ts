import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  burst,
  digestDueAtMs,
  onArrival,
  planNotifications,
  type NotificationPlanInput,
  type ShownWay,
  type Waiting,
} from '../../../src-main/notifications/plan-notifications.ts';

const minute = 60_000;
const utcMinute = (atMs: number): number => Math.floor(atMs / minute) % 1_440;
/** 12:00 UTC. */
const noon = 1_700_000_000_000 - (1_700_000_000_000 % 86_400_000) + 12 * 60 * minute;
const night = { isOn: true, fromMinute: 22 * 60, toMinute: 8 * 60 };
const one = (id: number, way: ShownWay = 'notify', more: Partial<Waiting> = {}): Waiting => ({
  id,
  kind: 'job',
  atMs: noon,
  delivery: 'due',
  way,
  ...more,
});
const plan = (given: Partial<NotificationPlanInput>) =>
  planNotifications({
    waiting: [],
    shownAtMs: [],
    quietHours: { isOn: false, fromMinute: 0, toMinute: 0 },
    areLoudAlertsLetThrough: false,
    isUndisturbed: false,
    digestMs: 15 * minute,
    nowMs: noon,
    minuteOf: utcMinute,
    ...given,
  });

describe('the plan of notifications', () => {
  it('excludes what the rules turn off, and jobs that the user has open', () => {
    expect(onArrival('off', false)).toBeNull();
    expect(onArrival('off', true)).toBeNull();
    expect(onArrival('digest', true)).toEqual({ delivery: 'watched', way: 'digest' });
    expect(onArrival('with-sound', false)).toEqual({ delivery: 'due', way: 'with-sound' });
  });

  it('is three notifications individually, and four as one', () => {
    expect(plan({ waiting: [one(1), one(2), one(3)] }).show).toEqual([
      { ids: [1], delivery: 'shown', hasSound: false },
      { ids: [2], delivery: 'shown', hasSound: false },
      { ids: [3], delivery: 'shown', hasSound: false },
    ]);
    expect(plan({ waiting: [one(1), one(2), one(3), one(4, 'with-sound')] }).show).toEqual([
      { ids: [1, 2, 3, 4], delivery: 'shown-together', hasSound: true },
    ]);
  });

  it('is one notification for those beyond three in five seconds', () => {
    expect(plan({ waiting: [one(4), one(5)], shownAtMs: [noon - 4_000, noon - 1_000] }).show).toEqual([
      { ids: [4, 5], delivery: 'shown-together', hasSound: false },
    ]);
    const full = [noon - 4_000, noon - 3_000, noon - 1_000];
    expect(plan({ waiting: [one(4)], shownAtMs: full })).toEqual({ changes: [], show: [], wakeAtMs: noon + 1_000 });
    expect(plan({ waiting: [one(4)], shownAtMs: full, nowMs: noon + 1_000 }).show).toHaveLength(1);
  });

  it('includes in that count the one after quiet hours, and a digest', () => {
    const after = one(9, 'notify', { delivery: 'held' });
    expect(plan({ waiting: [after, one(1), one(2)] }).show).toHaveLength(3);
    expect(plan({ waiting: [after, one(1), one(2), one(3)] }).show).toEqual([
      { ids: [9], delivery: 'after-quiet-hours', hasSound: false },
      { ids: [1, 2, 3], delivery: 'shown-together', hasSound: false },
    ]);
  });

  it('is nothing in quiet hours, and all as one after them', () => {
    const late = noon + 11 * 60 * minute;
    expect(plan({ waiting: [one(1), one(2, 'digest')], quietHours: night, nowMs: late })).toEqual({
      changes: [
        { id: 1, delivery: 'held' },
        { id: 2, delivery: 'held' },
      ],
      show: [],
      wakeAtMs: noon + 20 * 60 * minute,
    });
    const waiting = [one(1, 'notify', { delivery: 'held' }), one(2, 'digest', { delivery: 'held' })];
    expect(plan({ waiting, quietHours: night, nowMs: noon + 20 * 60 * minute }).show).toEqual([
      { ids: [1, 2], delivery: 'after-quiet-hours', hasSound: false },
    ]);
  });

  it('includes alerts and refusals with a sound in quiet hours if the user wants that, but no job', () => {
    const nowMs = noon + 11 * 60 * minute;
    const quiet = { quietHours: night, areLoudAlertsLetThrough: true, nowMs };
    const refusal = one(1, 'with-sound', { kind: 'refusal' });
    expect(plan({ ...quiet, waiting: [refusal, one(2, 'with-sound'), one(3, 'notify', { kind: 'refusal' })] })).toEqual(
      {
        changes: [
          { id: 2, delivery: 'held' },
          { id: 3, delivery: 'held' },
        ],
        show: [{ ids: [1], delivery: 'shown', hasSound: true }],
        wakeAtMs: noon + 20 * 60 * minute,
      },
    );
    expect(plan({ ...quiet, waiting: [refusal] }).wakeAtMs).toBeNull();
    expect(plan({ ...quiet, areLoudAlertsLetThrough: false, waiting: [refusal] }).show).toEqual([]);
  });

  it('includes the time of the digest', () => {
    expect(digestDueAtMs([one(1), one(2, 'digest', { atMs: noon + 5 })], 15 * minute)).toBe(noon + 15 * minute);
    expect(digestDueAtMs([], 15 * minute)).toBeNull();
  });

  it('is collected for the digest from the first on, while the others are shown', () => {
    expect(plan({ waiting: [one(1, 'digest'), one(2)] })).toEqual({
      changes: [{ id: 1, delivery: 'gathered' }],
      show: [{ ids: [2], delivery: 'shown', hasSound: false }],
      wakeAtMs: noon + 15 * minute,
    });
    const waiting = [1, 2].map((id) => one(id, 'digest', { delivery: 'gathered', atMs: noon + id }));
    expect(plan({ waiting, nowMs: noon + 15 * minute + 1 }).show).toEqual([
      { ids: [1, 2], delivery: 'in-digest', hasSound: false },
    ]);
  });

  it('excludes everything during do not disturb: the list has it', () => {
    const waiting = [one(1), one(2, 'digest', { delivery: 'gathered' }), one(3, 'notify', { delivery: 'held' })];
    expect(plan({ waiting, isUndisturbed: true })).toEqual({
      changes: [1, 2, 3].map((id) => ({ id, delivery: 'undisturbed' })),
      show: [],
      wakeAtMs: null,
    });
  });

  it('over any day: none lost, none twice, none in quiet hours, at most three individually in five seconds', () => {
    const way = fc.constantFrom<ShownWay>('notify', 'with-sound', 'digest');
    const coming = fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 24 * 60 * minute }), way }), {
      minLength: 1,
      maxLength: 30,
    });
    const bursty = fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 20_000 }), way }), {
      minLength: 1,
      maxLength: 40,
    });
    const hours = fc.record({
      isOn: fc.boolean(),
      fromMinute: fc.integer({ min: 0, max: 1_439 }),
      toMinute: fc.integer({ min: 0, max: 1_439 }),
    });
    fc.assert(
      fc.property(fc.oneof(coming, bursty), hours, (events, quietHours) => {
        const left = events.map((event, id) => ({ id, ...event })).toSorted((a, b) => a.afterMs - b.afterMs);
        const all = left.map(({ id }) => id);
        const waiting = new Map<number, Waiting>();
        const ended = new Set<number>();
        const shown: { atMs: number; ids: number[]; delivery: string }[] = [];
        let wakeAtMs: number | null = null;
        for (let turn = 0; turn < 1_000; turn += 1) {
          const nowMs = Math.min(noon + (left[0]?.afterMs ?? Infinity), wakeAtMs ?? Infinity);
          if (nowMs === Infinity) break;
          for (let next = left[0]; next !== undefined && noon + next.afterMs <= nowMs; next = left[0]) {
            waiting.set(next.id, one(next.id, next.way, { atMs: nowMs }));
            left.shift();
          }
          const planned = plan({
            waiting: [...waiting.values()],
            shownAtMs: shown.map(({ atMs }) => atMs),
            quietHours,
            nowMs,
          });
          for (const { id, delivery } of planned.changes) {
            const was = waiting.get(id);
            if (was !== undefined && (delivery === 'held' || delivery === 'gathered' || delivery === 'due'))
              waiting.set(id, { ...was, delivery });
          }
          for (const { ids, delivery } of planned.show) {
            shown.push({ atMs: nowMs, ids, delivery });
            for (const id of ids) {
              expect(ended.has(id)).toBe(false);
              ended.add(id);
              waiting.delete(id);
            }
          }
          if (planned.wakeAtMs !== null) expect(planned.wakeAtMs).toBeGreaterThan(nowMs);
          wakeAtMs = planned.wakeAtMs;
        }
        expect([...ended].toSorted((a, b) => a - b)).toEqual(all.toSorted((a, b) => a - b));
        const direct = shown.filter(({ delivery }) => delivery === 'shown' || delivery === 'shown-together');
        for (const { atMs } of direct)
          expect(
            direct.filter((other) => other.atMs >= atMs && other.atMs < atMs + burst.withinMs).length,
          ).toBeLessThanOrEqual(burst.max);
        if (quietHours.isOn)
          for (const { atMs } of shown) {
            const at = utcMinute(atMs);
            const { fromMinute, toMinute } = quietHours;
            const isInside =
              fromMinute <= toMinute ? at >= fromMinute && at < toMinute : at >= fromMinute || at < toMinute;
            expect(isInside).toBe(false);
          }
      }),
      { numRuns: 300 },
    );
  });
});
