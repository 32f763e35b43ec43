import { afterAll, afterEach, expect, it } from 'vitest';
import { removeEngineFolders, startEngine, to, turnsUntil } from '../../kit/engine.ts';
import type { TestEngine } from '../../kit/engine.ts';
import type { Fault } from '../../kit/fault-service.ts';
import { createScriptedService } from './scripted-service.ts';
import type { ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
let service: ScriptedService;
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

/** An answer that comes when it is let go. */
function held(body: unknown): { answer: Fault; letGo: () => void } {
  let letGo = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { answer: { kind: 'held', until, body }, letGo };
}

it('an empty stream read sent before the end was known does not end the stream: it is read again', async () => {
  const early = held([]);
  service = await createScriptedService({
    // Over as soon as the read is in progress.
    status: [() => ({ body: { id: 'job-1', status: service.count('stream') === 0 ? 'IN_PROGRESS' : 'COMPLETED' } })],
    stream: [() => early.answer, { body: [{ output: 'last' }] }, { body: [] }],
  });
  engine = await startEngine({ connections: to(service) });
  const { key } = await engine.submit({});
  engine.jobs.setOnView([key], []);
  await engine.until(key, ({ status }) => status === 'COMPLETED');
  expect(service.count('stream')).toBe(1);
  early.letGo();
  expect(await engine.untilEnd(key)).toMatchObject({ chunkCount: 1, isWithoutOutput: false });
  expect(await engine.chunks(key)).toMatchObject([{ outputJson: '"last"' }]);
});

it('a job removed by a purge is known as purged before the purge is answered', async () => {
  const purge = held({ removed: 1, status: 'completed' });
  const isPurged = (): boolean => service.count('purge-queue') === 1;
  service = await createScriptedService({
    status: [
      () =>
        isPurged() ? { status: 404, body: { error: 'job not found' } } : { body: { id: 'job-1', status: 'IN_QUEUE' } },
    ],
    health: [
      {
        body: {
          jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 1, retried: 0 },
          workers: { idle: 0, running: 0 },
        },
      },
    ],
    'purge-queue': [() => purge.answer],
  });
  engine = await startEngine({ connections: to(service) });
  const { key } = await engine.submit({});
  await engine.until(key, ({ phase }) => phase === 'active');
  const answer = engine.jobs.purge.send('main', 'echo');
  await turnsUntil(isPurged);
  await engine.jobs.checkNow(key);
  const told = await engine.until(key, ({ phase, notKnown }) => phase === 'gone' || notKnown !== undefined);
  expect(told).toMatchObject({ phase: 'gone', goneReason: 'purged' });
  purge.letGo();
  expect(await answer).toEqual({ kind: 'removed', removed: 1 });
});
