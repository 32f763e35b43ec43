import { describe, expect, it } from 'vitest';
import { createHealthMonitor, trendSpanMs } from '../../../src-main/health/health-monitor.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { Health, HealthTrend } from '../../../src-preload/health.ts';

const aHealth = (changes: Partial<Health> = {}): Health => ({
  endpointId: 'text',
  connectionId: 'main',
  atMs: 10_000,
  jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
  workers: { idle: 1, running: 0 },
  extra: {},
  ...changes,
});

function aWorld() {
  const world = {
    nowMs: 10_000,
    kept: [] as Health[],
    told: [] as Health[],
    unread: [] as string[],
    troubles: [] as unknown[],
    asked: 0,
    automatic: [] as boolean[],
    sinceMs: 0,
    isFull: false,
    answer: (): Promise<Result<Health>> => Promise.resolve(ok(aHealth({ atMs: world.nowMs }))),
  };
  const monitor = createHealthMonitor({
    history: {
      addHealth: async (health) => {
        if (world.isFull) throw new Error('The disk is full');
        world.kept.push(health);
      },
      latestHealth: async () => world.kept,
      healthTrends: async (_connectionId, sinceMs): Promise<HealthTrend[]> => {
        world.sinceMs = sinceMs;
        return [];
      },
    },
    clock: { now: () => world.nowMs },
    readHealth: (_connectionId, _endpointId, how) => {
      world.asked += 1;
      world.automatic.push(how?.isAutomatic ?? false);
      return world.answer();
    },
    onChange: (health) => {
      // Reported only after it is saved.
      if (!world.isFull) expect(world.kept).toContain(health);
      world.told.push(health);
    },
    onReadFailed: (connectionId, endpointId, { message }) =>
      world.unread.push(`${connectionId} ${endpointId}: ${message}`),
    onTrouble: (error) => world.troubles.push(error),
  });
  return { world, monitor };
}

describe('the health monitor', () => {
  it('reports a read that failed once, however many windows asked for it', async () => {
    const { world, monitor } = aWorld();
    world.answer = async () => failed({ kind: 'absent', message: 'There is no such endpoint.' });
    await Promise.all([monitor.refresh('main', 'text'), monitor.refresh('main', 'text')]);
    expect(world.unread).toEqual(['main text: There is no such endpoint.']);
    const failure = { endpointId: 'text', message: 'There is no such endpoint.' };
    expect((await monitor.latest('main')).failures).toEqual([failure]);
    expect((await monitor.latest('other')).failures).toEqual([]);
    // What Jobdeck itself does not send is no failure of the endpoint.
    world.answer = async () => failed({ kind: 'refused', message: 'Try again in a moment.' });
    await monitor.refresh('main', 'text');
    expect(world.unread).toHaveLength(1);
    expect((await monitor.latest('main')).failures).toEqual([failure]);
    await monitor.note(aHealth());
    expect((await monitor.latest('main')).failures).toEqual([]);
  });

  it('reads on behalf of the user, or automatically', async () => {
    const { world, monitor } = aWorld();
    world.answer = async () => failed({ kind: 'refused', message: 'Try again in a moment.' });
    await monitor.refresh('main', 'text');
    await monitor.refresh('main', 'text', { isAutomatic: true });
    expect(world.automatic).toEqual([false, true]);
  });

  it('saves a reading, then reports it', async () => {
    const { world, monitor } = aWorld();
    await monitor.note(aHealth());
    expect(world.told).toEqual([aHealth()]);
    expect(await monitor.latest('main')).toEqual({ health: [aHealth()], trends: [], failures: [] });
    expect(world.sinceMs).toBe(10_000 - trendSpanMs);
  });

  it('drops an answer that arrives after a newer one', async () => {
    const { world, monitor } = aWorld();
    await monitor.note(aHealth({ atMs: 12_000 }));
    await monitor.note(aHealth({ atMs: 11_000 }));
    await monitor.note(aHealth({ atMs: 11_000, endpointId: 'image' }));
    expect(world.told.map(({ endpointId, atMs }) => [endpointId, atMs])).toEqual([
      ['text', 12_000],
      ['image', 11_000],
    ]);
  });

  it('reports a reading it cannot save, and the failure', async () => {
    const { world, monitor } = aWorld();
    world.isFull = true;
    await monitor.note(aHealth());
    expect(world.told).toHaveLength(1);
    expect(world.troubles).toHaveLength(1);
  });

  it('reads only on request, once for simultaneous requests, and not again within a second', async () => {
    const { world, monitor } = aWorld();
    expect(world.asked).toBe(0);
    const [first, second] = await Promise.all([monitor.refresh('main', 'text'), monitor.refresh('main', 'text')]);
    expect(world.asked).toBe(1);
    expect(second).toBe(first);
    if (first.ok) await monitor.note(first.value);
    world.nowMs += 999;
    expect(await monitor.refresh('main', 'text')).toEqual(first);
    expect(world.asked).toBe(1);
    world.nowMs += 1;
    await monitor.refresh('main', 'text');
    await monitor.refresh('main', 'image');
    expect(world.asked).toBe(3);
  });

  it('returns a failed read unchanged, and reads again the next time', async () => {
    const { world, monitor } = aWorld();
    world.answer = async () =>
      failed({ kind: 'not-found', message: 'There is no such endpoint.', mayHaveArrived: true });
    expect(await monitor.refresh('main', 'text')).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
    await monitor.refresh('main', 'text');
    expect(world.asked).toBe(2);
  });
});
