import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src-main/sandbox/faults/faults.ts';
import type { RequestRecord } from '../../../src-preload/job.ts';
import { removeEngineFolders, startStillEngine, to } from '../../kit/engine.ts';
import { createScene } from './one-clock/scene.ts';
import type { Scene } from './one-clock/scene.ts';
import type { Answer } from './ordinary-answers.ts';
import { createScriptedService } from './scripted-service.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const chunks = [2, 8, 100].map((atS, index) => ({ atMs: atS * secondMs, value: { index } }));
/** A thousandth as long on its way, which is refused. */
const beyond: FaultRule = { kind: 'compressed', sizeBytes: 2_000_000, operation: 'stream' };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(removeEngineFolders);

/** A job of two minutes that fails, so that nothing but its stream tells its chunks. */
async function polling(fault: FaultRule): Promise<{ scene: Scene; key: string }> {
  const scene = await createScene({
    seed: 1,
    endpoints: ['llm'],
    workers: 1,
    sandbox: { dialect: 'observed', faults: [fault] },
  });
  closing.push(scene.close);
  await scene.open();
  const { key } = await scene.submit({
    marker: 'job 1',
    draft: { endpointId: 'llm', operation: 'run' },
    runs: [{ durationMs: 2 * minuteMs, chunks, end: { command: 'fail', message: 'in the end' } }],
  });
  await scene.settle();
  return { scene, key };
}

async function readsOf({ scene, key }: { scene: Scene; key: string }): Promise<RequestRecord[]> {
  const requests = await scene.running().history.requests(key);
  return requests.filter(({ operation }) => operation === 'stream').toSorted((a, b) => a.atMs - b.atMs);
}

describe('a stream read answered beyond the limits (ruling 43)', () => {
  it('ends nothing while the job is live', async () => {
    const { scene, key } = await polling({ ...beyond, fromMs: 3 * secondMs, forMs: 10 * secondMs });
    await scene.clock.advanceTo(scene.clock.now() + 110 * secondMs);
    const kept = await scene.running().history.chunks(key, 1, 0, 100);
    expect(kept.map(({ outputJson }) => outputJson)).toEqual(chunks.map(({ value }) => JSON.stringify(value)));
  });

  it('ends nothing after the end either, however often', async () => {
    const bad: Answer = { kind: 'huge', bytes: 70_000_000 };
    const answers: Answer[] = [bad, bad, bad, { body: [{ output: 'kept' }] }];
    const service = await createScriptedService({
      status: [{ body: { id: 'job-1', status: 'FAILED', error: 'in the end' } }],
      stream: [() => answers.shift() ?? { body: [] }],
    });
    const { engine, clock } = await startStillEngine({ connections: to(service) });
    closing.push(engine.close, service.close);
    const { key } = await engine.submit({});
    await clock.advance(5 * minuteMs);
    expect(await engine.chunks(key)).toHaveLength(1);
    expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'finished', chunkCount: 1 });
  });

  it('is repeated ever more rarely until the result expires, and the same reply is not read to its end', async () => {
    const followed = await polling({ ...beyond, fromMs: 20 * secondMs });
    const { clock, running } = followed.scene;
    await clock.advanceTo(clock.now() + 20 * minuteMs);
    expect((await running().history.get(followed.key))?.job.phase).toBe('active');
    const last = (await readsOf(followed)).slice(-10);
    const pauses = last.slice(1).map(({ atMs }, at) => atMs - (last[at]?.atMs ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(30 * secondMs);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60 * secondMs);
    expect(last.filter(({ note }) => note?.includes('begins like an earlier one') !== true)).toEqual([]);

    await clock.advanceTo(clock.now() + 20 * minuteMs);
    expect((await running().history.get(followed.key))?.job).toMatchObject({ phase: 'finished', status: 'FAILED' });
  });
});
