import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src-main/sandbox/faults/faults.ts';
import { removeEngineFolders } from '../../kit/engine.ts';
import { createScene } from './one-clock/scene.ts';
import type { Scene } from './one-clock/scene.ts';

const secondMs = 1_000;
/** A job that runs beyond its ttl of 30 s, with a chunk at each of these. */
const chunkTimesMs = [3, 12, 19].map((atS) => atS * secondMs);
const chunks = chunkTimesMs.map((atMs, index) => ({ atMs, value: { index } }));

let scene: Scene;
afterEach(() => scene.close());
afterAll(removeEngineFolders);

/** What is kept of the stream once the ttl has ended the job. */
async function keptUnder(faults: FaultRule[]): Promise<string[]> {
  scene = await createScene({ seed: 1, endpoints: ['llm'], workers: 1, sandbox: { faults } });
  const { history } = await scene.open();
  const { key } = await scene.submit({
    marker: 'job 1',
    draft: { endpointId: 'llm', operation: 'run', policy: { ttl: 30 * secondMs } },
    runs: [{ durationMs: 60 * secondMs, chunks, end: { command: 'return', value: null } }],
  });
  await scene.settle();
  await scene.clock.advanceTo(scene.clock.now() + 35 * secondMs);
  return (await history.chunks(key, 1, 0, 100)).map(({ outputJson }) => outputJson);
}

describe('the last read before the ttl deletes the stream (ruling 37)', () => {
  it.each<[string, FaultRule]>([
    ['a read hangs', { kind: 'hang', operation: 'stream', times: 1, fromMs: 14 * secondMs }],
    ['the last reads hang', { kind: 'hang', operation: 'stream', times: 3, fromMs: 19_500 }],
    [
      'reads of streams were refused a while ago',
      { kind: 'status', status: 401, operation: 'stream', fromMs: 14 * secondMs, forMs: 8 * secondMs },
    ],
  ])('happens even if %s', async (_, fault) => {
    expect(await keptUnder([fault])).toEqual(chunks.map(({ value }) => JSON.stringify(value)));
  });
});
