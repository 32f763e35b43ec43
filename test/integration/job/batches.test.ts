import { describe, expect, it } from 'vitest';
import { noBatchLimits, type Batch } from '../../../src-preload/batch.ts';
import type { BatchRequest } from '../../../src-preload/batch-schema.ts';
import type { Job } from '../../../src-preload/job.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import type { History } from '../../../src-main/history/history.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { turnsUntil } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { engineSceneForEachTest } from '../../kit/engine-scene.ts';

const scene = engineSceneForEachTest();

const inputsOf = (count: number, input: (row: number) => unknown = (row) => ({ row })): string[] =>
  Array.from({ length: count }, (_, index) => JSON.stringify(input(index + 1)));

function request(inputs: string[], changes: Partial<BatchRequest['draft']> = {}): BatchRequest {
  return { name: 'Nightly', inputs, draft: { connectionId: 'main', endpointId: 'echo', operation: 'run', ...changes } };
}

async function submitted(inputs: string[], changes: Partial<BatchRequest['draft']> = {}): Promise<Batch> {
  return taken(await scene.engine.jobs.batches.submit(request(inputs, changes)));
}

function taken(result: Awaited<ReturnType<TestEngine['jobs']['batches']['submit']>>): Batch {
  if (!result.ok || result.value.kind !== 'accepted') throw new Error(JSON.stringify(result));
  return result.value.batch;
}

async function batchNow(id: string): Promise<Batch> {
  const [batch] = await scene.engine.history.batchesById([id]);
  if (batch === undefined) throw new Error('There is no such batch.');
  return batch;
}

/** The batch as soon as it passes: as saved, or as reported. */
async function untilBatch(id: string, check: (batch: Batch) => boolean): Promise<Batch> {
  let found: Batch | undefined = await batchNow(id);
  if (check(found)) return found;
  await scene.engine.eventually(() => {
    found = scene.engine.batches.findLast((batch) => batch.id === id);
    return found !== undefined && check(found);
  });
  if (found === undefined) throw new Error('Never told of.');
  return found;
}

async function rowsOf(id: string): Promise<Job[]> {
  return (await scene.engine.history.batchRows(id, null, 10_000)).map(({ job }) => job);
}

const submissionsTaken = (): string[] =>
  scene.sandbox
    .transitions()
    .filter(({ cause }) => cause === 'submitted')
    .map(({ jobId }) => jobId);

/** A clock that stands still: a window of the rate limit, with ten submissions, ends only when the test says so. */
async function restartWithTenInAWindow(): Promise<VirtualClock> {
  const clock = createVirtualClock(Date.now(), () => scene.engine.settle());
  await scene.restart('close', { share: { rateShare: 0.01, concurrencyShare: 0.5 }, clock });
  return clock;
}

