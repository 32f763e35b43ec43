import { describe, expect, it } from 'vitest';
import { createReachability } from '../../../src-main/job/reachability.ts';
import type { ConnectionState } from '../../../src-preload/connection.ts';
import { aFailure } from './records.ts';

const unreached = aFailure({ kind: 'network', message: 'Connection refused', mayHaveArrived: false });
const reset = aFailure({ kind: 'network', message: 'Connection reset' });

function aWorld() {
  const world = { nowMs: 1_000, told: [] as ConnectionState[] };
  const reachability = createReachability({ now: () => world.nowMs, random: () => 0.5, onChange: (_, state) => world.told.push(state) });
  return { world, reachability };
}

describe('an unreachable connection', () => {
  it('is offline at once when nothing listens, and tried again later and later', () => {
    const { world, reachability } = aWorld();
    reachability.asked('main');
    reachability.unanswered('main', unreached);
    expect(reachability.gateway('main')).toEqual({ kind: 'offline', probeAtMs: 1_250, isProbing: false });
    const waits = [0, 1, 2, 3, 4, 5, 6].map(() => {
      reachability.asked('main');
      expect(reachability.gateway('main')).toMatchObject({ isProbing: true });
      reachability.unanswered('main', unreached);
      const gateway = reachability.gateway('main');
      return gateway.kind === 'offline' ? gateway.probeAtMs - world.nowMs : -1;
    });
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(world.told.every(({ kind }) => kind === 'offline')).toBe(true);
  });

  it('learns nothing from requests that were under way when it went offline', () => {
    const { reachability, world } = aWorld();
    reachability.unanswered('main', unreached);
    reachability.unanswered('main', unreached);
    expect(world.told).toHaveLength(1);
  });

  it('is open again with the first answer', () => {
    const { reachability, world } = aWorld();
    reachability.unanswered('main', unreached);
    reachability.asked('main');
    reachability.answered('main');
    expect(reachability.gateway('main')).toEqual({ kind: 'open' });
    expect(world.told.at(-1)).toEqual({ kind: 'ready' });
  });

  it('takes three resets in a row to be offline, and none of them with an answer between', () => {
    const { reachability } = aWorld();
    reachability.unanswered('main', reset);
    reachability.unanswered('main', reset);
    reachability.answered('main');
    reachability.unanswered('main', reset);
    reachability.unanswered('main', reset);
    expect(reachability.gateway('main').kind).toBe('open');
    reachability.unanswered('main', reset);
    expect(reachability.gateway('main').kind).toBe('offline');
  });

  it('is tried at once when the user asks', () => {
    const { reachability, world } = aWorld();
    reachability.unanswered('main', unreached);
    world.nowMs = 1_100;
    reachability.tryNow();
    expect(reachability.gateway('main')).toMatchObject({ probeAtMs: 1_100 });
  });
});

describe('a refused key', () => {
  it('closes its connection only, until it changes', () => {
    const { reachability, world } = aWorld();
    reachability.keyRefused('main', 401, '/v2/echo/status/x', 900);
    expect(reachability.gateway('main')).toEqual({ kind: 'closed' });
    expect(reachability.gateway('other')).toEqual({ kind: 'open' });
    expect(world.told).toEqual([{ kind: 'key-refused', httpStatus: 401, path: '/v2/echo/status/x', sinceMs: 900 }]);
    reachability.answered('main');
    reachability.unanswered('main', unreached);
    expect(reachability.gateway('main')).toEqual({ kind: 'closed' });
    reachability.reset('main');
    expect(reachability.gateway('main')).toEqual({ kind: 'open' });
  });

  it('is not held against the new key when the old one is refused late', () => {
    const { reachability, world } = aWorld();
    world.nowMs = 2_000;
    reachability.reset('main');
    reachability.keyRefused('main', 401, '/x', 1_999);
    expect(reachability.gateway('main')).toEqual({ kind: 'open' });
    reachability.keyRefused('main', 401, '/x', 2_000);
    expect(reachability.gateway('main')).toEqual({ kind: 'closed' });
  });
});
