import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueueOperation } from '../../../src-main/service/reply.ts';
import { RateGovernor, type Release } from '../../../src-main/service/rate-governor.ts';
import { defaults, drain, endless, governorAt, lane } from './rate-governor-world.ts';

describe('the budget', () => {
  it('is a quarter of the base limit by default (ruling 21)', () => {
    const governor = governorAt(defaults);
    expect(drain(governor, lane('status'), 0)).toBe(500);
    expect(drain(governor, lane('run'), 0)).toBe(250);
    expect(drain(governor, lane('cancel'), 0)).toBe(25);
  });

  it.each<[QueueOperation, number, number]>([
    ['run', 250, 100],
    ['runsync', 500, 200],
    ['status', 500, 200],
    ['stream', 500, 200],
    ['cancel', 25, 10],
    ['retry', 25, 10],
    ['purge-queue', 1, 1],
    ['health', 1, 1],
  ])(
    'is a quarter of the limit of %s in ten seconds, and half of its concurrency: %i and %i',
    (operation, inWindow, atOnce) => {
      expect(drain(governorAt(defaults), lane(operation), 0)).toBe(inWindow);
      const governor = governorAt(defaults);
      let begun = 0;
      while (begun < endless && governor.begin(lane(operation), 0)) begun += 1;
      expect(begun).toBe(Math.min(inWindow, atOnce));
    },
  );

  it('shows how many more requests may begin', () => {
    const governor = governorAt(defaults);
    expect(governor.room(lane('cancel'), 0)).toEqual({ free: 10, nextAtMs: 0 });
    for (let i = 0; i < 20; i += 1) {
      governor.begin(lane('cancel'), 0);
      governor.end(lane('cancel'), { kind: 'answered' }, 0);
    }
    expect(governor.room(lane('cancel'), 0)).toEqual({ free: 5, nextAtMs: 0 });
  });

  it('counts a reserved place until it is given back, once', () => {
    const governor = governorAt(defaults);
    const place = governor.reserve(lane('cancel'), 0);
    expect(governor.room(lane('cancel'), 0).free).toBe(9);
    place?.();
    place?.();
    expect(governor.room(lane('cancel'), 0).free).toBe(10);
  });

  it('reserves no more than fits the window, and waits for a place to be given back if all of it is reserved', () => {
    const governor = governorAt({ rateShare: 0.02, concurrencyShare: 1 });
    const places = [governor.reserve(lane('cancel'), 0), governor.reserve(lane('cancel'), 0)];
    expect(places.every((place) => place !== null)).toBe(true);
    expect(governor.reserve(lane('cancel'), 0)).toBeNull();
    expect(governor.room(lane('cancel'), 0)).toEqual({ free: 0, nextAtMs: null });
    places[0]?.();
    governor.begin(lane('cancel'), 0);
    expect(governor.room(lane('cancel'), 5)).toEqual({ free: 0, nextAtMs: 10_250 });
  });

  it('counts an answer that is being saved as simultaneous, and not in the window', () => {
    const governor = governorAt({ rateShare: 0.05, concurrencyShare: 0.1 });
    governor.begin(lane('cancel'), 0);
    governor.end(lane('cancel'), { kind: 'answered' }, 0);
    const saved = governor.holdWhileSaving(lane('cancel'));
    expect(governor.room(lane('cancel'), 0).free).toBe(1);
    saved();
    expect(governor.room(lane('cancel'), 0).free).toBe(2);
  });

  it('keeps and shows only the lane of what is passed to it, not its input', () => {
    const governor = governorAt(defaults);
    const draft = { ...lane('run'), inputText: '{"prompt":"secret"}' };
    governor.begin(draft, 0);
    expect(JSON.stringify(governor.budgets(0))).not.toContain('secret');
  });

  it('is separate for each connection without a known account', () => {
    const governor = governorAt(defaults);
    drain(governor, lane('cancel'), 0);
    expect(governor.room({ ...lane('cancel'), connectionId: 'second' }, 0).free).toBe(10);
  });

  it('is counted for each endpoint and operation', () => {
    const governor = governorAt(defaults);
    drain(governor, lane('run'), 0);
    expect(governor.begin(lane('run'), 0)).toBe(false);
    expect(governor.begin(lane('run', 'image'), 0)).toBe(true);
    expect(governor.begin(lane('status'), 0)).toBe(true);
  });

  it('is half the concurrent limit by default, returned as requests end', () => {
    const governor = governorAt(defaults);
    for (let i = 0; i < 10; i += 1) expect(governor.begin(lane('cancel'), 0)).toBe(true);
    expect(governor.begin(lane('cancel'), 0)).toBe(false);
    expect(governor.room(lane('cancel'), 0)).toEqual({ free: 0, nextAtMs: null });
    governor.end(lane('cancel'), { kind: 'failed' }, 1);
    expect(governor.begin(lane('cancel'), 1)).toBe(true);
  });

  it('follows a changed share immediately', () => {
    const share = { ...defaults };
    const governor = new RateGovernor({ share: () => share, random: () => 0.5 });
    expect(drain(governor, lane('run'), 0)).toBe(250);
    share.rateShare = 0.5;
    expect(drain(governor, lane('run'), 0)).toBe(250);
    share.rateShare = 0.01;
    expect(governor.room(lane('run'), 0).free).toBe(0);
  });

  it('is one health call a second for each endpoint, whatever the share (ruling 20)', () => {
    const governor = governorAt({ rateShare: 0.01, concurrencyShare: 0.01 });
    expect(drain(governor, lane('health'), 0)).toBe(1);
    expect(governor.room(lane('health'), 400)).toEqual({ free: 0, nextAtMs: 1_000 });
    expect(drain(governor, lane('health'), 1_000)).toBe(1);
    expect(drain(governor, lane('health', 'image'), 1_000)).toBe(1);
  });

  it('returns as the window moves on, and says when', () => {
    const governor = governorAt(defaults);
    drain(governor, lane('cancel'), 5_000);
    const { free, nextAtMs } = governor.room(lane('cancel'), 6_000);
    expect(free).toBe(0);
    expect(nextAtMs).toBeGreaterThanOrEqual(15_000);
    expect(governor.room(lane('cancel'), (nextAtMs ?? 0) - 1).free).toBe(0);
    expect(governor.room(lane('cancel'), nextAtMs ?? 0).free).toBe(10);
  });

  it('never exceeds the limit in any ten seconds, nor at any moment', () => {
    const steps = fc.array(
      fc.record({
        waitMs: fc.integer({ min: 0, max: 900 }),
        tries: fc.integer({ min: 1, max: 60 }),
        reserves: fc.integer({ min: 0, max: 60 }),
        kept: fc.integer({ min: 0, max: 30 }),
        saved: fc.integer({ min: 0, max: 60 }),
      }),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(
        steps,
        fc.constantFrom<QueueOperation>('cancel', 'run', 'health', 'purge-queue'),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (plan, operation, rateShare) => {
          const governor = governorAt({ rateShare, concurrencyShare: 0.5 });
          const base = { cancel: [100, 20], run: [1_000, 200], health: [10, 2], 'purge-queue': [2, 2] }[
            operation as 'cancel'
          ] ?? [0, 0];
          const allowed = operation === 'health' ? 10 : Math.max(1, Math.floor((base[0] ?? 0) * rateShare));
          const starts: number[] = [];
          const reserved: Release[] = [];
          const unsaved: Release[] = [];
          let nowMs = 0;
          let inFlight = 0;
          for (const { waitMs, tries, reserves, kept, saved } of plan) {
            nowMs += waitMs;
            for (; inFlight > kept; inFlight -= 1) {
              governor.end(lane(operation), { kind: 'answered' }, nowMs);
              unsaved.push(governor.holdWhileSaving(lane(operation)));
            }
            for (const release of unsaved.splice(0, saved)) release();
            // What has a place can always begin.
            for (const release of reserved.splice(0)) {
              release();
              expect(governor.begin(lane(operation), nowMs)).toBe(true);
              inFlight += 1;
              starts.push(nowMs);
            }
            for (let i = 0; i < reserves; i += 1) {
              const place = governor.reserve(lane(operation), nowMs);
              if (place === null) break;
              reserved.push(place);
            }
            for (let i = 0; i < tries; i += 1) {
              if (!governor.begin(lane(operation), nowMs)) break;
              inFlight += 1;
              starts.push(nowMs);
            }
            expect(inFlight + reserved.length + unsaved.length).toBeLessThanOrEqual((base[1] ?? 0) * 0.5);
            expect(starts.filter((atMs) => atMs > nowMs - 10_000).length).toBeLessThanOrEqual(allowed);
            const room = governor.room(lane(operation), nowMs);
            if (room.free === 0 && room.nextAtMs !== null) expect(room.nextAtMs).toBeGreaterThan(nowMs);
          }
        },
      ),
    );
  });
});

