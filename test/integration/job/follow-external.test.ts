import { expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import { createCaller } from '../../sandbox/integration/caller.ts';
import { engineSceneForEachTest } from '../../kit/engine-scene.ts';

const scene = engineSceneForEachTest();

async function adopted(...jobIds: string[]): Promise<Job[]> {
  const result = await scene.engine.jobs.followExternal({ connectionId: 'main', endpointId: 'mock', jobIds });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

it('saves the result and the stream of jobs that someone else submitted, finished or not', async () => {
  const other = createCaller(scene.sandbox);
  const over = await other.run('mock', { mock_return: { by: 'someone else' } });
  const ended = new Promise<void>((resolve) => {
    const check = (): void =>
      scene.sandbox.transitions().some(({ jobId, to: now }) => jobId === over && now === 'COMPLETED')
        ? resolve()
        : void setImmediate(check);
    check();
  });
  await ended;
  const running = await other.run('mock', { mock_delay: 30, mock_stream: ['a', 'b', 'c'] });
  const [first, second] = await adopted(over, running);
  if (first === undefined || second === undefined) throw new Error('Two jobs were to be answered.');
  expect(first).toMatchObject({ jobId: over, phase: 'active', title: over, ttlEndsAtMs: null, operation: 'run' });
  expect(await scene.engine.untilEnd(first.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
  expect(await scene.engine.output(first.key)).toEqual({ by: 'someone else' });
  expect(await scene.engine.untilEnd(second.key)).toMatchObject({ status: 'COMPLETED', chunkCount: 3 });
  expect(scene.sandbox.transitions().filter(({ cause }) => cause === 'submitted')).toHaveLength(2);
});

it('recognises a known job, and adds a job named twice once', async () => {
  const own = await scene.engine.submit({ endpointId: 'mock', input: { mock_delay: 20 } });
  const { jobId } = await scene.engine.until(own.key, ({ phase }) => phase === 'active');
  const again = await adopted(jobId ?? '', jobId ?? '');
  expect(again.map(({ key }) => key)).toEqual([own.key]);
});

it('reports an id that the service does not know', async () => {
  const [job] = await adopted('sync-nobody-u1');
  if (job === undefined) throw new Error('One job was to be answered.');
  expect(job.operation).toBe('runsync');
  expect(await scene.engine.untilEnd(job.key)).toMatchObject({ phase: 'gone', goneReason: 'expired' });
});

it('adds nothing if one of the ids is invalid', async () => {
  const result = await scene.engine.jobs.followExternal({
    connectionId: 'main',
    endpointId: 'mock',
    jobIds: ['fine-u1', '..'],
  });
  expect(result).toMatchObject({ ok: false, failure: { kind: 'refused', field: 'jobIds' } });
  expect(await scene.engine.history.liveJobs()).toEqual([]);
});

it('does not resubmit a job whose input it does not have', async () => {
  const id = await createCaller(scene.sandbox).run('mock', { mock_return: 1 });
  const [job] = await adopted(id);
  if (job === undefined) throw new Error('One job was to be answered.');
  await scene.engine.untilEnd(job.key);
  expect(await scene.engine.jobs.resubmit(job.key)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
});
