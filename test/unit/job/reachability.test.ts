import { describe, expect, it } from 'vitest';
import { createReachability } from '../../../src-main/job/reachability.ts';
import type { Reachability } from '../../../src-main/job/reachability.ts';
import type { GovernedOperation, Lane } from '../../../src-main/service/rate-governor.ts';
import type { ConnectionState } from '../../../src-preload/connection.ts';
import { aFailure } from './records.ts';

const unreached = aFailure({ kind: 'network', message: 'Connection refused', mayHaveArrived: false });
const reset = aFailure({ kind: 'network', message: 'Connection reset' });
const lane = (operation: GovernedOperation, endpointId = 'echo', connectionId = 'main'): Lane => ({
  connectionId,
  endpointId,
  operation,
});
const status = lane('status');

interface World {
  nowMs: number;
  told: ConnectionState[];
  /** Lanes that were refused for the first time. */
  doubted: Lane[];
}

function aWorld(): { world: World; reachability: Reachability } {
  const world: World = { nowMs: 1_000, told: [], doubted: [] };
  const reachability = createReachability({
    now: () => world.nowMs,
    random: () => 0.5,
    onChange: (_, state) => world.told.push(state),
    onClosures: () => undefined,
    onRefused: (each) => world.doubted.push(each),
  });
  return { world, reachability };
}

/** One whole exchange that is refused, `afterMs` later. */
function refuse({ world, reachability }: ReturnType<typeof aWorld>, of: Lane, afterMs = 10): void {
  const askedAtMs = world.nowMs;
  reachability.asked(of);
  world.nowMs += afterMs;
  reachability.keyRefused(of, { httpStatus: 403, path: `/v2/${of.endpointId}/${of.operation}`, said: null }, askedAtMs);
}

function take({ reachability }: ReturnType<typeof aWorld>, of: Lane): void {
  reachability.asked(of);
  reachability.taken(of);
}

describe('an unreachable connection', () => {
  it('is offline at once when nothing listens, and tried again later and later', () => {
    const { world, reachability } = aWorld();
    reachability.asked(status);
    reachability.unanswered(status, unreached);
    expect(reachability.gateway('main')).toEqual({ kind: 'offline', probeAtMs: 1_250, isProbing: false });
    const waits = [0, 1, 2, 3, 4, 5, 6].map(() => {
      reachability.asked(status);
      expect(reachability.gateway('main')).toMatchObject({ isProbing: true });
      reachability.unanswered(status, unreached);
      const gateway = reachability.gateway('main');
      return gateway.kind === 'offline' ? gateway.probeAtMs - world.nowMs : -1;
    });
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(world.told.every(({ kind }) => kind === 'offline')).toBe(true);
  });

  it('learns nothing from requests that were under way when it went offline', () => {
    const { reachability, world } = aWorld();
    reachability.unanswered(status, unreached);
    reachability.unanswered(status, unreached);
    expect(world.told).toHaveLength(1);
  });

  it.each(['answered', 'taken'] as const)('is open again with the first answer (%s)', (how) => {
    const { reachability, world } = aWorld();
    reachability.unanswered(status, unreached);
    reachability.asked(status);
    reachability[how](status);
    expect(reachability.gateway('main')).toEqual({ kind: 'open' });
    expect(world.told.at(-1)).toEqual({ kind: 'ready' });
  });

  it('takes three resets in a row to be offline, and none of them with an answer between', () => {
    const { reachability } = aWorld();
    reachability.unanswered(status, reset);
    reachability.unanswered(status, reset);
    reachability.answered(status);
    reachability.unanswered(status, reset);
    reachability.unanswered(status, reset);
    expect(reachability.gateway('main').kind).toBe('open');
    reachability.unanswered(status, reset);
    expect(reachability.gateway('main').kind).toBe('offline');
  });

  it('is tried at once when the user asks', () => {
    const { reachability, world } = aWorld();
    reachability.unanswered(status, unreached);
    world.nowMs = 1_100;
    reachability.tryNow();
    expect(reachability.gateway('main')).toMatchObject({ probeAtMs: 1_100 });
  });
});

