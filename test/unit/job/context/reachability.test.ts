import { describe, expect, it } from 'vitest';
import { aWorld, lane, refuse, reset, status, take, unreached } from './reachability-world.ts';

describe('an unreachable connection', () => {
  it('is offline immediately if nothing listens, and retried at growing intervals', () => {
    const { world, reachability } = aWorld();
    reachability.sent(status);
    reachability.unanswered(status, unreached);
    expect(reachability.access('main')).toEqual({
      kind: 'offline',
      probeAtMs: 1_250,
      probedAtMs: 1_000,
      isProbing: false,
    });
    const waits = [0, 1, 2, 3, 4, 5, 6].map(() => {
      reachability.sent(status);
      expect(reachability.access('main')).toMatchObject({ isProbing: true });
      reachability.unanswered(status, unreached);
      const access = reachability.access('main');
      return access.kind === 'offline' ? access.probeAtMs - world.nowMs : -1;
    });
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(world.told.every(({ kind }) => kind === 'offline')).toBe(true);
  });

  it('learns nothing from requests in progress when it went offline', () => {
    const { reachability, world } = aWorld();
    reachability.unanswered(status, unreached);
    reachability.unanswered(status, unreached);
    expect(world.told).toHaveLength(1);
  });

  it.each(['answered', 'accepted'] as const)('is open again with the first answer (%s)', (how) => {
    const { reachability, world } = aWorld();
    reachability.unanswered(status, unreached);
    reachability.sent(status);
    reachability[how](status);
    expect(reachability.access('main')).toEqual({ kind: 'open' });
    expect(world.told.at(-1)).toEqual({ kind: 'ready' });
  });

  it('is offline after three resets in a row, without an answer in between', () => {
    const { reachability } = aWorld();
    reachability.unanswered(status, reset);
    reachability.unanswered(status, reset);
    reachability.answered(status);
    reachability.unanswered(status, reset);
    reachability.unanswered(status, reset);
    expect(reachability.access('main').kind).toBe('open');
    reachability.unanswered(status, reset);
    expect(reachability.access('main').kind).toBe('offline');
  });

  it('does not answer until its first answer, nor after a request without one', () => {
    const { reachability, world } = aWorld();
    expect(reachability.triedAtMs('main')).toBe(0);
    expect(reachability.all()).toEqual([]);
    reachability.sent(status);
    expect(reachability.triedAtMs('main')).toBe(world.nowMs);
    reachability.answered(status);
    expect(reachability.triedAtMs('main')).toBeNull();
    world.nowMs = 1_300;
    reachability.sent(status);
    expect(reachability.triedAtMs('main')).toBeNull();
    reachability.unanswered(status, reset);
    expect(reachability.triedAtMs('main')).toBe(1_300);
    reachability.accepted(status);
    expect(reachability.triedAtMs('main')).toBeNull();
  });

  it('was last in step when the service last accepted a request, and not when a try failed', () => {
    const { reachability, world } = aWorld();
    const lastSyncAtMs = () => reachability.all()[0]?.lastSyncAtMs;
    world.nowMs = 1_100;
    reachability.accepted(status);
    world.nowMs = 1_200;
    reachability.answered(status);
    reachability.unanswered(status, unreached);
    expect(lastSyncAtMs()).toBe(1_100);
    reachability.reset('main');
    expect(lastSyncAtMs()).toBe(1_100);
  });

  it('is retried immediately on request', () => {
    const { reachability, world } = aWorld();
    reachability.unanswered(status, unreached);
    world.nowMs = 1_100;
    reachability.tryNow();
    expect(reachability.access('main')).toMatchObject({ probeAtMs: 1_100 });
  });

  it('still sends requests of the user, as its probe', () => {
    const { reachability } = aWorld();
    reachability.unanswered(status, unreached);
    expect(reachability.maySend(status)).toEqual({ ok: true, value: null });
  });

  it.each(['answered', 'refused'] as const)('restarts its waits once it answered (%s)', (how) => {
    const at = aWorld();
    for (let i = 0; i < 3; i += 1) {
      at.reachability.sent(status);
      at.reachability.unanswered(status, unreached);
    }
    expect(at.reachability.access('main')).toMatchObject({ probeAtMs: 2_000 });
    if (how === 'answered') at.reachability.answered(status);
    else refuse(at, status, 0);
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
    at.reachability.unanswered(status, reset);
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
    at.reachability.unanswered(status, unreached);
    expect(at.reachability.access('main')).toMatchObject({ probeAtMs: 1_250 });
  });

  it('is not probed again during a probe, even on request', () => {
    const { reachability, world } = aWorld();
    reachability.unanswered(status, unreached);
    reachability.sent(status);
    world.nowMs = 1_100;
    reachability.tryNow();
    expect(reachability.access('main')).toEqual({
      kind: 'offline',
      probeAtMs: 1_250,
      probedAtMs: 1_000,
      isProbing: true,
    });
    reachability.released(status);
    expect(reachability.access('main')).toEqual({
      kind: 'offline',
      probeAtMs: 1_250,
      probedAtMs: 1_000,
      isProbing: false,
    });
  });
});

