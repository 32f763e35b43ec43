import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueueOperation } from '../../../src-main/service/reply.ts';
import { RateGovernor, type Lane } from '../../../src-main/service/rate-governor.ts';
import { defaults, drain } from './rate-governor-world.ts';

describe('connections of one account (ruling 42)', () => {
  const of = (connectionId: string, operation: QueueOperation): Lane => ({
    connectionId,
    endpointId: 'text',
    operation,
  });
  function governorOf(accounts: Record<string, string>): RateGovernor {
    return new RateGovernor({ share: () => defaults, random: () => 0.5, accountOf: (id) => accounts[id] ?? id });
  }

  it('share one budget, and others do not', () => {
    const governor = governorOf({ a: 'one', b: 'one', c: 'two' });
    expect(drain(governor, of('a', 'cancel'), 0)).toBe(25);
    expect(governor.room(of('b', 'cancel'), 1_000)).toEqual({ free: 0, nextAtMs: 10_250 });
    expect(drain(governor, of('c', 'cancel'), 0)).toBe(25);
    expect(drain(governor, of('b', 'cancel'), 10_250)).toBe(25);
    expect(governor.begin(of('a', 'cancel'), 10_251)).toBe(false);
  });

  it('share their requests in progress, and the second between two reads of health', () => {
    const governor = governorOf({ a: 'one', b: 'one' });
    for (let i = 0; i < 5; i += 1) for (const id of ['a', 'b']) expect(governor.begin(of(id, 'cancel'), 0)).toBe(true);
    expect(governor.room(of('a', 'cancel'), 0)).toEqual({ free: 0, nextAtMs: null });
    governor.end(of('b', 'cancel'), { kind: 'answered' }, 1);
    expect(governor.begin(of('a', 'cancel'), 1)).toBe(true);
    expect(drain(governor, of('a', 'health'), 0)).toBe(1);
    expect(governor.room(of('b', 'health'), 400)).toEqual({ free: 0, nextAtMs: 1_000 });
    expect(drain(governor, of('b', 'health'), 1_000)).toBe(1);
    expect(governor.room(of('a', 'health'), 1_500)).toEqual({ free: 0, nextAtMs: 2_000 });
    expect(drain(governor, of('a', 'health'), 2_000)).toBe(1);
    expect(governor.room(of('b', 'health'), 2_500)).toEqual({ free: 0, nextAtMs: 3_000 });
  });

  it('are slowed together by a 429 to either, and recover together', () => {
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

  it('each show the shared figures', () => {
    const governor = governorOf({ a: 'one', b: 'one' });
    drain(governor, of('a', 'cancel'), 0);
    governor.room(of('b', 'cancel'), 0);
    expect(governor.budgets(1_000)).toMatchObject([
      { connectionId: 'a', spent: 25, allowed: 25 },
      { connectionId: 'b', spent: 25, allowed: 25 },
    ]);
  });

  it('stay within the limit from the moment they are known to share it, whatever each spent before, and no request in progress is lost', () => {
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
        fc.constantFrom<QueueOperation>('cancel', 'health'),
        (plan, learnedAt, operation) => {
          const accounts: Record<string, string> = {};
          const governor = governorOf(accounts);
          const allowed = operation === 'health' ? 10 : 25;
          const atOnce = operation === 'health' ? 1 : 10;
          const starts: number[] = [];
          const inProgress: Record<string, number> = { a: 0, b: 0 };
          let nowMs = 0;
          plan.forEach(({ waitMs, connection, tries, kept }, at) => {
            nowMs += waitMs;
            if (at === learnedAt) accounts['a'] = accounts['b'] = 'one';
            for (; (inProgress[connection] ?? 0) > kept; inProgress[connection] = (inProgress[connection] ?? 0) - 1)
              governor.end(of(connection, operation), { kind: 'answered' }, nowMs);
            for (let i = 0; i < tries; i += 1) {
              if (!governor.begin(of(connection, operation), nowMs)) break;
              inProgress[connection] = (inProgress[connection] ?? 0) + 1;
              starts.push(nowMs);
              if (at < learnedAt) continue;
              expect(starts.filter((atMs) => atMs > nowMs - 10_000).length).toBeLessThanOrEqual(allowed);
              expect((inProgress['a'] ?? 0) + (inProgress['b'] ?? 0)).toBeLessThanOrEqual(atOnce);
            }
          });
          for (const id of ['a', 'b'])
            for (; (inProgress[id] ?? 0) > 0; inProgress[id] = (inProgress[id] ?? 0) - 1)
              governor.end(of(id, operation), { kind: 'answered' }, nowMs);
          // All places are given back in the end.
          expect(governor.room(of('a', operation), nowMs + 60_000).free).toBe(operation === 'health' ? 1 : 10);
        },
      ),
    );
  });
});
