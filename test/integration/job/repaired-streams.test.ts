import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import { startEngine, to } from '../../kit/engine.ts';
import { openStreamPane } from '../../kit/stream-pane.ts';
import { engineSceneForEachTest } from '../../kit/engine-scene.ts';

const scene = engineSceneForEachTest();

const sent = Array.from({ length: 12 }, (_, at) => `chunk ${at}`);

/** A stream that is read while it runs. */
async function streamed(): Promise<Job> {
  const job = await scene.engine.submit({ endpointId: 'mock', input: { mock_stream: sent, mock_delay: 150 } });
  scene.engine.jobs.setOnView([job.key], []);
  return job;
}

/** Drops replies of the stream until one of them had chunks. */
async function dropChunks(): Promise<void> {
  scene.sandbox.setFault({ kind: 'drop-after-accept', operation: 'stream' });
  await scene.engine.eventually(() =>
    scene.sandbox.requestLog
      .since(0)
      .some(({ fault, sentChunks }) => fault !== null && sentChunks !== null && sentChunks.to > sentChunks.from),
  );
  scene.sandbox.setFault(null);
}

async function kept(key: string): Promise<{ outputs: unknown[]; rebuilt: unknown[] }> {
  const chunks = await scene.engine.history.chunks(key, 1, 0, 1_000);
  const outputOf = ({ outputJson }: { outputJson: string }): unknown => JSON.parse(outputJson);
  return { outputs: chunks.map(outputOf), rebuilt: chunks.filter(({ isRebuilt }) => isRebuilt === true).map(outputOf) };
}

describe('a reply of the stream that never arrives', () => {
  it('leaves no hole: its chunks are rebuilt from the output, and marked', async () => {
    const job = await streamed();
    await scene.engine.until(job.key, ({ chunkCount }) => chunkCount > 1);
    await dropChunks();
    const end = await scene.engine.untilEnd(job.key);
    const { outputs, rebuilt } = await kept(job.key);
    expect(outputs).toEqual(sent);
    expect(end).toMatchObject({ status: 'COMPLETED', chunkCount: sent.length });
    expect(rebuilt.length).toBeGreaterThan(0);
    expect(rebuilt.length).toBeLessThan(sent.length - 1);
  });

  it('appears in an open pane as soon as the job is over', async () => {
    const job = await streamed();
    const pane = openStreamPane(scene.engine, job.key);
    await scene.engine.eventually(() => pane.reading.log.chunkCount > 1);
    await dropChunks();
    await scene.engine.untilEnd(job.key);
    await scene.engine.eventually(pane.isOver);
    const { rebuilt } = await kept(job.key);
    expect(rebuilt.length).toBeGreaterThan(0);
    expect(pane.text()).toBe(sent.join(''));
    expect(pane.reading.log.chunkCount).toBe(sent.length);
  });

  it('is repaired by the next start if the app crashed before', async () => {
    const job = await streamed();
    await scene.engine.until(job.key, ({ chunkCount }) => chunkCount > 1);
    await dropChunks();
    scene.sandbox.setFault({ kind: 'hang', operation: 'stream' });
    await scene.engine.until(job.key, ({ status }) => status === 'COMPLETED');
    await scene.engine.crash();
    scene.sandbox.setFault(null);
    scene.engine = await startEngine({ connections: to(scene.sandbox), dataDir: scene.engine.dataDir });
    await scene.engine.untilEnd(job.key);
    const { outputs, rebuilt } = await kept(job.key);
    expect(outputs).toEqual(sent);
    expect(rebuilt.length).toBeGreaterThan(0);
  });

  it('creates no stream for a job that only returned a list', async () => {
    const job = await scene.engine.submit({ endpointId: 'mock', input: { mock_return: sent, mock_delay: 60 } });
    scene.sandbox.setFault({ kind: 'drop-after-accept', operation: 'stream', times: 1 });
    expect(await scene.engine.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', chunkCount: 0 });
    expect(await scene.engine.output(job.key)).toEqual(sent);
  });
});

describe('a stream that the service refuses from some point on', () => {
  it('is completed from its output when the user stops waiting for the rest', async () => {
    const job = await streamed();
    await scene.engine.until(job.key, ({ chunkCount }) => chunkCount > 1);
    scene.sandbox.setFault({ kind: 'status', status: 400, operation: 'stream' });
    await scene.engine.until(job.key, ({ pendingStream }) => pendingStream !== undefined);
    expect(await scene.engine.jobs.stopWaiting(job.key)).toMatchObject({ ok: true, value: { phase: 'finished' } });
    expect((await kept(job.key)).outputs).toEqual(sent);
  });
});

describe('a server that drains and sometimes repeats', () => {
  it('every chunk is stored once in the end', async () => {
    const job = await streamed();
    await scene.engine.until(job.key, ({ chunkCount }) => chunkCount > 1);
    scene.sandbox.setFault({ kind: 'replay-chunks', operation: 'stream', probability: 0.4 });
    const end = await scene.engine.untilEnd(job.key);
    expect((await kept(job.key)).outputs).toEqual(sent);
    expect(end.chunkCount).toBe(sent.length);
  });
});