describe('a connection', () => {
  it('without a key is closed, reports that once, and opens only with another key', () => {
    const { reachability, world } = aWorld();
    reachability.noKey('main');
    reachability.noKey('main');
    expect(reachability.access('main')).toEqual({ kind: 'closed' });
    expect(world.told).toEqual([{ kind: 'no-key' }]);
    // Requests in progress with its former key.
    for (let i = 0; i < 3; i += 1) reachability.unanswered(status, unreached);
    reachability.tryNow();
    expect(world.told).toHaveLength(1);
    reachability.reset('main');
    expect(reachability.access('main')).toEqual({ kind: 'open' });
    expect(world.told).toEqual([{ kind: 'no-key' }, { kind: 'ready' }]);
  });

  it('is listed with all others of known state, until it is removed', () => {
    const at = aWorld();
    at.reachability.noKey('second');
    refuse(at, status);
    expect(at.reachability.state('second')).toEqual({ kind: 'no-key' });
    expect(at.reachability.all()).toEqual([
      { connectionId: 'second', state: { kind: 'no-key' }, lastSyncAtMs: null },
      { connectionId: 'main', state: { kind: 'ready' }, lastSyncAtMs: null },
    ]);
    at.reachability.forget('main');
    expect(at.reachability.all()).toEqual([{ connectionId: 'second', state: { kind: 'no-key' }, lastSyncAtMs: null }]);
    expect(at.reachability.closure(status)).toBeNull();
  });
});

