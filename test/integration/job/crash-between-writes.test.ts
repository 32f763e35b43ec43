import { afterAll, expect, it } from 'vitest';
import { removeEngineFolders } from '../../kit/engine.ts';
import { playsAll } from '../../kit/plays-all.ts';
import { playCrashed, type Play } from './crash-between-writes/crashed-play.ts';
import type { CrashPoint } from './crash-between-writes/write-door.ts';
import type { RunPlan } from './crash-between-writes/timed-service.ts';

afterAll(removeEngineFolders);

const streamed: RunPlan = { end: 'COMPLETED', chunks: ['a', 'b', 'c', 'd', 'e'] };
const plain: RunPlan = { end: 'COMPLETED', output: { is: 'plain' } };
const fails: RunPlan = { end: 'FAILED' };

const batch = {
  name: 'three',
  inputs: ['one', 'two', 'three'].map((marker) => JSON.stringify({ marker, runs: [plain] })),
  draft: { connectionId: 'main', endpointId: 'echo', operation: 'run' as const },
};

const plays: Record<string, Play> = {
  'a submission with a stream': {
    async act({ submit, pass }) {
      await submit('one', streamed);
      await pass(25);
    },
  },
  'a batch': {
    async act({ engine, pass }) {
      await engine.jobs.batches.submit(batch);
      await pass(25);
    },
  },
  'a batch that is withdrawn': {
    async act({ engine, pass }) {
      const taken = await engine.jobs.batches.submit({ ...batch, limits: { maxLive: 1, stopAfterFailures: null } });
      if (!taken.ok || taken.value.kind !== 'accepted') throw new Error('The batch was refused.');
      await pass(3);
      await engine.jobs.batches.withdraw(taken.value.batch.id);
      await pass(20);
    },
  },
  'a retry': {
    async act({ engine, submit, pass }) {
      const { key } = await submit('one', fails, streamed);
      await pass(18);
      const retried = engine.jobs.retry(key);
      await pass(25);
      await retried;
    },
  },
  'a retry that meets the rate limit': {
    async act({ engine, service, submit, pass }) {
      const { key } = await submit('one', fails, streamed);
      await pass(18);
      service.limitRetries(2);
      const retried = engine.jobs.retry(key);
      await pass(40);
      await retried;
    },
  },
  'a cancel': {
    async act({ engine, submit, pass }) {
      const { key } = await submit('one', streamed);
      await pass(6);
      const cancelled = engine.jobs.cancel(key);
      await pass(10);
      await cancelled;
    },
  },
  'an output that comes after the end': {
    async act({ submit, pass }) {
      await submit('one', { ...plain, outputAfterMs: 20_000 });
      await pass(60);
    },
  },
  'two submissions that get one id': {
    hasOneId: true,
    async act({ submit, pass }) {
      await submit('one', { ...streamed, isOutputHidden: true });
      await pass(7);
      await submit('two', streamed);
      await pass(20);
    },
  },
};

/** The one crash of each play in an ordinary run. */
const ordinary: Record<keyof typeof plays, CrashPoint> = {
  // Its request left, and no answer came.
  'a submission with a stream': { writes: 1, isNextBegun: true },
  'a batch': { writes: 3, isNextBegun: true },
  'a batch that is withdrawn': { writes: 6, isNextBegun: false },
  // It left, and no answer came.
  'a retry': { writes: 10, isNextBegun: true },
  // It was marked as waiting, and is still journalled as perhaps sent.
  'a retry that meets the rate limit': { writes: 15, isNextBegun: false },
  'a cancel': { writes: 8, isNextBegun: false },
  'an output that comes after the end': { writes: 10, isNextBegun: true },
  'two submissions that get one id': { writes: 14, isNextBegun: false },
};

it.each(Object.entries(plays))(
  'a crash between any two writes of %s loses nothing, sends nothing twice and leaves nothing open',
  { timeout: 240_000 },
  async (name, play) => {
    const first = playsAll ? { writes: 0, isNextBegun: false } : ordinary[name];
    for (let point = first; point !== undefined;) {
      const { wasCrashed, complaints } = await playCrashed(play, point);
      expect({ point, complaints }).toEqual({ point, complaints: [] });
      const { writes, isNextBegun }: CrashPoint = point;
      if (!playsAll) {
        expect(wasCrashed).toBe(true);
        return;
      }
      if (!wasCrashed && isNextBegun) return;
      point = wasCrashed ? { writes: writes + 1, isNextBegun } : { writes: 0, isNextBegun: true };
    }
  },
);
