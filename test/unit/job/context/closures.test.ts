import { describe, expect, it } from 'vitest';
import type { QueueOperation } from '../../../../src-main/service/reply.ts';
import { aWorld, lane, refuse, reset, status, take } from './reachability-world.ts';

describe('a refused operation (ruling 35)', () => {
  it('is closed alone: other operations, endpoints and connections stay open', () => {
    const at = aWorld();
    refuse(at, status);
    const { reachability, world } = at;
    expect(reachability.closure(status)).toEqual({
      nextTryMs: 31_010,
      triedAtMs: 1_010,
      isTrying: false,
      isWaitingForRead: false,
    });
    for (const open of [lane('stream'), lane('health'), lane('status', 'other'), lane('status', 'echo', 'second')])
      expect(reachability.closure(open)).toBeNull();
    expect(reachability.access('main')).toEqual({ kind: 'open' });
    expect(world.told).toEqual([]);
    expect(world.doubted).toEqual([status]);
    expect(reachability.closures()).toEqual([
      { ...status, httpStatus: 403, path: '/v2/echo/status', serviceSaid: null, sinceMs: 1_010, nextTryMs: 31_010 },
    ]);
  });

  it('is tried again after 30 s, then ever more rarely, up to every five minutes', () => {
    const at = aWorld();
    refuse(at, status, 0);
    const waits = [1, 2, 3, 4, 5].map(() => {
      at.world.nowMs = at.reachability.closure(status)?.nextTryMs ?? 0;
      refuse(at, status, 0);
      return (at.reachability.closure(status)?.nextTryMs ?? 0) - at.world.nowMs;
    });
    expect(waits).toEqual([60_000, 120_000, 240_000, 300_000, 300_000]);
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
  });

  it('opens automatically when a request is accepted', () => {
    const at = aWorld();
    refuse(at, status);
    at.world.nowMs = 31_010;
    at.reachability.sent(status);
    expect(at.reachability.closure(status)).toMatchObject({ isTrying: true });
    expect(at.reachability.closures()).toMatchObject([{ nextTryMs: null }]);
    at.reachability.accepted(status);
    expect(at.reachability.closure(status)).toBeNull();
    expect(at.reachability.closures()).toEqual([]);
  });

  it('is not extended by requests in progress when it closed', () => {
    const at = aWorld();
    for (let i = 0; i < 5; i += 1) at.reachability.sent(status);
    const refusal = { httpStatus: 401, path: '/x', serviceSaid: null };
    for (let i = 0; i < 5; i += 1) at.reachability.keyRefused(status, refusal, 1_000);
    expect(at.reachability.closure(status)).toMatchObject({ nextTryMs: 31_000 });
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
  });

  it('is retried as late after a try that said nothing about the key', () => {
    const at = aWorld();
    refuse(at, status, 0);
    at.world.nowMs = 31_000;
    at.reachability.sent(status);
    at.reachability.answered(status);
    expect(at.reachability.closure(status)).toMatchObject({ isTrying: false, nextTryMs: 61_000 });
  });

  it.each<[string, (at: ReturnType<typeof aWorld>) => void]>([
    ['was cancelled', ({ reachability }) => reachability.released(status)],
    ['had no answer', ({ reachability }) => reachability.unanswered(status, reset)],
  ])('is retried as late after a try that %s', (_, end) => {
    const at = aWorld();
    refuse(at, status, 0);
    at.world.nowMs = 31_000;
    at.reachability.sent(status);
    end(at);
    expect(at.reachability.closure(status)).toMatchObject({ isTrying: false, nextTryMs: 61_000 });
  });

  it('that is not a read waits for an accepted read of its endpoint when its time has come', () => {
    const at = aWorld();
    refuse(at, lane('run'), 0);
    take(at, status);
    expect(at.reachability.closure(lane('run'))).toMatchObject({ isWaitingForRead: true, nextTryMs: 31_000 });
    at.world.nowMs = 31_000;
    take(at, lane('health', 'other'));
    expect(at.reachability.closure(lane('run'))).toMatchObject({ isWaitingForRead: true });
    take(at, lane('health'));
    expect(at.reachability.closure(lane('run'))).toMatchObject({ isWaitingForRead: false });
    refuse(at, lane('run'), 0);
    expect(at.reachability.closure(lane('run'))).toMatchObject({ isWaitingForRead: true, nextTryMs: 91_000 });
  });

  it('accepts no request until its time has come, and then one', () => {
    const at = aWorld();
    refuse(at, lane('cancel'), 0);
    expect(at.reachability.maySend(lane('cancel'))).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('refuses cancel for this endpoint (403)') },
    });
    expect(at.reachability.maySend(status)).toMatchObject({ ok: true });
    at.reachability.tryNow();
    expect(at.reachability.maySend(lane('cancel'))).toMatchObject({ ok: true });
    at.reachability.sent(lane('cancel'));
    expect(at.reachability.maySend(lane('cancel'))).toMatchObject({ ok: false });
  });

  it('is named with its own refusal’s status, whatever else is closed', () => {
    const at = aWorld();
    const refusal = { httpStatus: 401, path: '/x', serviceSaid: null };
    for (const other of [lane('cancel', 'echo', 'second'), lane('cancel', 'other'), lane('status')])
      refuse(at, other, 0);
    take(at, lane('health'));
    at.reachability.keyRefused(lane('cancel'), refusal, 1_000);
    expect(at.reachability.maySend(lane('cancel'))).toMatchObject({
      failure: { message: expect.stringContaining('refuses cancel for this endpoint (401)') },
    });
  });

  it('that is not a read waits neither for reads of another connection nor for other operations that are not reads', () => {
    const at = aWorld();
    refuse(at, lane('run'), 0);
    expect(at.reachability.closure(lane('run'))).toMatchObject({ isTrying: false, isWaitingForRead: true });
    at.world.nowMs = 31_000;
    for (const other of [lane('status', 'echo', 'second'), lane('cancel')]) take(at, other);
    expect(at.reachability.closure(lane('run'))).toMatchObject({ isWaitingForRead: true });
    take(at, lane('stream'));
    expect(at.reachability.closure(lane('run'))).toMatchObject({ isWaitingForRead: false });
    refuse(at, lane('run'), 0);
    expect(at.reachability.closure(lane('run'))).toMatchObject({ isTrying: false, isWaitingForRead: true });
  });

  it('that is not a read does not wait if the health of its endpoint is refused as well', () => {
    const at = aWorld();
    for (const each of [lane('run'), lane('health', 'other')]) {
      refuse(at, each, 0);
      take(at, status);
    }
    expect(at.reachability.closure(lane('run'))).toMatchObject({ isWaitingForRead: true });
    refuse(at, lane('health'), 0);
    expect(at.reachability.closure(lane('run'))).toMatchObject({ isWaitingForRead: false });
  });

  it.each<QueueOperation>(['status', 'stream', 'health'])(
    'that is a read, %s, does not wait for others',
    (operation) => {
      const at = aWorld();
      refuse(at, lane(operation), 0);
      expect(at.reachability.closure(lane(operation))).toMatchObject({ isWaitingForRead: false });
    },
  );

  it('is reported when it closes, fails a try and opens, and at no other time', () => {
    const at = aWorld();
    const told = (what: () => void): number => {
      const before = at.world.closuresTold;
      what();
      return at.world.closuresTold - before;
    };
    expect(told(() => refuse(at, status, 0))).toBe(1);
    expect(
      told(() => at.reachability.keyRefused(status, { httpStatus: 401, path: '/x', serviceSaid: null }, 1_000)),
    ).toBe(0);
    expect(told(() => refuse(at, status, 0))).toBe(1);
    expect(told(() => take(at, lane('health')))).toBe(0);
    expect(told(() => take(at, status))).toBe(1);
    refuse(at, status, 0);
    expect(told(() => at.reachability.forget('second'))).toBe(0);
    expect(told(() => at.reachability.forget('main'))).toBe(1);
  });

  it('of another connection stays unchanged when one is removed, or opens', () => {
    const at = aWorld();
    const other = lane('run', 'echo', 'second');
    refuse(at, other, 0);
    refuse(at, status, 0);
    refuse(at, lane('health'), 0);
    at.world.nowMs = 5_000;
    take(at, lane('health'));
    expect(at.reachability.closure(status)).toMatchObject({ nextTryMs: 5_000 });
    expect(at.reachability.closure(other)).toMatchObject({ nextTryMs: 31_000, isWaitingForRead: true });
    at.reachability.forget('main');
    expect(at.reachability.closures()).toMatchObject([other]);
    at.reachability.tryNow();
    expect(at.reachability.closure(other)).toMatchObject({ nextTryMs: 5_000, isWaitingForRead: false });
  });
});