describe('a lane after a 429', () => {
  it('waits as long as the service requests, and is slowed to half', () => {
    const governor = governorAt(defaults);
    governor.begin(lane('status'), 0);
    governor.end(lane('status'), { kind: 'rate-limited', retryAfterMs: 7_000 }, 100);
    expect(governor.room(lane('status'), 200)).toEqual({ free: 0, nextAtMs: 7_100 });
    expect(governor.begin(lane('stream'), 200)).toBe(true);
    expect(governor.budgets(7_000)).toContainEqual(
      expect.objectContaining({ operation: 'status', heldUntilMs: 7_100, backoffStep: 1, allowed: 250, limit: 2_000 }),
    );
    expect(governor.budgets(7_099)[0]).toMatchObject({
      heldUntilMs: 7_100,
      reason: 'The service answered 429 to status; waiting before the next try',
    });
    expect(governor.budgets(7_100)[0]).toMatchObject({
      heldUntilMs: null,
      reason: 'Slowed to 50 % of its share after a 429',
    });
    expect(drain(governor, lane('status'), 7_100)).toBe(249);
  });

  it.each<QueueOperation>(['status', 'stream', 'cancel', 'run', 'retry', 'health'])(
    'on %s waits as Retry-After says, never less than the back-off, and a day at most (ruling 10)',
    (operation) => {
      for (const [retryAfterMs, waitMs] of [
        [0, 250],
        [100, 250],
        [null, 250],
        [251, 251],
        [3_600_000, 3_600_000],
        [86_400_000, 86_400_000],
        [259_200_000, 86_400_000],
      ] as const) {
        const governor = governorAt(defaults);
        governor.begin(lane(operation), 0);
        governor.end(lane(operation), { kind: 'rate-limited', retryAfterMs }, 0);
        expect(governor.room(lane(operation), waitMs - 1)).toEqual({ free: 0, nextAtMs: waitMs });
        expect(governor.begin(lane(operation), waitMs - 1)).toBe(false);
        expect(governor.begin(lane(operation), Math.max(waitMs, 1_000))).toBe(true);
      }
    },
  );

  it('waits ever longer if it is repeated with Retry-After: 0', () => {
    const governor = governorAt(defaults);
    const waitsMs: number[] = [];
    let nowMs = 0;
    for (let attempt = 0; attempt < 8; attempt += 1) {
      expect(governor.begin(lane('status'), nowMs)).toBe(true);
      governor.end(lane('status'), { kind: 'rate-limited', retryAfterMs: 0 }, nowMs);
      const { nextAtMs } = governor.room(lane('status'), nowMs);
      waitsMs.push((nextAtMs ?? 0) - nowMs);
      nowMs = nextAtMs ?? nowMs;
    }
    expect(waitsMs).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  });

  it('climbs the ladder, counts one burst once, and recovers with the first answer', () => {
    const governor = governorAt(defaults);
    const refuse = (nowMs: number): void => {
      governor.begin(lane('status'), nowMs);
      governor.end(lane('status'), { kind: 'rate-limited', retryAfterMs: null }, nowMs);
    };
    const heldAt = (nowMs: number) => governor.budgets(nowMs).find(({ operation }) => operation === 'status');
    refuse(0);
    governor.end(lane('status'), { kind: 'rate-limited', retryAfterMs: null }, 10);
    expect(heldAt(20)).toMatchObject({ backoffStep: 1, allowed: 250 });
    refuse(1_000);
    refuse(3_000);
    expect(heldAt(3_001)).toMatchObject({ backoffStep: 3, heldUntilMs: 4_000 });
    governor.begin(lane('status'), 4_000);
    governor.end(lane('status'), { kind: 'answered' }, 4_100);
    expect(heldAt(4_200)).toMatchObject({ backoffStep: 0, heldUntilMs: null });
  });

  it('has fewer requests in progress as well: others may need the concurrent limit', () => {
    const governor = governorAt(defaults);
    const beginAll = (nowMs: number): number => {
      let begun = 0;
      while (begun < endless && governor.begin(lane('runsync'), nowMs)) begun += 1;
      return begun;
    };
    expect(beginAll(0)).toBe(200);
    for (let request = 0; request < 199; request += 1) governor.end(lane('runsync'), { kind: 'answered' }, 20_000);
    governor.end(lane('runsync'), { kind: 'rate-limited', retryAfterMs: 1_000 }, 20_000);
    expect(beginAll(21_000)).toBe(100);
    expect(governor.room(lane('runsync'), 21_001)).toEqual({ free: 0, nextAtMs: null });
    expect(governor.room(lane('runsync'), 121_000).free).toBe(100);
  });

  it('recovers its share slowly', () => {
    const governor = governorAt(defaults);
    governor.begin(lane('status'), 0);
    governor.end(lane('status'), { kind: 'rate-limited', retryAfterMs: 0 }, 0);
    const allowedAt = (nowMs: number): number => {
      governor.begin(lane('status'), nowMs);
      governor.end(lane('status'), { kind: 'answered' }, nowMs);
      return governor.budgets(nowMs)[0]?.allowed ?? 0;
    };
    // From the end of the wait on, a hundredth of the share a second.
    expect(allowedAt(250)).toBe(250);
    expect(allowedAt(10_250)).toBe(300);
    expect(allowedAt(50_250)).toBe(500);
    expect(governor.budgets(50_250)[0]?.reason).toBeNull();
  });

  it('says since when it waits: since the first 429 of a burst, and again after the next try', () => {
    const governor = governorAt(defaults);
    const waits = (nowMs: number): unknown[] =>
      governor
        .budgets(nowMs)
        .map(({ heldSinceMs, heldUntilMs, backoffStep }) => [heldSinceMs, heldUntilMs, backoffStep]);
    for (const atMs of [1_000, 1_200]) {
      governor.begin(lane('status'), atMs);
      governor.end(lane('status'), { kind: 'rate-limited', retryAfterMs: 4_000 }, atMs);
    }
    expect(waits(2_000)).toEqual([[1_000, 5_200, 1]]);
    governor.begin(lane('status'), 6_000);
    expect(waits(6_000)).toEqual([[null, null, 1]]);
    governor.end(lane('status'), { kind: 'rate-limited', retryAfterMs: 4_000 }, 6_500);
    expect(waits(7_000)).toEqual([[6_500, 10_500, 2]]);
  });

  it('shows only lanes in use', () => {
    const governor = governorAt(defaults);
    drain(governor, lane('cancel'), 0);
    expect(governor.budgets(1_000)).toEqual([
      {
        ...lane('cancel'),
        spent: 25,
        allowed: 25,
        limit: 100,
        heldUntilMs: null,
        heldSinceMs: null,
        backoffStep: 0,
        reason: null,
      },
    ]);
    expect(governor.budgets(60_000)).toEqual([]);
    governor.begin(lane('runsync'), 60_000);
    expect(governor.budgets(120_000)).toMatchObject([{ operation: 'runsync', spent: 0 }]);
    governor.end(lane('runsync'), { kind: 'answered' }, 120_000);
    expect(governor.budgets(120_000)).toEqual([]);
  });
});