describe('a refused operation (ruling 35)', () => {
  it('is closed alone: other operations, endpoints and connections stay open', () => {
    const at = aWorld();
    refuse(at, status);
    const { reachability, world } = at;
    expect(reachability.door(status)).toEqual({
      nextTryMs: 31_010,
      triedAtMs: 1_010,
      isTrying: false,
      isWaitingForRead: false,
    });
    for (const open of [lane('stream'), lane('health'), lane('status', 'other'), lane('status', 'echo', 'second')])
      expect(reachability.door(open)).toBeNull();
    expect(reachability.gateway('main')).toEqual({ kind: 'open' });
    expect(world.told).toEqual([]);
    expect(world.doubted).toEqual([status]);
    expect(reachability.closures()).toEqual([
      { ...status, httpStatus: 403, path: '/v2/echo/status', said: null, sinceMs: 1_010, nextTryMs: 31_010 },
    ]);
  });

  it('is tried again after 30 s, then ever more rarely, up to every five minutes', () => {
    const at = aWorld();
    refuse(at, status, 0);
    const waits = [1, 2, 3, 4, 5].map(() => {
      at.world.nowMs = at.reachability.door(status)?.nextTryMs ?? 0;
      refuse(at, status, 0);
      return (at.reachability.door(status)?.nextTryMs ?? 0) - at.world.nowMs;
    });
    expect(waits).toEqual([60_000, 120_000, 240_000, 300_000, 300_000]);
    expect(at.reachability.gateway('main')).toEqual({ kind: 'open' });
  });

  it('opens by itself when it is taken', () => {
    const at = aWorld();
    refuse(at, status);
    at.world.nowMs = 31_010;
    at.reachability.asked(status);
    expect(at.reachability.door(status)).toMatchObject({ isTrying: true });
    expect(at.reachability.closures()).toMatchObject([{ nextTryMs: null }]);
    at.reachability.taken(status);
    expect(at.reachability.door(status)).toBeNull();
    expect(at.reachability.closures()).toEqual([]);
  });

  it('is not made longer by requests that were under way when it closed', () => {
    const at = aWorld();
    for (let i = 0; i < 5; i += 1) at.reachability.asked(status);
    const refusal = { httpStatus: 401, path: '/x', said: null };
    for (let i = 0; i < 5; i += 1) at.reachability.keyRefused(status, refusal, 1_000);
    expect(at.reachability.door(status)).toMatchObject({ nextTryMs: 31_000 });
    expect(at.reachability.gateway('main')).toEqual({ kind: 'open' });
  });

  it('is tried again as late after a try that told nothing of the key', () => {
    const at = aWorld();
    refuse(at, status, 0);
    at.world.nowMs = 31_000;
    at.reachability.asked(status);
    at.reachability.answered(status);
    expect(at.reachability.door(status)).toMatchObject({ isTrying: false, nextTryMs: 61_000 });
  });

  it('that is no read waits for a read of its endpoint to be taken when its time has come', () => {
    const at = aWorld();
    refuse(at, lane('run'), 0);
    take(at, status);
    expect(at.reachability.door(lane('run'))).toMatchObject({ isWaitingForRead: true, nextTryMs: 31_000 });
    at.world.nowMs = 31_000;
    take(at, lane('health', 'other'));
    expect(at.reachability.door(lane('run'))).toMatchObject({ isWaitingForRead: true });
    take(at, lane('health'));
    expect(at.reachability.door(lane('run'))).toMatchObject({ isWaitingForRead: false });
    refuse(at, lane('run'), 0);
    expect(at.reachability.door(lane('run'))).toMatchObject({ isWaitingForRead: true, nextTryMs: 91_000 });
  });

  it('lets nobody ask for it until its time has come, and then once', () => {
    const at = aWorld();
    refuse(at, lane('cancel'), 0);
    expect(at.reachability.mayAsk(lane('cancel'))).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('refuses cancel for this endpoint (403)') },
    });
    expect(at.reachability.mayAsk(status)).toMatchObject({ ok: true });
    at.reachability.tryNow();
    expect(at.reachability.mayAsk(lane('cancel'))).toMatchObject({ ok: true });
    at.reachability.asked(lane('cancel'));
    expect(at.reachability.mayAsk(lane('cancel'))).toMatchObject({ ok: false });
  });
});

