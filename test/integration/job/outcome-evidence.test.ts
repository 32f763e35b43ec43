import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import { afterAll, afterEach, expect, it } from 'vitest';
import { removeEngineFolders, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { createScriptedService } from './scripted-service.ts';
import type { Reply, ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

const health = (inQueue: number): Reply => ({
  body: { jobs: { completed: 7, failed: 0, inProgress: 0, inQueue, retried: 0 }, workers: { idle: 0, running: 0 } },
});
const queued: Reply = { body: { id: 'job-1', status: 'IN_QUEUE' } };
const broken: Reply = { status: 502, body: 'not now' };

/**
 * The reason shown on a job whose submission is answered 502, while the endpoint's queue was at each of `before` and
 * then at `after`.
 */
async function saidAfter(before: readonly number[], after: number): Promise<string> {
  return saidOf(await jobAfter(before, after));
}

async function jobAfter(before: readonly number[], after: number): Promise<Job> {
  service = await createScriptedService({ run: [broken], status: [queued], health: [...before, after].map(health) });
  ({ engine, clock } = await startStillEngine({ connections: to(service) }));
  for (const _ of before) {
    await engine.jobs.readHealth('main', 'echo');
    await clock.advance(2_000);
  }
  const { key } = await engine.submit({});
  await clock.advance(20_000);
  const stored = await engine.history.get(key);
  expect(stored?.job).toMatchObject({ phase: 'outcome-unknown', jobId: null });
  if (stored === null) throw new Error('The job is not in the history.');
  return stored.job;
}

it('an endpoint that reports one job more means that a submission without a reply probably arrived', async () => {
  expect(await saidAfter([3], 4)).toMatch(
    /It probably arrived: the endpoint reports one job more than Jobdeck knows\.$/,
  );
  // One reading before, one after, and then none.
  expect(service.count('health')).toBe(2);
});

it('the job itself is marked as likely there, even in the history, and only then', async () => {
  expect(await jobAfter([3], 4)).toMatchObject({ isLikelyThere: true });
  await engine.close();
  await service.close();
  expect(await jobAfter([3], 3)).not.toHaveProperty('isLikelyThere');
});

it('an endpoint that reports no more means that it probably did not arrive', async () => {
  expect(await saidAfter([3], 3)).toMatch(/It probably did not arrive/);
});

it('there is no evidence if others submit too, or if nothing was read before', async () => {
  expect(await saidAfter([3, 5], 6)).not.toMatch(/probably/);
  await engine.close();
  await service.close();
  expect(await saidAfter([3], 9)).not.toMatch(/probably/);
  await engine.close();
  await service.close();
  expect(await saidAfter([], 4)).not.toMatch(/probably/);
});

it('our own jobs are subtracted from the count', async () => {
  service = await createScriptedService({ run: [queued, broken], status: [queued], health: [health(3), health(4)] });
  ({ engine, clock } = await startStillEngine({ connections: to(service) }));
  await engine.jobs.readHealth('main', 'echo');
  await engine.submit({});
  await clock.advance(200);
  const { key } = await engine.submit({});
  await clock.advance(20_000);
  expect(saidOf((await engine.history.get(key))?.job)).toMatch(/It probably did not arrive/);
});

function saidOf(job: Job | undefined): string {
  return job === undefined || job.reason === null ? '' : reasonText(job.reason);
}
