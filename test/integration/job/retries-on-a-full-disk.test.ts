import { afterAll, afterEach, expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import type { JobCommit } from '../../../src-main/history/records.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import { createScriptedService } from './scripted-service.ts';
import type { ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
/** Whether the disk refuses this change of a job. */
let isRefused: (job: Job) => boolean;

afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

/** A service whose job failed. */
async function start(): Promise<void> {
  isRefused = () => false;
  service = await createScriptedService({
    status: [{ body: { id: 'job-1', status: 'FAILED', error: 'out of memory' } }],
    stream: [{ body: [] }],
    health: [{ body: { jobs: {}, workers: {} } }],
  });
  const refused = (changes: readonly JobCommit[]): boolean => changes.some(({ job }) => isRefused(job));
  ({ engine, clock } = await startStillEngine({
    connections: to(service),
    wrapHistory: (history) => ({
      ...history,
      commit: (changes) =>
        refused(changes) ? Promise.reject(new Error('The disk is full.')) : history.commit(changes),
    }),
  }));
}

async function failedJob(): Promise<Job> {
  const { key } = await engine.submit({});
  await clock.advance(60_000);
  const job = await jobNow(key);
  expect(job).toMatchObject({ phase: 'finished', status: 'FAILED' });
  return job;
}

async function jobNow(key: string): Promise<Job> {
  const stored = await engine.history.get(key);
  if (stored === null) throw new Error('The job is not in the history.');
  return stored.job;
}

it('a retry that the service accepted is followed as soon as the disk lets it be recorded', async () => {
  await start();
  const { key } = await failedJob();
  service.script({
    retry: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }],
    status: [{ body: { id: 'job-1', status: 'COMPLETED', output: 'second run' } }],
  });
  isRefused = ({ attempt }) => attempt === 2;
  const answer = engine.jobs.retry(key);
  await clock.advance(20_000);
  isRefused = () => false;
  await clock.advance(5 * 60_000);
  expect(await answer).toMatchObject({ ok: true, value: { attempt: 2 } });
  expect(await jobNow(key)).toMatchObject({ phase: 'finished', attempt: 2, status: 'COMPLETED' });
  expect(await engine.output(key, 2)).toBe('second run');
  expect(service.count('retry')).toBe(1);
});

it('a waiting retry that met the rate limit again is sent later, although the disk refused to note that it waits', async () => {
  await start();
  const { key } = await failedJob();
  service.script({
    retry: [
      { status: 429, body: { error: 'slow down' } },
      { status: 429, body: { error: 'slow down' } },
      { body: { id: 'job-1', status: 'IN_QUEUE' } },
    ],
  });
  expect(await engine.jobs.retry(key)).toMatchObject({ ok: true, value: { attempt: 1 } });
  expect((await jobNow(key)).retryRequestedAtMs).toBeDefined();
  isRefused = ({ retryRequestedAtMs }) => retryRequestedAtMs !== undefined;
  await clock.advance(20_000);
  expect(service.count('retry')).toBe(2);
  isRefused = () => false;
  await clock.advance(5 * 60_000);
  expect(service.count('retry')).toBe(3);
  expect(await jobNow(key)).toMatchObject({ attempt: 2 });
});
