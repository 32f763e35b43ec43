import { expect, it } from 'vitest';
import { createUnreadBatches } from '../../../src-main/engine/unread-batches.ts';
import { createVirtualClock } from '../../kit/clock.ts';

it('batches that could not be read are read again after growing pauses, until they can be', async () => {
  const clock = createVirtualClock();
  const readsMs: number[] = [];
  let unread = 1;
  const batches = createUnreadBatches({
    clock,
    async readAgain() {
      readsMs.push(clock.now() - startMs);
      // The history does not answer the second time.
      if (readsMs.length === 2) throw new Error('The history is locked.');
      batches.noted(unread);
    },
  });
  const startMs = clock.now();
  batches.noted(0);
  expect(clock.pending()).toBe(0);
  // Counts that come with other changes do not make it later, or more often.
  for (const atMs of [0, 100, 200]) {
    await clock.advance(startMs + atMs - clock.now());
    batches.noted(1);
  }
  await clock.advance(60_000);
  expect(readsMs).toEqual([1_000, 3_000, 7_000, 15_000, 31_000]);
  unread = 0;
  await clock.advance(30_000);
  expect(readsMs).toHaveLength(6);
  expect(clock.pending()).toBe(0);
  batches.noted(1);
  expect((clock.nextAtMs() ?? 0) - clock.now()).toBe(1_000);
});

it('a batch that can never be read costs a hundred reads a day', async () => {
  const clock = createVirtualClock();
  let reads = 0;
  const batches = createUnreadBatches({
    clock,
    readAgain: async () => {
      reads += 1;
      batches.noted(1);
    },
  });
  batches.noted(1);
  await clock.advance(24 * 3_600_000);
  expect(reads).toBe(104);
});

it('nothing is read when Jobdeck closes', async () => {
  const clock = createVirtualClock();
  const batches = createUnreadBatches({ clock, readAgain: async () => batches.noted(1) });
  batches.noted(1);
  batches.close();
  batches.noted(1);
  expect(clock.pending()).toBe(0);
});