describe('a batch', () => {
  it('sends every row once, in order, and every row has its own outcome', async () => {
    const batch = await submitted(inputsOf(30), { tags: ['eval'], policy: { ttl: 60_000 } });
    expect(batch).toMatchObject({ name: 'Nightly', total: 30, isPaused: false, endpointId: 'echo', operation: 'run' });
    const done = await untilBatch(batch.id, ({ counts }) => counts.completed === 30);
    expect(Object.values(done.counts).reduce((sum, count) => sum + count)).toBe(30);
    await scene.engine.eventually(() => scene.engine.endedBatches.length > 0);
    expect(scene.engine.endedBatches).toEqual([done]);
    const rows = await rowsOf(batch.id);
    expect(rows.map(({ batchRow }) => batchRow)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(rows.every(({ tags, policy }) => tags[0] === 'eval' && policy.ttl === 60_000)).toBe(true);
    expect(await scene.engine.output(rows[6]?.key ?? '')).toMatchObject({ row: 7 });
    expect(submissionsTaken()).toEqual(rows.map(({ jobId }) => jobId));
    expect(
      (await scene.engine.history.list({ ...emptyFilter, batchId: batch.id, statuses: ['completed'] }, null, 100))
        .total,
    ).toBe(30);
  });

  it('is slowed by the rate limit and loses nothing', async () => {
    scene.sandbox.setFault({ kind: 'status', status: 429, operation: 'run', times: 3 });
    const batch = await submitted(inputsOf(20));
    const done = await untilBatch(batch.id, ({ counts }) => counts.completed === 20);
    expect(done.counts).toMatchObject({ refused: 0, unknown: 0, waiting: 0 });
    expect(submissionsTaken()).toHaveLength(20);
  });

  it('keeps within the governor’s limits', async () => {
    const clock = await restartWithTenInAWindow();
    const batch = await submitted(inputsOf(12));
    await clock.advance(9_000);
    expect((await batchNow(batch.id)).counts).toMatchObject({ waiting: 2, sending: 0 });
    expect(submissionsTaken()).toHaveLength(10);
    await clock.advance(2_000);
    expect(submissionsTaken()).toHaveLength(12);
  });

  it('lets a job submitted separately go first', async () => {
    const clock = await restartWithTenInAWindow();
    const batch = await submitted(inputsOf(30));
    await clock.advance(0);
    expect((await batchNow(batch.id)).counts).toMatchObject({ waiting: 20, sending: 0 });
    const alone = await scene.engine.submit({ endpointId: 'echo', input: { alone: true } });
    await clock.advance(11_000);
    const sent = await scene.engine.history.get(alone.key);
    expect(submissionsTaken()[10]).toBe(sent?.job.jobId);
  });

  it('has a row of unknown outcome if the answer was lost, and does not send it again', async () => {
    scene.sandbox.setFault({ kind: 'drop-after-accept', operation: 'run', times: 1 });
    const batch = await submitted(inputsOf(8));
    const done = await untilBatch(batch.id, ({ counts }) => counts.completed + counts.unknown === 8);
    expect(done.counts).toMatchObject({ completed: 7, unknown: 1 });
    expect(submissionsTaken()).toHaveLength(8);
    expect(await scene.engine.jobs.batches.submitFailed(batch.id)).toMatchObject({
      ok: false,
      failure: { kind: 'refused' },
    });
  });

  it('continues past a row that the service refuses', async () => {
    scene.sandbox.setFault({ kind: 'status', status: 422, operation: 'run', times: 1 });
    const batch = await submitted(inputsOf(6));
    expect((await untilBatch(batch.id, ({ counts }) => counts.completed === 5)).counts).toMatchObject({ refused: 1 });
  });
});

describe('invalid rows', () => {
  it('are all named, and then nothing is saved or sent', async () => {
    const result = await scene.engine.jobs.batches.submit(request(['{"a":1}', '[1]', '{"a":1}', '{"a":']));
    const rows = result.ok && result.value.kind === 'refused' ? result.value.rows : [];
    expect(rows.map(({ row }) => row)).toEqual([2, 4]);
    expect(rows[0]?.message).toMatch(/must be an object/);
    expect((await scene.engine.history.batches(null)).batches).toEqual([]);
    expect((await scene.engine.history.list(emptyFilter, null, 1)).allTotal).toBe(0);
    expect(submissionsTaken()).toEqual([]);
  });

  it('are reported before the policy is checked', async () => {
    const result = await scene.engine.jobs.batches.submit(request(['{}'], { policy: { ttl: 5 } }));
    expect(result).toMatchObject({ ok: true, value: { kind: 'refused', rows: [{ row: 1 }] } });
  });
});

describe('a paused batch', () => {
  it('sends nothing, holds up no other job, and stays paused over a restart', async () => {
    scene.engine.jobs.pause();
    const batch = await submitted(inputsOf(5));
    expect((await scene.engine.jobs.batches.setPaused(batch.id, true)).ok).toBe(true);
    scene.engine.jobs.resume();
    const alone = await scene.engine.submit({ endpointId: 'echo', input: { alone: true } });
    expect(alone.phase).toBe('submitting');
    await scene.engine.untilEnd(alone.key);
    expect(submissionsTaken()).toHaveLength(1);

    await scene.restart('crash');
    expect(await batchNow(batch.id)).toMatchObject({ isPaused: true, counts: { waiting: 5 } });
    const second = await scene.engine.submit({ endpointId: 'echo', input: { alone: 2 } });
    await scene.engine.untilEnd(second.key);
    expect(submissionsTaken()).toHaveLength(2);

    expect((await scene.engine.jobs.batches.setPaused(batch.id, false)).ok).toBe(true);
    await untilBatch(batch.id, ({ counts }) => counts.completed === 5);
    expect(submissionsTaken()).toHaveLength(7);
  });

  it('can be withdrawn: unsent rows are cancelled, sent ones continue', async () => {
    const clock = await restartWithTenInAWindow();
    const batch = await submitted(inputsOf(60));
    await clock.advance(0);
    expect((await batchNow(batch.id)).counts).toMatchObject({ waiting: 50 });
    const after = await scene.engine.jobs.batches.withdraw(batch.id);
    expect(after).toMatchObject({ ok: true, value: { isPaused: false, counts: { waiting: 0, cancelled: 50 } } });
    await turnsUntil(() => scene.sandbox.transitions().filter(({ to }) => to === 'COMPLETED').length === 10);
    await clock.advance(60_000);
    expect((await batchNow(batch.id)).counts).toMatchObject({ completed: 10, cancelled: 50 });
    expect(submissionsTaken()).toHaveLength(10);
  });
});

describe('a batch that is withdrawn', () => {
  it('while a row is on its way sends that row no more if the service did not accept it', async () => {
    const isSending = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await scene.restart('close', {
      wrapApi: (api) => ({
        ...api,
        async run(...args) {
          isSending.resolve();
          await goOn.promise;
          return await api.run(...args);
        },
      }),
    });
    scene.sandbox.setFault({ kind: 'status', status: 429, operation: 'run', times: 1 });
    const limits = { ...noBatchLimits, maxLive: 1 };
    const batch = taken(await scene.engine.jobs.batches.submit({ ...request(inputsOf(3)), limits }));
    await isSending.promise;
    await scene.engine.jobs.batches.withdraw(batch.id);
    goOn.resolve();
    await untilBatch(batch.id, ({ counts }) => counts.cancelled === 3);
    const other = await scene.engine.submit({ endpointId: 'echo', input: { alone: true } });
    await scene.engine.untilEnd(other.key);
    expect(submissionsTaken()).toHaveLength(1);
  });

  it('sends nothing after the disk refused in the middle of it, nor at the next start', async () => {
    await scene.restart('close', {
      wrapHistory: (history): History => ({
        ...history,
        commit: (changes) =>
          changes.some(({ job }) => job.reason?.kind === 'withdrawn')
            ? Promise.reject(new Error('The disk is full; nothing was saved.'))
            : history.commit(changes),
      }),
    });
    scene.engine.jobs.pause();
    const batch = await submitted(inputsOf(3));
    expect(await scene.engine.jobs.batches.withdraw(batch.id)).toMatchObject({ ok: false });
    await scene.restart('crash');
    const other = await scene.engine.submit({ endpointId: 'echo', input: { alone: true } });
    await scene.engine.untilEnd(other.key);
    expect(submissionsTaken()).toHaveLength(1);
    expect(await batchNow(batch.id)).toMatchObject({ isPaused: true, counts: { waiting: 3 } });
  });
});

describe('a batch with limits', () => {
  const failing = (count: number): string[] =>
    inputsOf(count, (row) => ({ title: `row ${row}`, mock_error: 'broken' }));

  async function limited(inputs: string[], limits: Partial<Batch['limits']>): Promise<Batch> {
    const wanted = { ...request(inputs, { endpointId: 'mock' }), limits: { ...noBatchLimits, ...limits } };
    return taken(await scene.engine.jobs.batches.submit(wanted));
  }

  it('has no more rows on the service at the same time than allowed, sends them all eventually, and holds up no other job', async () => {
    const batch = await limited(
      inputsOf(7, (row) => ({ title: `row ${row}`, mock_delay: 60 })),
      { maxLive: 2 },
    );
    const alone = await scene.engine.submit({ endpointId: 'echo', input: { alone: true } });
    await scene.engine.untilEnd(alone.key);
    await untilBatch(batch.id, ({ counts }) => counts.completed === 7);
    let live = 0;
    let max = 0;
    for (const { to: state, endpointId } of scene.sandbox.transitions()) {
      if (endpointId !== 'mock') continue;
      live += state === 'IN_QUEUE' ? 1 : state === 'COMPLETED' ? -1 : 0;
      max = Math.max(max, live);
    }
    expect(max).toBe(2);
  });

  it('stops at its failure limit, even over a restart, and allows as many again when it is resumed', async () => {
    const batch = await limited(failing(7), { maxLive: 1, stopAfterFailures: 2 });
    const stopped = await untilBatch(batch.id, (each) => each.isPaused);
    expect(stopped).toMatchObject({ failuresLeft: 0, counts: { failed: 2, waiting: 5 } });
    await scene.engine.eventually(() => scene.engine.stoppedBatches.length > 0);
    expect(scene.engine.stoppedBatches).toEqual([stopped]);

    await scene.restart('crash');
    const other = await scene.engine.submit({ endpointId: 'echo', input: { alone: true } });
    await scene.engine.untilEnd(other.key);
    expect(submissionsTaken()).toHaveLength(3);

    expect(await scene.engine.jobs.batches.setPaused(batch.id, false)).toMatchObject({
      ok: true,
      value: { failuresLeft: 2 },
    });
    const again = await untilBatch(batch.id, (each) => each.isPaused && each.counts.failed === 4);
    expect(again).toMatchObject({ failuresLeft: 0, counts: { waiting: 3 } });
    expect(submissionsTaken()).toHaveLength(5);
  });

  it('stops even if the disk refuses to save that, and stays stopped at the next start', async () => {
    await scene.restart('close', {
      wrapHistory: (history): History => ({
        ...history,
        setBatchPaused: () => Promise.reject(new Error('The disk is full; nothing was saved.')),
      }),
    });
    const batch = await limited(failing(4), { maxLive: 1, stopAfterFailures: 1 });
    await untilBatch(batch.id, ({ counts }) => counts.failed === 1);
    const other = await scene.engine.submit({ endpointId: 'echo', input: { alone: true } });
    await scene.engine.untilEnd(other.key);
    expect(submissionsTaken()).toHaveLength(2);
    expect(await batchNow(batch.id)).toMatchObject({ isPaused: false, failuresLeft: 0 });

    await scene.restart('crash');
    expect(await batchNow(batch.id)).toMatchObject({ isPaused: true, failuresLeft: 0, counts: { waiting: 3 } });
  });

  it('sends no row that was being prepared when the batch was paused', async () => {
    const isPreparing = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await scene.restart('close', {
      wrapHistory: (history): History => ({
        ...history,
        async get(key) {
          isPreparing.resolve();
          await goOn.promise;
          return await history.get(key);
        },
      }),
    });
    const batch = await limited(inputsOf(2), { maxLive: 1 });
    await isPreparing.promise;
    await scene.engine.jobs.batches.setPaused(batch.id, true);
    goOn.resolve();
    const other = await scene.engine.submit({ endpointId: 'echo', input: { alone: true } });
    await scene.engine.untilEnd(other.key);
    expect(submissionsTaken()).toHaveLength(1);
    expect(await batchNow(batch.id)).toMatchObject({ isPaused: true, counts: { waiting: 2 } });
  });

  it('counts no failure of other jobs, and no longer a row that was fixed', async () => {
    const batch = await limited(
      inputsOf(6, (row) => ({ title: `row ${row}`, ...(row === 2 ? { mock_error: 'broken' } : {}) })),
      { stopAfterFailures: 2 },
    );
    await scene.engine.untilEnd(
      (await scene.engine.submit({ endpointId: 'mock', input: { mock_error: 'alone' } })).key,
    );
    const done = await untilBatch(batch.id, ({ counts }) => counts.completed === 5 && counts.failed === 1);
    expect(done).toMatchObject({ isPaused: false, failuresLeft: 1 });
    expect(scene.engine.stoppedBatches).toEqual([]);
  });
});

describe('a crash', () => {
  it('between journal and sending keeps all rows, and the next start sends each once', async () => {
    scene.engine.jobs.pause();
    const batch = await submitted(inputsOf(100));
    await scene.restart('crash');
    const done = await untilBatch(batch.id, ({ counts }) => counts.completed === 100);
    expect(submissionsTaken()).toHaveLength(100);
    expect(Object.values(done.counts).reduce((sum, count) => sum + count)).toBe(100);
  });

  it('while rows are being sent accounts for every one of them, and sends none twice', async () => {
    // Ten at a time: at each crash at most ten are on their way, or are answered and not yet saved.
    const share = { rateShare: 0.25, concurrencyShare: 0.05 };
    await scene.restart('close', { share });
    const batch = await submitted(inputsOf(60));
    for (const sent of [15, 35]) {
      await scene.engine.eventually(() => submissionsTaken().length >= sent);
      await scene.restart('crash', { share });
    }
    const done = await untilBatch(batch.id, ({ counts }) => counts.completed + counts.unknown === 60);
    expect(done.counts.unknown).toBeLessThanOrEqual(20);
    expect(submissionsTaken().length).toBeLessThanOrEqual(60);
    const ids = (await rowsOf(batch.id)).flatMap(({ jobId }) => (jobId === null ? [] : [jobId]));
    expect(new Set(ids).size).toBe(done.counts.completed);
  });

  it('at any moment finds no more rows marked as leaving than may be on their way, with a slow disk', async () => {
    const leaving = new Set<string>();
    let maxLeaving = 0;
    await scene.restart('close', {
      share: { rateShare: 0.25, concurrencyShare: 0.05 },
      wrapHistory: (history): History => ({
        ...history,
        commit: async (changes) => {
          // Time for answers and further plans, as while a disk is busy.
          for (let turn = 0; turn < 20; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
          const saved = await history.commit(changes);
          for (const { job } of changes) {
            if (job.phase === 'submitting') leaving.add(job.key);
            else leaving.delete(job.key);
          }
          maxLeaving = Math.max(maxLeaving, leaving.size);
          return saved;
        },
      }),
    });
    const batch = await submitted(inputsOf(60));
    await untilBatch(batch.id, ({ counts }) => counts.completed === 60);
    expect(maxLeaving).toBeGreaterThan(1);
    expect(maxLeaving).toBeLessThanOrEqual(10);
    expect(submissionsTaken()).toHaveLength(60);
  });

  it('while the rows are written leaves none of them', async () => {
    await scene.restart('close', {
      wrapHistory: (history): History => ({
        ...history,
        insertBatch: () => Promise.reject(new Error('The disk is full; nothing was saved.')),
      }),
    });
    expect(await scene.engine.jobs.batches.submit(request(inputsOf(120)))).toMatchObject({
      ok: false,
      failure: { kind: 'storage', message: expect.stringContaining('The disk is full') },
    });
    expect(scene.engine.jobs.trackerState().waitingToSend).toBe(0);
    await scene.restart('crash');
    expect((await scene.engine.history.list(emptyFilter, null, 1)).allTotal).toBe(0);
    expect(submissionsTaken()).toEqual([]);
  });
});

describe('the failed rows of a batch', () => {
  it('can be submitted again as a batch of their own, with the shared settings', async () => {
    const batch = await submitted(
      inputsOf(6, (row) => ({ title: `row ${row}`, ...(row % 3 === 0 ? { mock_error: 'broken' } : {}) })),
      { endpointId: 'mock', tags: ['kept'], policy: { ttl: 70_000 } },
    );
    await untilBatch(batch.id, ({ counts }) => counts.completed === 4 && counts.failed === 2);
    const again = taken(await scene.engine.jobs.batches.submitFailed(batch.id));
    expect(again).toMatchObject({ name: 'Nightly (2nd run)', total: 2, endpointId: 'mock' });
    const rows = await rowsOf(again.id);
    expect(rows.map(({ title, tags, policy, batchRow }) => [title, tags, policy.ttl, batchRow])).toEqual([
      ['row 3', ['kept'], 70_000, 1],
      ['row 6', ['kept'], 70_000, 2],
    ]);
    await untilBatch(again.id, ({ counts }) => counts.failed === 2);
    expect(taken(await scene.engine.jobs.batches.submitFailed(again.id)).name).toBe('Nightly (3rd run)');
  });

  it('are submitted once, even if another window asks for that a moment later', async () => {
    const batch = await submitted(
      inputsOf(2, () => ({ mock_error: 'broken' })),
      { endpointId: 'mock' },
    );
    await untilBatch(batch.id, ({ counts }) => counts.failed === 2);
    const { jobs } = scene.engine;
    const [first] = await rowsOf(batch.id);
    expect((await jobs.resubmit(first?.key ?? '')).ok).toBe(true);
    // One was submitted again alone, and the other one is now.
    expect(taken(await jobs.batches.submitFailed(batch.id)).total).toBe(1);
    expect(await jobs.batches.submitFailed(batch.id)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
  });

  it('are submitted once by two clicks at the same time', async () => {
    const batch = await submitted(
      inputsOf(2, () => ({ mock_error: 'broken' })),
      { endpointId: 'mock' },
    );
    await untilBatch(batch.id, ({ counts }) => counts.failed === 2);
    const { batches } = scene.engine.jobs;
    const clicks = await Promise.all([batches.submitFailed(batch.id), batches.submitFailed(batch.id)]);
    expect(clicks).toMatchObject([{ ok: true }, { ok: false, failure: { kind: 'refused' } }]);
    expect(await batches.list(null)).toMatchObject({ ok: true, value: { batches: { length: 2 } } });
  });
});
