import { afterAll, afterEach, expect, it } from 'vitest';
import { removeEngineFolders, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import type { ReceivedRequest } from '../../kit/fault-service.ts';
import { createScriptedService } from './scripted-service.ts';
import type { Reply, ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
let service: ScriptedService;
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

/**
 * A service whose first four jobs are over at once and whose later ones run on, all of them streaming; `asked` is what
 * it was asked.
 */
async function aStreamingService(): Promise<string[]> {
  const asked: string[] = [];
  let taken = 0;
  const about = ({ path }: ReceivedRequest): { name: string; isOver: boolean } => {
    const name = path.split('/').at(-1) ?? '';
    return { name, isOver: Number(name.split('-')[1]) <= 4 };
  };
  const status = (request: ReceivedRequest): Reply => {
    const { name, isOver } = about(request);
    asked.push(`status ${name}`);
    return {
      body: isOver
        ? { id: name, status: 'COMPLETED', output: ['a'], delayTime: 0, executionTime: 60_000 }
        : { id: name, status: 'IN_PROGRESS', delayTime: 0, executionTime: 5 },
    };
  };
  const stream = (request: ReceivedRequest): Reply => {
    const { name } = about(request);
    const isFirst = !asked.includes(`stream ${name}`);
    asked.push(`stream ${name}`);
    return { body: isFirst ? [{ output: 'a' }] : [] };
  };
  service = await createScriptedService({
    run: [() => ({ body: { id: `job-${(taken += 1)}`, status: 'IN_QUEUE' } })],
    status: [status],
    stream: [stream],
    health: [
      {
        body: {
          jobs: { completed: 4, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
          workers: { idle: 0, running: 4 },
        },
      },
    ],
  });
  return asked;
}

it('on streaming endpoints a job that is likely running has its chunks read without a status read first', async () => {
  const asked = await aStreamingService();
  const started = await startStillEngine({ connections: to(service) });
  ({ engine } = started);
  for (let job = 0; job < 4; job += 1) await engine.submit({});
  await started.clock.advance(60_000);
  expect(await engine.history.liveJobs()).toEqual([]);
  const later = [];
  for (let job = 0; job < 4; job += 1) later.push(await engine.submit({}));
  const unkept = await engine.submit({ isKeptWhole: false });
  await started.clock.advance(5_000);
  // The counters do not change, so no status is read.
  for (const name of ['job-5', 'job-6', 'job-7', 'job-8']) {
    expect(asked.filter((each) => each === `status ${name}`)).toEqual([]);
    expect(asked).toContain(`stream ${name}`);
  }
  for (const { key } of later) expect(await engine.chunks(key)).toHaveLength(1);
  expect(await engine.chunks(unkept.key)).toEqual([]);
  expect(asked).not.toContain('stream job-9');
});