describe('a refused key (ruling 35)', () => {
  it('requires that all requests since the refusal were refused too', () => {
    const at = aWorld();
    refuse(at, status);
    refuse(at, lane('health'));
    expect(at.world.told).toEqual([
      { kind: 'key-refused', httpStatus: 403, path: '/v2/echo/health', sinceMs: 1_010, nextTryMs: 31_020 },
    ]);
    expect(at.reachability.access('main')).toMatchObject({ kind: 'refused', probeAtMs: 31_020, isProbing: false });
    expect(at.reachability.access('second')).toEqual({ kind: 'open' });
    expect(at.reachability.closures()).toEqual([]);
    expect(at.reachability.maySend(lane('run'))).toEqual({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('refuses the key of this connection (403)') },
    });
  });

  it('lets a request of the user through when its time has come, one at a time', () => {
    const at = aWorld();
    refuse(at, status, 0);
    refuse(at, lane('health'), 0);
    at.world.nowMs = 30_999;
    expect(at.reachability.maySend(lane('run'))).toMatchObject({ ok: false });
    at.world.nowMs = 31_000;
    expect(at.reachability.maySend(lane('run'))).toMatchObject({ ok: true });
    at.reachability.sent(lane('run'));
    expect(at.reachability.access('main')).toMatchObject({ isProbing: true, probedAtMs: 31_000 });
    expect(at.reachability.maySend(lane('run'))).toMatchObject({ ok: false });
  });

  it('is retried immediately on request', () => {
    const at = aWorld();
    refuse(at, status, 0);
    refuse(at, lane('health'), 0);
    at.world.nowMs = 5_000;
    at.reachability.tryNow();
    expect(at.reachability.access('main')).toMatchObject({ kind: 'refused', probeAtMs: 5_000 });
  });

  it('is not probed later because of requests in progress when it was refused', () => {
    const at = aWorld();
    refuse(at, status, 0);
    refuse(at, lane('health'), 0);
    at.reachability.keyRefused(lane('stream'), { httpStatus: 401, path: '/x', serviceSaid: null }, 1_000);
    at.reachability.unanswered(lane('cancel'), unreached);
    expect(at.reachability.access('main')).toMatchObject({ kind: 'refused', isByHealth: true, probeAtMs: 31_000 });
  });

  it('is not reported if a call succeeded after the refusal, nor because of one that left before it', () => {
    const at = aWorld();
    refuse(at, status);
    take(at, lane('health'));
    refuse(at, lane('stream'));
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
    at.reachability.keyRefused(lane('retry'), { httpStatus: 401, path: '/x', serviceSaid: null }, at.world.nowMs - 5);
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
  });

  it('is noticed even if two requests were refused that had left together', () => {
    const at = aWorld();
    at.reachability.sent(status);
    refuse(at, lane('health'));
    at.reachability.keyRefused(status, { httpStatus: 403, path: '/x', serviceSaid: null }, 1_000);
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
    at.world.nowMs = 31_010;
    refuse(at, lane('health'), 0);
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
    refuse(at, status, 0);
    expect(at.reachability.access('main')).toMatchObject({ kind: 'refused' });
  });

  it('is probed ever more rarely, by health and by a job in turn, and opens with the first accepted request', () => {
    const at = aWorld();
    refuse(at, status, 0);
    refuse(at, lane('health'), 0);
    expect(at.reachability.access('main')).toMatchObject({ isByHealth: true, probeAtMs: 31_000 });
    at.world.nowMs = 31_000;
    refuse(at, lane('health'), 0);
    expect(at.reachability.access('main')).toMatchObject({ kind: 'refused', isByHealth: false, probeAtMs: 91_000 });
    at.world.nowMs = 91_000;
    at.reachability.sent(status);
    at.reachability.unanswered(status, unreached);
    expect(at.reachability.access('main')).toMatchObject({ kind: 'refused', isByHealth: true, probeAtMs: 211_000 });
    at.reachability.sent(status);
    at.reachability.answered(status);
    expect(at.reachability.access('main')).toMatchObject({ kind: 'refused', isByHealth: false, probeAtMs: 331_000 });
    expect(at.reachability.closure(status)?.nextTryMs).toBe(121_000);
    at.world.nowMs = 120_000;
    take(at, lane('health'));
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
    expect(at.world.told.at(-1)).toEqual({ kind: 'ready' });
    // What else was closed is tried at once, one request each.
    expect(at.reachability.closure(status)).toMatchObject({ nextTryMs: 120_000, isWaitingForRead: false });
  });

  it('is not reported again because of operations that were already closed', () => {
    const at = aWorld();
    refuse(at, status, 0);
    take(at, lane('health'));
    refuse(at, lane('stream'), 0);
    take(at, lane('health'));
    at.world.nowMs = 40_000;
    refuse(at, status, 0);
    refuse(at, lane('stream'), 0);
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
    take(at, lane('health'));
    refuse(at, lane('cancel'), 0);
    refuse(at, status, 0);
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
  });

  it('ends with another key, and a late refusal of the old one does not count against it', () => {
    const at = aWorld();
    refuse(at, status);
    refuse(at, lane('health'));
    at.world.nowMs = 2_000;
    at.reachability.reset('main');
    expect(at.reachability.access('main')).toEqual({ kind: 'open' });
    expect(at.reachability.closure(status)).toBeNull();
    at.reachability.keyRefused(status, { httpStatus: 401, path: '/x', serviceSaid: null }, 1_999);
    expect(at.reachability.closure(status)).toBeNull();
    at.reachability.keyRefused(status, { httpStatus: 401, path: '/x', serviceSaid: null }, 2_000);
    expect(at.reachability.closure(status)).not.toBeNull();
  });

  it('of a former key still ends a try, so that another request can be tried', () => {
    const at = aWorld();
    at.world.nowMs = 2_000;
    at.reachability.reset('main');
    refuse(at, status, 0);
    at.reachability.unanswered(lane('health'), unreached);
    at.reachability.sent(status);
    at.reachability.keyRefused(status, { httpStatus: 401, path: '/x', serviceSaid: null }, 1_999);
    expect(at.reachability.access('main')).toMatchObject({ kind: 'offline', isProbing: false });
    expect(at.reachability.closure(status)).toMatchObject({ isTrying: false });
  });
});
