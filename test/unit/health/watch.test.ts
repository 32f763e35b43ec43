import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHealthWatch } from '../../../src-main/health/watch.ts';
import { createVirtualClock } from '../../kit/clock.ts';

function aWorld() {
  const clock = createVirtualClock();
  const reads: { endpointId: string; atMs: number }[] = [];
  const world = { clock, reads, isPaused: false, isRefused: false };
  const startMs = clock.now();
  const watch = createHealthWatch({
    clock,
    isPaused: () => world.isPaused,
    refresh: async (connectionId, endpointId) => {
      reads.push({ endpointId, atMs: clock.now() - startMs });
      if (world.isRefused) return { ok: false };
      watch.noted({ connectionId, endpointId, atMs: clock.now() });
      return { ok: true };
    },
  });
  return { world, watch, clock, reads, startMs };
}

const timesOf = (reads: { endpointId: string; atMs: number }[], endpointId: string): number[] =>
  reads.filter((read) => read.endpointId === endpointId).map(({ atMs }) => atMs);

describe('watched health', () => {
  it('is read immediately and every five seconds, and not once no window shows it', async () => {
    const { watch, clock, reads } = aWorld();
    expect(clock.pending()).toBe(0);
    watch.set(1, 'c', ['text']);
    await clock.advance(20_000);
    expect(timesOf(reads, 'text')).toEqual([0, 5_000, 10_000, 15_000, 20_000]);
    watch.set(1, 'c', []);
    expect(clock.pending()).toBe(0);
    await clock.advance(60_000);
    expect(reads).toHaveLength(5);
  });

  it('is not read if the tracker did so within the last five seconds', async () => {
    const { watch, clock, reads } = aWorld();
    const tracker = async (): Promise<void> => {
      watch.noted({ connectionId: 'c', endpointId: 'text', atMs: clock.now() });
      await clock.advance(4_000);
    };
    await tracker();
    watch.set(1, 'c', ['text']);
    for (let read = 0; read < 10; read += 1) await tracker();
    // It was read four seconds before the window came, which is all: the tracker continues on its own.
    expect(reads).toEqual([]);
    await clock.advance(1_000);
    expect(reads).toHaveLength(1);
  });

  it('is read once for several windows, until the last of them closes', async () => {
    const { watch, clock, reads } = aWorld();
    watch.set(1, 'c', ['text', 'image']);
    watch.set(2, 'c', ['text']);
    expect(clock.pending()).toBe(1);
    await clock.advance(10_000);
    expect([timesOf(reads, 'text'), timesOf(reads, 'image')]).toEqual([
      [0, 5_000, 10_000],
      [0, 5_000, 10_000],
    ]);
    watch.forget(1);
    await clock.advance(10_000);
    expect([timesOf(reads, 'text').length, timesOf(reads, 'image').length]).toEqual([5, 3]);
    watch.forget(2);
    expect(clock.pending()).toBe(0);
  });

  it('waits while no window is visible, and while everything is paused', async () => {
    const { world, watch, clock, reads } = aWorld();
    watch.set(1, 'c', ['text']);
    await clock.advance(0);
    watch.setVisible(false);
    expect(clock.pending()).toBe(0);
    await clock.advance(60_000);
    expect(reads).toHaveLength(1);
    watch.setVisible(true);
    await clock.advance(0);
    expect(reads).toHaveLength(2);
    world.isPaused = true;
    await clock.advance(60_000);
    expect(reads).toHaveLength(2);
    world.isPaused = false;
    await clock.advance(5_000);
    expect(reads).toHaveLength(3);
  });

  it('is tried ever less often while it cannot be read, and soon again once it can', async () => {
    const { world, watch, clock, reads } = aWorld();
    world.isRefused = true;
    watch.set(1, 'c', ['text']);
    await clock.advance(300_000);
    expect(timesOf(reads, 'text')).toEqual([0, 10_000, 30_000, 70_000, 130_000, 190_000, 250_000]);
    world.isRefused = false;
    await clock.advance(30_000);
    expect(timesOf(reads, 'text').slice(7)).toEqual([310_000, 315_000, 320_000, 325_000, 330_000]);
  });

  it('takes six requests a second at most, two on average, and one in five seconds per endpoint, whatever windows watch', async () => {
    const change = fc.record({
      window: fc.integer({ min: 1, max: 3 }),
      endpoints: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 30 }),
      ms: fc.integer({ min: 0, max: 20_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const { watch, clock, reads } = aWorld();
        for (const { window, endpoints, ms } of changes) {
          watch.set(
            window,
            'c',
            endpoints.map((endpoint) => `e${endpoint}`),
          );
          expect(clock.pending()).toBeLessThanOrEqual(1);
          await clock.advance(ms);
        }
        for (const of of Map.groupBy(reads, ({ endpointId }) => endpointId).values()) {
          for (const [at, read] of of.entries())
            if (at > 0) expect(read.atMs - (of[at - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(5_000);
        }
        for (const [at, read] of reads.entries())
          expect((reads[at + 12]?.atMs ?? Infinity) - read.atMs).toBeGreaterThanOrEqual(1_000);
        for (const of of Map.groupBy(reads, ({ atMs }) => atMs).values()) expect(of.length).toBeLessThanOrEqual(6);
        watch.close();
        expect(clock.pending()).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});
