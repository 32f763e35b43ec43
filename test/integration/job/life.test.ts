import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { removeEngineFolders, startEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { startSandbox } from '../../kit/sandbox.ts';

describe('the life of a job', () => {
  let sandbox: Sandbox;
  let engine: TestEngine;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterEach(async () => engine.close());
  afterAll(async () => {
    await sandbox.close();
    await removeEngineFolders();
  });

  it('submits, streams in order and keeps everything', async () => {
    engine = await startEngine({ connections: to(sandbox) });
    const job = await engine.submit({ endpointId: 'text', input: { prompt: 'Write release notes', tokens_per_second: 200, max_tokens: 200 } });
    expect(job.phase).toBe('submitting');
    engine.jobs.setWatched([job.key]);
    const end = await engine.untilEnd(job.key);
    expect(end).toMatchObject({ phase: 'finished', status: 'COMPLETED', isResultSaved: true, isWithoutOutput: false });
    expect(end.chunkCount).toBeGreaterThan(20);
    const chunks = await engine.chunks(job.key);
    expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_, index) => index));
    const indices = chunks.map(({ metricsJson }) => JSON.parse(metricsJson ?? '{}').stream_index);
    expect(indices).toEqual(chunks.map((_, index) => index));
  });
});
