import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../kit/clock.ts';
import { removeEngineFolders, startEngine, to, turnsUntil, type TestEngine } from '../../kit/engine.ts';
import type { Fault } from '../../kit/fault-service.ts';
import { createScriptedService, type Reply, type ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
let service: ScriptedService;
let clock: VirtualClock;
beforeEach(() => {
  clock = createVirtualClock(1_700_000_000_000, () => engine.settle());
});
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

const unknown: Reply = { status: 404, body: { error: 'job not found' } };
const health: Reply = {
  body: {
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 1, retried: 0 },
    workers: { idle: 0, running: 1 },
  },
};
const record = (status: string, more: object = {}): Reply => ({ body: { id: 'job-1', status, ...more } });
const removed = (count: number): Reply => ({ body: { removed: count, status: 'completed' } });

/** An answer that comes when it is let go. */
function held(body: unknown): { answer: Fault; letGo: () => void } {
  const until = Promise.withResolvers<void>();
  return { answer: { kind: 'held', until: until.promise, body }, letGo: () => until.resolve() };
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
}

it('a job whose submission was in progress when the queue was purged is known as purged', async () => {
  const accepted = held({ id: 'job-1', status: 'IN_QUEUE' });
  service = await createScriptedService({
    run: [() => accepted.answer],
    status: [unknown],
    health: [health],
    'purge-queue': [removed(1)],
  });
  engine = await startEngine({ connections: to(service), clock });
  const { key } = await engine.submit({});
  await turnsUntil(() => service.count('run') === 1);
  expect(await engine.jobs.purge.send('main', 'echo')).toEqual({ kind: 'removed', removed: 1 });
  accepted.letGo();
  await engine.until(key, ({ phase }) => phase === 'active');
  await pass(10);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'gone', goneReason: 'purged' });
  expect(service.count('run')).toBe(1);
});

it('a job whose retry was in progress when the queue was purged is known as purged', async () => {
  const accepted = held({ id: 'job-1', status: 'IN_QUEUE' });
  service = await createScriptedService({
    status: [record('FAILED', { error: 'no' })],
    stream: [{ body: [] }],
    health: [health],
    retry: [() => accepted.answer],
    'purge-queue': [removed(1)],
  });
  engine = await startEngine({ connections: to(service), clock });
  const { key } = await engine.submit({});
  await pass(10);
  const retried = engine.jobs.retry(key);
  await turnsUntil(() => service.count('retry') === 1);
  expect(await engine.jobs.purge.send('main', 'echo')).toEqual({ kind: 'removed', removed: 1 });
  service.script({ status: [unknown] });
  accepted.letGo();
  expect(await retried).toMatchObject({ ok: true, value: { attempt: 2 } });
  await pass(10);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'gone', goneReason: 'purged', attempt: 2 });
  expect(service.count('retry')).toBe(1);
});

it('a purge that removed nothing makes no job gone', async () => {
  service = await createScriptedService({
    status: [record('IN_QUEUE'), unknown, record('COMPLETED', { output: 'here' })],
    stream: [{ body: [] }],
    health: [health],
    'purge-queue': [removed(0)],
  });
  engine = await startEngine({ connections: to(service), clock });
  const { key } = await engine.submit({});
  await clock.advance(1_000);
  expect(await engine.jobs.purge.send('main', 'echo')).toEqual({ kind: 'removed', removed: 0 });
  await pass(60);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
});

it('a job called purged is read a second time, because a worker may have taken it before the purge', async () => {
  service = await createScriptedService({
    status: [record('IN_QUEUE'), unknown, record('IN_PROGRESS'), record('COMPLETED', { output: 'here' })],
    stream: [{ body: [] }],
    health: [health],
    'purge-queue': [removed(1)],
  });
  engine = await startEngine({ connections: to(service), clock });
  const { key } = await engine.submit({});
  await clock.advance(1_000);
  await engine.jobs.purge.send('main', 'echo');
  await pass(10);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'gone', goneReason: 'purged' });
  await pass(180);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
});

it('a job that was really purged costs one more read', async () => {
  service = await createScriptedService({
    status: [record('IN_QUEUE'), unknown],
    health: [health],
    'purge-queue': [removed(1)],
  });
  engine = await startEngine({ connections: to(service), clock });
  const { key } = await engine.submit({});
  await clock.advance(1_000);
  await engine.jobs.purge.send('main', 'echo');
  await pass(10);
  expect((await engine.history.get(key))?.job).toMatchObject({ phase: 'gone', goneReason: 'purged' });
  const readsUntilGone = service.count('status');
  for (let minute = 0; minute < 60; minute += 1) await clock.advance(60_000);
  expect(service.count('status')).toBe(readsUntilGone + 1);
});
