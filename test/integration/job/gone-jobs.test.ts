import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import type { Fault } from '../../kit/fault-service.ts';
import { createScriptedService } from './scripted-service.ts';
import type { ScriptedService } from './scripted-service.ts';

const minuteMs = 60_000;
const megabyte = 1_000_000;

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
let key: string;

/** A job that the service no longer knows, although its ttl has not ended. */
beforeEach(async () => {
  service = await createScriptedService({
    status: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }, { status: 404, body: { error: 'not found' } }],
    stream: [{ body: [] }],
    health: [{ body: { jobs: {}, workers: {} } }],
  });
  ({ engine, clock } = await startStillEngine({
    connections: to(service),
    replyLimitBytes: { status: 2 * megabyte },
  }));
  ({ key } = await engine.submit({}));
  await clock.advance(150_000);
  if ((await jobNow())?.phase !== 'gone') throw new Error('The job is not gone.');
});
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

const jobNow = async (): Promise<Job | undefined> => (await engine.history.get(key))?.job;
const completed = (output: string) => ({ body: { id: 'job-1', status: 'COMPLETED', output } });

it('is live again if its record is too large to be read, which is downloaded once', async () => {
  service.script({ status: [completed('x'.repeat(3 * megabyte))] });
  await clock.advance(12 * minuteMs);
  const large = (await engine.history.requests(key)).filter(({ bytesReceived }) => bytesReceived > 1.5 * megabyte);
  expect(large).toHaveLength(1);
  expect(await jobNow()).toMatchObject({ phase: 'active', goneReason: null, reason: { kind: 'reply-too-large' } });
  service.script({ status: [completed('small')] });
  await clock.advance(2 * minuteMs);
  expect(await jobNow()).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
  expect(await engine.output(key)).toBe('small');
});

it('is not read while polling is paused, and immediately afterwards', async () => {
  service.script({ status: [completed('kept')] });
  const before = service.count('status');
  engine.jobs.pause();
  await clock.advance(10 * minuteMs);
  expect([service.count('status') - before, clock.pending()]).toEqual([0, 0]);
  engine.jobs.resume();
  await clock.advance(5_000);
  expect(await engine.output(key)).toBe('kept');
});

it('is not read before the service wants to be asked again (ruling 10)', async () => {
  const later = (): Fault => ({ kind: 'reply', status: 503, body: {}, headers: { 'retry-after': '3600' } });
  service.script({ status: [later, completed('kept')] });
  const before = service.count('status');
  await clock.advance(59 * minuteMs);
  expect(service.count('status') - before).toBe(1);
  await clock.advance(5 * minuteMs);
  expect(await engine.output(key)).toBe('kept');
});
