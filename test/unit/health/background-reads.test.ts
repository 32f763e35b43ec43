import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src-preload/connection.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { Health } from '../../../src-preload/health.ts';
import { readingValidMs } from '../../../src-preload/alert.ts';
import type { WayTo } from '../../../src-main/health/background-plan.ts';
import { BackgroundReads } from '../../../src-main/health/background-reads.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import { aConnection } from '../../kit/a-connection.ts';

/** What a service does with a request. */
type Service = 'answers' | 'fails' | 'asks-to-wait';

function connectionWith(id: string, endpoints: number): Connection {
  return aConnection({
    id,
    name: id,
    endpoints: Array.from({ length: endpoints }, (_, at) => ({ id: `e${at}`, label: '', flavour: 'other' as const })),
  });
}

function aReading(connectionId: string, endpointId: string, atMs: number): Health {
  return {
    connectionId,
    endpointId,
    atMs,
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 0, running: 0 },
    extra: {},
  };
}

function aWorld({ saved = [], slowMs = 0 }: { saved?: Health[]; slowMs?: number } = {}) {
  const clock = createVirtualClock();
  const startMs = clock.now();
  const reads: { connectionId: string; endpointId: string; atMs: number; wasOpen: boolean }[] = [];
  const world = {
    isOn: true,
    isPaused: false,
    ways: new Map<string, WayTo>(),
    services: new Map<string, Service>(),
    ownRules: new Set<string>(),
    troubles: 0,
    /** Requests in progress to each connection, and how often a test of one was not the only request. */
    inProgress: new Map<string, number>(),
    crowdedProbes: 0,
  };
  const wayTo = (id: string): WayTo => world.ways.get(id) ?? { kind: 'open' };
  const background = new BackgroundReads({
    clock,
    isOn: () => world.isOn,
    isPaused: () => world.isPaused,
    wayTo,
    hasOwnRule: ({ endpointId }) => world.ownRules.has(endpointId),
    latest: async (connectionId) => saved.filter((one) => one.connectionId === connectionId),
    onTrouble: () => (world.troubles += 1),
    refresh: async (connectionId, endpointId) => {
      const service = world.services.get(connectionId) ?? 'answers';
      if (service === 'asks-to-wait') return failed({ kind: 'refused', message: 'Later.' });
      reads.push({
        connectionId,
        endpointId,
        atMs: clock.now() - startMs,
        wasOpen: wayTo(connectionId).kind === 'open',
      });
      const others = world.inProgress.get(connectionId) ?? 0;
      if (wayTo(connectionId).kind === 'probe' && others > 0) world.crowdedProbes += 1;
      world.inProgress.set(connectionId, others + 1);
      if (slowMs > 0) await new Promise<void>((resolve) => clock.after(slowMs, resolve));
      world.inProgress.set(connectionId, (world.inProgress.get(connectionId) ?? 1) - 1);
      if (service === 'fails') return failed({ kind: 'network', message: 'Gone.', mayHaveArrived: false });
      const reading = aReading(connectionId, endpointId, clock.now());
      background.noted(reading);
      return ok(reading);
    },
  });
  const timesOf = (endpointId: string, connectionId = 'c'): number[] =>
    reads.filter((one) => one.endpointId === endpointId && one.connectionId === connectionId).map(({ atMs }) => atMs);
  return { world, background, clock, reads, timesOf, startMs };
}