describe('a refused key (ruling 35)', () => {
  it('needs that all that was asked since the refusal was refused too', () => {
    const at = aWorld();
    refuse(at, status);
    refuse(at, lane('health'));
    expect(at.world.told).toEqual([
      { kind: 'key-refused', httpStatus: 403, path: '/v2/echo/health', sinceMs: 1_010, nextTryMs: 31_020 },
    ]);
    expect(at.reachability.gateway('main')).toMatchObject({ kind: 'refused', probeAtMs: 31_020, isProbing: false });
    expect(at.reachability.gateway('second')).toEqual({ kind: 'open' });
    expect(at.reachability.closures()).toEqual([]);
    expect(at.reachability.mayAsk(lane('run'))).toMatchObject({ ok: false });
  });

  it('is not said where a call succeeded after the refusal, nor by one that left before it', () => {
    const at = aWorld();
    refuse(at, status);
    take(at, lane('health'));
    refuse(at, lane('stream'));
    expect(at.reachability.gateway('main')).toEqual({ kind: 'open' });
    at.reachability.keyRefused(lane('retry'), { httpStatus: 401, path: '/x', said: null }, at.world.nowMs - 5);
    expect(at.reachability.gateway('main')).toEqual({ kind: 'open' });
  });

  it('is probed ever more rarely, by health and by a job in turn, and opens with the first request taken', () => {
    const at = aWorld();
    refuse(at, status, 0);
    refuse(at, lane('health'), 0);
    expect(at.reachability.gateway('main')).toMatchObject({ isByHealth: true, probeAtMs: 31_000 });
    at.world.nowMs = 31_000;
    refuse(at, lane('health'), 0);
    expect(at.reachability.gateway('main')).toMatchObject({ kind: 'refused', isByHealth: false, probeAtMs: 91_000 });
    at.world.nowMs = 91_000;
    at.reachability.asked(status);
    at.reachability.unanswered(status, unreached);
    expect(at.reachability.gateway('main')).toMatchObject({ kind: 'refused', probeAtMs: 211_000 });
    at.reachability.asked(status);
    at.reachability.answered(status);
    expect(at.reachability.gateway('main')).toMatchObject({ kind: 'refused' });
    at.world.nowMs = 400_000;
    take(at, lane('health'));
    expect(at.reachability.gateway('main')).toEqual({ kind: 'open' });
    expect(at.world.told.at(-1)).toEqual({ kind: 'ready' });
    // What else was closed is tried at once, one request each.
    expect(at.reachability.door(status)).toMatchObject({ nextTryMs: expect.any(Number), isWaitingForRead: false });
    expect(at.reachability.door(status)?.nextTryMs).toBeLessThanOrEqual(400_000);
  });

  it('is not said again by operations that were closed before', () => {
    const at = aWorld();
    refuse(at, status, 0);
    take(at, lane('health'));
    refuse(at, lane('stream'), 0);
    take(at, lane('health'));
    at.world.nowMs = 40_000;
    refuse(at, status, 0);
    refuse(at, lane('stream'), 0);
    expect(at.reachability.gateway('main')).toEqual({ kind: 'open' });
  });

  it('ends with another key, and is not held against it when the old one is refused late', () => {
    const at = aWorld();
    refuse(at, status);
    refuse(at, lane('health'));
    at.world.nowMs = 2_000;
    at.reachability.reset('main');
    expect(at.reachability.gateway('main')).toEqual({ kind: 'open' });
    expect(at.reachability.door(status)).toBeNull();
    at.reachability.keyRefused(status, { httpStatus: 401, path: '/x', said: null }, 1_999);
    expect(at.reachability.door(status)).toBeNull();
    at.reachability.keyRefused(status, { httpStatus: 401, path: '/x', said: null }, 2_000);
    expect(at.reachability.door(status)).not.toBeNull();
  });
});
