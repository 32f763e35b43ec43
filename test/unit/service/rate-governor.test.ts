import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, createRateGovernor } from '../../../src-main/service/rate-governor.ts';
import type { GovernedOperation, Lane, RateGovernor, RateShare } from '../../../src-main/service/rate-governor.ts';

const lane = (operation: GovernedOperation, endpointId = 'text'): Lane => ({
  connectionId: 'main',
  endpointId,
  operation,
});
const governorAt = (share: RateShare) => createRateGovernor({ share: () => share, random: () => 0.5 });
const defaults: RateShare = { rateShare: 0.25, concurrencyShare: 0.5 };

/** How many may be begun and answered one after another at `nowMs`. */
function drain(governor: ReturnType<typeof governorAt>, on: Lane, nowMs: number): number {
  let begun = 0;
  while (governor.begin(on, nowMs)) {
    governor.end(on, { kind: 'answered' }, nowMs);
    begun += 1;
  }
  return begun;
}

describe('what may be spent', () => {
  it('is a quarter of the base limit by default (ruling 21)', () => {
    const governor = governorAt(defaults);
    expect(drain(governor, lane('status'), 0)).toBe(500);
    expect(drain(governor, lane('run'), 0)).toBe(250);
    expect(drain(governor, lane('cancel'), 0)).toBe(25);
  });

  it('is counted for each endpoint and operation', () => {
    const governor = governorAt(defaults);
    drain(governor, lane('run'), 0);
    expect(governor.begin(lane('run'), 0)).toBe(false);
    expect(governor.begin(lane('run', 'image'), 0)).toBe(true);
    expect(governor.begin(lane('status'), 0)).toBe(true);
  });

  it('is half the concurrent limit by default, given back as requests end', () => {
    const governor = governorAt(defaults);
    for (let i = 0; i < 10; i += 1) expect(governor.begin(lane('cancel'), 0)).toBe(true);
    expect(governor.begin(lane('cancel'), 0)).toBe(false);
    expect(governor.room(lane('cancel'), 0)).toEqual({ free: 0, nextAtMs: null });
    governor.end(lane('cancel'), { kind: 'failed' }, 1);
    expect(governor.begin(lane('cancel'), 1)).toBe(true);
  });

  it('follows a changed share at once', () => {
    const share = { ...defaults };
    const governor = createRateGovernor({ share: () => share, random: () => 0.5 });
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

  it('comes back in its own time though the clock was put back meanwhile', () => {
    const governor = governorAt(defaults);
    const hourMs = 3_600_000;
    drain(governor, lane('cancel'), hourMs);
    governor.begin(lane('health'), hourMs);
    governor.end(lane('health'), { kind: 'rate-limited', retryAfterMs: 4_000 }, hourMs);
    for (const operation of ['cancel', 'health'] as const) expect(governor.room(lane(operation), 1_000).free).toBe(0);
    expect(governor.budgets(1_000).find(({ operation }) => operation === 'health')?.heldUntilMs).toBe(5_000);
    expect(governor.room(lane('cancel'), 12_000).free).toBeGreaterThan(0);
    expect(governor.room(lane('health'), 5_000).free).toBe(1);
  });

  it('comes back as the window moves on, and says when', () => {
    const governor = governorAt(defaults);
    drain(governor, lane('cancel'), 5_000);
    const { free, nextAtMs } = governor.room(lane('cancel'), 6_000);
    expect(free).toBe(0);
    expect(nextAtMs).toBeGreaterThanOrEqual(15_000);
    expect(governor.room(lane('cancel'), (nextAtMs ?? 0) - 1).free).toBe(0);
    expect(governor.room(lane('cancel'), nextAtMs ?? 0).free).toBe(10);
  });

  it('is never more than allowed in any ten seconds, nor at any moment', () => {
    const steps = fc.array(
      fc.record({
        waitMs: fc.integer({ min: 0, max: 900 }),
        tries: fc.integer({ min: 1, max: 60 }),
        kept: fc.integer({ min: 0, max: 30 }),
      }),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(
        steps,
        fc.constantFrom<GovernedOperation>('cancel', 'run', 'health', 'purge-queue'),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (plan, operation, rateShare) => {
          const governor = governorAt({ rateShare, concurrencyShare: 0.5 });
          const base = { cancel: [100, 20], run: [1_000, 200], health: [10, 2], 'purge-queue': [2, 2] }[
            operation as 'cancel'
          ] ?? [0, 0];
          const allowed = operation === 'health' ? 10 : Math.max(1, Math.floor((base[0] ?? 0) * rateShare));
          const starts: number[] = [];
          let nowMs = 0;
          let inFlight = 0;
          for (const { waitMs, tries, kept } of plan) {
            nowMs += waitMs;
            for (; inFlight > kept; inFlight -= 1) governor.end(lane(operation), { kind: 'answered' }, nowMs);
            for (let i = 0; i < tries; i += 1) {
              if (!governor.begin(lane(operation), nowMs)) break;
              inFlight += 1;
              starts.push(nowMs);
            }
            expect(inFlight).toBeLessThanOrEqual((base[1] ?? 0) * 0.5);
            expect(starts.filter((atMs) => atMs > nowMs - 10_000).length).toBeLessThanOrEqual(allowed);
            const room = governor.room(lane(operation), nowMs);
            if (room.free === 0 && room.nextAtMs !== null) expect(room.nextAtMs).toBeGreaterThan(nowMs);
          }
        },
      ),
    );
  });
});

describe('after a 429', () => {
  it('waits as long as the service asks, and slows the whole lane to half', () => {
    const governor = governorAt(defaults);
    governor.begin(lane('status'), 0);
    governor.end(lane('status'), { kind: 'rate-limited', retryAfterMs: 7_000 }, 100);
    expect(governor.room(lane('status'), 200)).toEqual({ free: 0, nextAtMs: 7_100 });
    expect(governor.begin(lane('stream'), 200)).toBe(true);
    expect(governor.budgets(7_000)).toContainEqual(
      expect.objectContaining({ operation: 'status', heldUntilMs: 7_100, backoffStep: 1, allowed: 250, limit: 2_000 }),
    );
    expect(drain(governor, lane('status'), 7_100)).toBe(249);
  });

  it.each<GovernedOperation>(['status', 'stream', 'cancel', 'run', 'retry', 'health'])(
    'on %s waits what Retry-After says, never less than the back-off, and a day at most (ruling 10)',
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

  it('that come again and again with Retry-After: 0 are waited for ever longer', () => {
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

  it('climbs the ladder, counts one burst once, and calms down with the first answer', () => {
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

  it('has fewer under way at once as well: it may be the concurrent limit that others need', () => {
    const governor = governorAt(defaults);
    const beginAll = (nowMs: number): number => {
      let begun = 0;
      while (governor.begin(lane('runsync'), nowMs)) begun += 1;
      return begun;
    };
    expect(beginAll(0)).toBe(200);
    for (let request = 0; request < 199; request += 1) governor.end(lane('runsync'), { kind: 'answered' }, 20_000);
    governor.end(lane('runsync'), { kind: 'rate-limited', retryAfterMs: 1_000 }, 20_000);
    expect(beginAll(21_000)).toBe(100);
    expect(governor.room(lane('runsync'), 21_001)).toEqual({ free: 0, nextAtMs: null });
    expect(governor.room(lane('runsync'), 121_000).free).toBe(100);
  });

  it('gets its share back slowly', () => {
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

  it('shows only lanes in use', () => {
    const governor = governorAt(defaults);
    drain(governor, lane('cancel'), 0);
    expect(governor.budgets(1_000)).toEqual([
      { ...lane('cancel'), spent: 25, allowed: 25, limit: 100, heldUntilMs: null, backoffStep: 0, reason: null },
    ]);
    expect(governor.budgets(60_000)).toEqual([]);
  });
});

describe('connections of one account (ruling 42)', () => {
  const of = (connectionId: string, operation: GovernedOperation): Lane => ({
    connectionId,
    endpointId: 'text',
    operation,
  });
  function governorOf(accounts: Record<string, string>): RateGovernor {
    return createRateGovernor({ share: () => defaults, random: () => 0.5, accountOf: (id) => accounts[id] ?? id });
  }

  it('share one budget, and others do not', () => {
    const governor = governorOf({ a: 'one', b: 'one', c: 'two' });
    expect(drain(governor, of('a', 'cancel'), 0)).toBe(25);
    expect(governor.room(of('b', 'cancel'), 1_000)).toEqual({ free: 0, nextAtMs: 10_250 });
    expect(drain(governor, of('c', 'cancel'), 0)).toBe(25);
    expect(drain(governor, of('b', 'cancel'), 10_250)).toBe(25);
    expect(governor.begin(of('a', 'cancel'), 10_251)).toBe(false);
  });

  it('share what is under way at once, and the second between two reads of health', () => {
    const governor = governorOf({ a: 'one', b: 'one' });
    for (let i = 0; i < 5; i += 1) for (const id of ['a', 'b']) expect(governor.begin(of(id, 'cancel'), 0)).toBe(true);
    expect(governor.room(of('a', 'cancel'), 0)).toEqual({ free: 0, nextAtMs: null });
    governor.end(of('b', 'cancel'), { kind: 'answered' }, 1);
    expect(governor.begin(of('a', 'cancel'), 1)).toBe(true);
    expect(drain(governor, of('a', 'health'), 0)).toBe(1);
    expect(governor.room(of('b', 'health'), 400)).toEqual({ free: 0, nextAtMs: 1_000 });
    expect(drain(governor, of('b', 'health'), 1_000)).toBe(1);
    expect(governor.room(of('a', 'health'), 1_500)).toEqual({ free: 0, nextAtMs: 2_000 });
  });

  it('are slowed together by a 429 to either, and calm down together', () => {
    const governor = governorOf({ a: 'one', b: 'one' });
    governor.begin(of('a', 'status'), 0);
    governor.end(of('a', 'status'), { kind: 'rate-limited', retryAfterMs: 2_000 }, 0);
    expect(governor.room(of('b', 'status'), 1)).toEqual({ free: 0, nextAtMs: 2_000 });
    governor.begin(of('b', 'status'), 2_000);
    governor.end(of('b', 'status'), { kind: 'rate-limited', retryAfterMs: 0 }, 2_000);
    // The second in a row, and half of what a was slowed to.
    expect(
      governor.budgets(2_000).map(({ connectionId, heldUntilMs, backoffStep, allowed }) => ({
        connectionId,
        heldUntilMs,
        backoffStep,
        allowed,
      })),
    ).toEqual([
      { connectionId: 'a', heldUntilMs: 2_500, backoffStep: 2, allowed: 125 },
      { connectionId: 'b', heldUntilMs: 2_500, backoffStep: 2, allowed: 125 },
    ]);
    governor.begin(of('a', 'status'), 2_500);
    governor.end(of('a', 'status'), { kind: 'answered' }, 2_500);
    expect(governor.budgets(2_500).map(({ backoffStep }) => backoffStep)).toEqual([0, 0]);
  });

  it('are shown the shared figures, each of them', () => {
    const governor = governorOf({ a: 'one', b: 'one' });
    drain(governor, of('a', 'cancel'), 0);
    governor.room(of('b', 'cancel'), 0);
    expect(governor.budgets(1_000)).toMatchObject([
      { connectionId: 'a', spent: 25, allowed: 25 },
      { connectionId: 'b', spent: 25, allowed: 25 },
    ]);
  });

  it('keep to the limit from the moment on when that is learned, whatever each spent before, and nothing under way is forgotten', () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 0, max: 900 }),
      connection: fc.constantFrom('a', 'b'),
      tries: fc.integer({ min: 1, max: 40 }),
      kept: fc.integer({ min: 0, max: 12 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 0, max: 60 }),
        fc.constantFrom<GovernedOperation>('cancel', 'health'),
        (plan, learnedAt, operation) => {
          const accounts: Record<string, string> = {};
          const governor = governorOf(accounts);
          const allowed = operation === 'health' ? 10 : 25;
          const atOnce = operation === 'health' ? 1 : 10;
          const starts: number[] = [];
          const underWay: Record<string, number> = { a: 0, b: 0 };
          let nowMs = 0;
          plan.forEach(({ waitMs, connection, tries, kept }, at) => {
            nowMs += waitMs;
            if (at === learnedAt) accounts['a'] = accounts['b'] = 'one';
            for (; (underWay[connection] ?? 0) > kept; underWay[connection] = (underWay[connection] ?? 0) - 1)
              governor.end(of(connection, operation), { kind: 'answered' }, nowMs);
            for (let i = 0; i < tries; i += 1) {
              if (!governor.begin(of(connection, operation), nowMs)) break;
              underWay[connection] = (underWay[connection] ?? 0) + 1;
              starts.push(nowMs);
              if (at < learnedAt) continue;
              expect(starts.filter((atMs) => atMs > nowMs - 10_000).length).toBeLessThanOrEqual(allowed);
              expect((underWay['a'] ?? 0) + (underWay['b'] ?? 0)).toBeLessThanOrEqual(atOnce);
            }
          });
          for (const id of ['a', 'b'])
            for (; (underWay[id] ?? 0) > 0; underWay[id] = (underWay[id] ?? 0) - 1)
              governor.end(of(id, operation), { kind: 'answered' }, nowMs);
          // All places are given back in the end.
          expect(governor.room(of('a', operation), nowMs + 60_000).free).toBe(operation === 'health' ? 1 : 10);
        },
      ),
    );
  });
});

describe('back-off', () => {
  it('is full jitter below 500 ms doubled each time, capped at 30 s (ruling 10)', () => {
    expect([0, 1, 2, 5, 6, 60].map((step) => backoffMs(step, () => 0.999_999))).toEqual([
      499, 999, 1_999, 15_999, 29_999, 29_999,
    ]);
    expect(backoffMs(9, () => 0)).toBe(0);
  });
});