describe('health in the background', () => {
  it('is read ten seconds after the start, and then once a minute with one timer', async () => {
    const { background, clock, timesOf } = aWorld();
    expect(clock.pending()).toBe(0);
    background.connectionsChanged([connectionWith('c', 1)]);
    await clock.advance(190_000);
    expect(timesOf('e0')).toEqual([10_000, 70_000, 130_000, 190_000]);
    expect(clock.pending()).toBe(1);
    background.close();
    expect(clock.pending()).toBe(0);
  });

  it('reads together what is due within ten seconds, so that the computer wakes up once a minute', async () => {
    const { background, clock, timesOf, startMs } = aWorld({
      saved: [aReading('c', 'e1', 1_700_000_000_000 - 45_000)],
    });
    background.connectionsChanged([connectionWith('c', 3)]);
    await clock.advance(12_000);
    background.noted(aReading('c', 'e2', startMs + 12_000));
    await clock.advance(180_000);
    // e1 was read 45 s before the start and e2 by the tracker at 12 s.
    expect([timesOf('e0'), timesOf('e1'), timesOf('e2')]).toEqual([
      [10_000, 70_000, 130_000, 190_000],
      [10_000, 70_000, 130_000, 190_000],
      [10_000, 70_000, 130_000, 190_000],
    ]);
  });

  it('leaves out what something else reads', async () => {
    const { background, clock, reads } = aWorld();
    background.connectionsChanged([connectionWith('c', 1)]);
    for (let second = 0; second < 300; second += 5) {
      background.noted(aReading('c', 'e0', clock.now()));
      await clock.advance(5_000);
    }
    expect(reads).toEqual([]);
  });

  it('stops while it is off or everything is paused, and continues within a minute', async () => {
    const { world, background, clock, reads } = aWorld();
    background.connectionsChanged([connectionWith('c', 1)]);
    world.isOn = false;
    background.settingsChanged();
    expect(clock.pending()).toBe(0);
    await clock.advance(600_000);
    expect(reads).toEqual([]);
    world.isOn = true;
    background.settingsChanged();
    await clock.advance(1_000);
    expect(reads).toHaveLength(1);
    world.isPaused = true;
    await clock.advance(600_000);
    expect(reads).toHaveLength(1);
    world.isPaused = false;
    await clock.advance(60_000);
    expect(reads).toHaveLength(2);
  });

  it('is tried less and less often where it fails, and sends nothing while the service asks to wait', async () => {
    const { world, background, clock, timesOf } = aWorld();
    background.connectionsChanged([connectionWith('c', 1)]);
    world.services.set('c', 'fails');
    await clock.advance(1_200_000);
    expect(timesOf('e0')).toEqual([10_000, 70_000, 190_000, 430_000, 730_000, 1_030_000]);
    world.services.set('c', 'asks-to-wait');
    await clock.advance(600_000);
    expect(timesOf('e0')).toHaveLength(6);
    world.services.set('c', 'answers');
    await clock.advance(300_000);
    const times = timesOf('e0').slice(6);
    expect(times.length).toBeGreaterThanOrEqual(3);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBe(60_000);
  });

  it('tests a connection that is out of reach with one request, when its next try is due, and one without a key never', async () => {
    const { world, background, clock, reads, startMs } = aWorld();
    world.ways.set('c', { kind: 'probe', fromMs: startMs + 25_000 });
    world.ways.set('keyless', { kind: 'closed' });
    world.services.set('c', 'fails');
    background.connectionsChanged([connectionWith('c', 5), connectionWith('keyless', 5)]);
    await clock.advance(25_000);
    expect(reads.map(({ atMs }) => atMs)).toEqual([25_000]);
    world.ways.set('c', { kind: 'probe', fromMs: startMs + 40_000 });
    await clock.advance(15_000);
    expect(reads.map(({ atMs, endpointId }) => [atMs, endpointId])).toEqual([
      [25_000, 'e0'],
      [40_000, 'e1'],
    ]);
    // It answered: the others follow without waiting for the minute.
    world.services.set('c', 'answers');
    world.ways.set('c', { kind: 'probe', fromMs: startMs + 50_000 });
    await clock.advance(9_999);
    world.ways.set('c', { kind: 'open' });
    await clock.advance(10_000);
    expect(new Set(reads.slice(2).map(({ endpointId }) => endpointId))).toEqual(new Set(['e2', 'e3', 'e4']));
  });

  it('of more than sixty endpoints: those with rules of their own, then those used last', async () => {
    const { world, background, clock, reads } = aWorld();
    world.ownRules.add('e99');
    background.connectionsChanged([connectionWith('c', 10_000)]);
    background.used({ connectionId: 'c', endpointId: 'e5000' });
    await clock.advance(600_000);
    const ids = new Set(reads.map(({ endpointId }) => endpointId));
    expect(ids.size).toBe(60);
    expect([ids.has('e99'), ids.has('e5000'), ids.has('e0'), ids.has('e59')]).toEqual([true, true, true, false]);
    background.used({ connectionId: 'c', endpointId: 'e7000' });
    await clock.advance(120_000);
    expect(reads.slice(-200).some(({ endpointId }) => endpointId === 'e7000')).toBe(true);
  });

  it('keeps the facts of alerts valid and stays within its budget, whatever happens', async () => {
    const happening = fc.record({
      kind: fc.constantFrom('use', 'fail', 'answer', 'offline', 'online', 'no-key', 'pause', 'resume', 'read'),
      connection: fc.constantFrom('a', 'b', 'c'),
      endpoint: fc.integer({ min: 0, max: 19 }),
      ms: fc.integer({ min: 0, max: 150_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 5_000 }),
        async (happenings, slowMs) => {
          const { world, background, clock, reads, startMs } = aWorld({ slowMs });
          const noted: { connectionId: string; endpointId: string; atMs: number }[] = [];
          /** When each connection was last not readable, or everything was paused. */
          const brokenAtMs = new Map<string, number>(['a', 'b', 'c'].map((id) => [id, 0]));
          background.connectionsChanged(['a', 'b', 'c'].map((id) => connectionWith(id, 20)));
          const isWell = (id: string): boolean =>
            !world.isPaused && !world.ways.has(id) && world.services.get(id) !== 'fails';
          for (const { kind, connection, endpoint, ms } of happenings) {
            if (kind === 'use') background.used({ connectionId: connection, endpointId: `e${endpoint}` });
            if (kind === 'fail') world.services.set(connection, 'fails');
            if (kind === 'answer') world.services.delete(connection);
            if (kind === 'offline') world.ways.set(connection, { kind: 'probe', fromMs: clock.now() + 20_000 });
            if (kind === 'no-key') world.ways.set(connection, { kind: 'closed' });
            if (kind === 'online') world.ways.delete(connection);
            if (kind === 'pause') world.isPaused = true;
            if (kind === 'resume') world.isPaused = false;
            if (kind === 'read') {
              background.noted(aReading(connection, `e${endpoint}`, clock.now()));
              noted.push({ connectionId: connection, endpointId: `e${endpoint}`, atMs: clock.now() - startMs });
            }
            const wellBefore = ['a', 'b', 'c'].filter(isWell);
            const fromMs = clock.now() - startMs;
            await clock.advance(ms);
            for (const id of ['a', 'b', 'c']) if (!wellBefore.includes(id)) brokenAtMs.set(id, fromMs + ms);
          }
          const endMs = clock.now() - startMs;
          expect(clock.pending()).toBeLessThanOrEqual(1 + reads.length);
          for (const id of ['a', 'b', 'c']) {
            // Within the longest wait of one that failed, and its turn, everything is read again.
            const wellFromMs = Math.max(10_000, (brokenAtMs.get(id) ?? 0) + 300_000);
            for (let at = 0; at < 20; at += 1) {
              const times = [...reads, ...noted]
                .filter((one) => one.connectionId === id && one.endpointId === `e${at}`)
                .map(({ atMs }) => atMs)
                .toSorted((a, b) => a - b);
              for (let atMs = wellFromMs + readingValidMs; atMs < endMs; atMs += 10_000)
                expect(times.some((time) => time > atMs - readingValidMs && time <= atMs)).toBe(true);
            }
          }
          for (const [at, { atMs }] of reads.entries())
            expect((reads[at + 12]?.atMs ?? Infinity) - atMs).toBeGreaterThanOrEqual(1_000);
          const open = reads.filter(({ wasOpen }) => wasOpen);
          for (const of of Map.groupBy(open, (one) => `${one.connectionId} ${one.endpointId}`).values())
            for (const [at, { atMs }] of of.entries())
              expect((of[at + 1]?.atMs ?? Infinity) - atMs).toBeGreaterThanOrEqual(50_000);
          background.close();
          expect([world.troubles, world.crowdedProbes]).toEqual([0, 0]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
